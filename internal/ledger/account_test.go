package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func createAccount(t *testing.T, c *testkit.Company, in ledger.CreateAccountInput) (*ledger.Account, error) {
	t.Helper()
	var created *ledger.Account
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		created, err = ledger.CreateAccount(ctx, tx, in)
		return err
	})
	return created, err
}

func updateAccount(t *testing.T, c *testkit.Company, in ledger.UpdateAccountInput) error {
	t.Helper()
	return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.UpdateAccount(ctx, tx, in)
		return err
	})
}

func account(t *testing.T, c *testkit.Company, code string) *ledger.Account {
	t.Helper()
	var found *ledger.Account
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		found, err = tenant.First[ledger.Account](ctx, r, "code = ?", code)
		return err
	})
	require.NotNil(t, found, code)
	return found
}

func closeAccount(t *testing.T, c *testkit.Company, code string) {
	t.Helper()
	no := false
	require.NoError(t, updateAccount(t, c, ledger.UpdateAccountInput{ID: account(t, c, code).ID, IsPostable: &no}))
}

func TestTemplate(t *testing.T) {
	t.Parallel()

	t.Run("CodesAreUniqueAndBelowAHeadingOfTheirType", func(t *testing.T) {
		t.Parallel()
		types := map[string]ledger.AccountType{}
		for _, a := range ledger.Template() {
			require.NotContains(t, types, a.Code)
			types[a.Code] = a.Type
			require.NotEmpty(t, a.Name)
			require.NotEmpty(t, a.EnglishName)
			if len(a.Code) == 1 {
				continue
			}
			parent := a.Code[:min(len(a.Code)-1, 2)]
			require.Equal(t, a.Type, types[parent], "%s stands below %s", a.Code, parent)
		}
	})

	t.Run("EveryRuleHasItsDefaultInIt", func(t *testing.T) {
		t.Parallel()
		postable := map[string]bool{}
		for _, a := range ledger.Template() {
			postable[a.Code] = !a.IsHeading()
		}
		c := testkit.SQLite(t).Company(t)
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			rules, err := ledger.ListRules(ctx, r)
			require.NoError(t, err)
			require.Len(t, rules, 24)
			for _, rule := range rules {
				require.True(t, postable[rule.DefaultCode], "%s: %s", rule.Rule, rule.DefaultCode)
			}
			return nil
		})
	})
}

func TestApplyTemplate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.At(now).Company(t)
		own, err := createAccount(t, c, ledger.CreateAccountInput{Code: "2410", Name: "Ours", Type: ledger.AccountAsset})
		require.NoError(t, err)
		extra, err := createAccount(t, c, ledger.CreateAccountInput{Code: "7000", Name: "Extra", Type: ledger.AccountExpense})
		require.NoError(t, err)
		for range 2 {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				n, err := ledger.ApplyTemplate(ctx, tx)
				require.Equal(t, len(ledger.Template())+1, n)
				return err
			})
		}
		require.Equal(t, own, account(t, c, "2410"), "an account that exists stays as it is")
		require.Equal(t, extra.Name, account(t, c, "7000").Name)
		require.Equal(t, account(t, c, "27").ID, *account(t, c, "2710").ParentID)
		require.Equal(t, account(t, c, "2").ID, *account(t, c, "27").ParentID)
		require.False(t, account(t, c, "27").IsPostable)
		require.Equal(t, "Pinigai bankuose", account(t, c, "2710").Name)
	})
}

func TestCreateAccount(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		_, err := createAccount(t, c, ledger.CreateAccountInput{Code: "2710", Name: "Bank", Type: ledger.AccountAsset})
		require.ErrorIs(t, err, ledger.ErrAccountExists)
		require.Equal(t, account(t, c, "2710").ID, refusalOf(t, err).Details()["existingId"])

		theirs := account(t, other, "27").ID
		_, err = createAccount(t, c, ledger.CreateAccountInput{Code: "2711", Name: "Bank", Type: ledger.AccountAsset, ParentID: &theirs})
		require.ErrorIs(t, err, ledger.ErrUnknownAccount, "another company's parent")
	})
}

func TestCreateAccountAtOnce(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	c := books(t, e)
	begun, err := c.Engine.Store.Begin(t.Context(), c.Scope)
	require.NoError(t, err)
	in := ledger.CreateAccountInput{Code: "2711", Name: "Bank", Type: ledger.AccountAsset}
	winner, err := ledger.CreateAccount(t.Context(), begun.Tx, in)
	require.NoError(t, err)
	require.NoError(t, tenant.Flush(t.Context(), begun.Tx))
	loser := make(chan error)
	go func() {
		loser <- persistently(t, c, func(ctx context.Context, tx tenant.Tx) error {
			_, err := ledger.CreateAccount(ctx, tx, in)
			return err
		})
	}()
	require.NoError(t, begun.Commit(t.Context()))
	err = <-loser
	require.ErrorIs(t, err, ledger.ErrAccountExists)
	require.Equal(t, winner.ID, refusalOf(t, err).Details()["existingId"])
}

func TestUpdateAccount(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		bank, group, class := account(t, c, "2710"), account(t, c, "27"), account(t, c, "2")
		name := "Swedbank"
		require.NoError(t, updateAccount(t, c, ledger.UpdateAccountInput{ID: bank.ID, Name: &name}))
		changed := account(t, c, "2710")
		require.Equal(t, name, changed.Name)
		require.Equal(t, bank.ParentID, changed.ParentID, "what is not given stays")
		require.True(t, changed.IsPostable)

		for _, below := range []*ledger.Account{class, group, bank} {
			err := updateAccount(t, c, ledger.UpdateAccountInput{ID: class.ID, ParentID: &below.ID})
			require.ErrorIs(t, err, ledger.ErrParentCycle, below.Code)
		}
		require.ErrorIs(t, updateAccount(t, other, ledger.UpdateAccountInput{ID: bank.ID, Name: &name}), apperr.ErrNotFound)
		require.NoError(t, updateAccount(t, c, ledger.UpdateAccountInput{ID: bank.ID, ParentID: &class.ID}))
		require.Equal(t, class.ID, *account(t, c, "2710").ParentID)
	})
}
