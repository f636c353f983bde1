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

// classified is what accounts of a company are compared with, by code.
func classified(t *testing.T, c *testkit.Company) map[string]ledger.Classified {
	t.Helper()
	byCode := map[string]ledger.Classified{}
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		accounts, err := tenant.Find[ledger.Account](ctx, r, "")
		of := ledger.Classify(accounts)
		for _, a := range accounts {
			byCode[a.Code] = of[a.ID]
		}
		return err
	})
	return byCode
}

func withTemplate(t *testing.T, e *testkit.Engine) *testkit.Company {
	t.Helper()
	c := e.Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	return c
}

func TestClassify(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := withTemplate(t, e)
		before := classified(t, c)
		for _, a := range ledger.Template() {
			require.Equal(t, a.IsHeading(), before[a.Code].IsZero(), a.Code)
			require.Equal(t, a.IsHeading(), before[a.Code].Name == "", a.Code)
		}
		require.Equal(t, ledger.Classified{Code: "271", Name: "Sąskaitos bankuose"}, before["2710"])

		bank, heading := account(t, c, "2710").ID, account(t, c, "27").ID
		sub, err := createAccount(t, c, ledger.CreateAccountInput{Code: "27101", Name: "Bankas EUR", Type: ledger.AccountAsset, ParentID: &bank})
		require.NoError(t, err)
		_, err = createAccount(t, c, ledger.CreateAccountInput{Code: "2790", Name: "Kriptovaliuta", Type: ledger.AccountAsset, ParentID: &heading})
		require.NoError(t, err)
		name := "Pagrindinis bankas"
		require.NoError(t, updateAccount(t, c, ledger.UpdateAccountInput{ID: bank, Name: &name}))
		of := classified(t, c)
		require.Equal(t, before["2710"], of["2710"], "renamed, it keeps its place")
		require.Equal(t, before["2710"], of["27101"], "that of the account above")
		require.True(t, of["2790"].IsZero(), "nothing says where it belongs")

		chosen, own := "2745", "Kita"
		require.NoError(t, updateAccount(t, c, ledger.UpdateAccountInput{ID: sub.ID, SAFTCode: &chosen, SAFTName: &own}))
		require.Equal(t, ledger.Classified{Code: "2745", Name: "Kita"}, classified(t, c)["27101"])
		none := ""
		require.NoError(t, updateAccount(t, c, ledger.UpdateAccountInput{ID: sub.ID, SAFTCode: &none}))
		require.Equal(t, before["2710"], classified(t, c)["27101"], "the choice is taken back")
	})
}

// An account of another chart may have a code of the template and be something else.
func TestClassifyLeavesOtherChartsAlone(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	_, err := createAccount(t, c, ledger.CreateAccountInput{Code: "1610", Name: "Paskolos patronuojančiajai įmonei", Type: ledger.AccountAsset})
	require.NoError(t, err)
	_, err = createAccount(t, c, ledger.CreateAccountInput{Code: "6300", Name: "Bendrosios ir administracinės sąnaudos", Type: ledger.AccountAsset})
	require.NoError(t, err)
	_, err = createAccount(t, c, ledger.CreateAccountInput{Code: "2410", Name: "Trade receivables", Type: ledger.AccountAsset})
	require.NoError(t, err)
	of := classified(t, c)
	require.True(t, of["1610"].IsZero(), "the name is another")
	require.True(t, of["6300"].IsZero(), "the type is another")
	require.Equal(t, "2410", of["2410"].Code, "the English name is the template's as well")
}

func TestChoosingAnUnknownAccountOfTheClassifierNeedsItsName(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	unknown, known, name := "2745", "271", "Kita"
	in := ledger.CreateAccountInput{Code: "1", Name: "A", Type: ledger.AccountAsset, SAFTCode: &unknown}
	_, err := createAccount(t, c, in)
	require.ErrorIs(t, err, apperr.ErrValidation)
	in.SAFTCode, in.SAFTName = nil, &name
	_, err = createAccount(t, c, in)
	require.ErrorIs(t, err, apperr.ErrValidation, "a name without a code")
	in.SAFTCode, in.SAFTName = &known, nil
	_, err = createAccount(t, c, in)
	require.NoError(t, err)
	require.Equal(t, "Sąskaitos bankuose", classified(t, c)["1"].Name)
}
