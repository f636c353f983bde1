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

func changeRules(t *testing.T, c *testkit.Company, changes ...ledger.RuleChange) error {
	t.Helper()
	return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return ledger.ChangeRules(ctx, tx, changes) })
}

func accountOf(t *testing.T, c *testkit.Company, rule ledger.Rule) string {
	t.Helper()
	var code string
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		code, err = ledger.AccountCode(ctx, r, rule)
		return err
	})
	return code
}

func TestChangeRules(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		require.Equal(t, "2410", accountOf(t, c, ledger.RuleReceivable))
		require.NoError(t, changeRules(t, c,
			ledger.RuleChange{Rule: ledger.RuleReceivable, AccountCode: "2480"}, ledger.RuleChange{Rule: ledger.RuleStock, AccountCode: "2010"}))
		require.NoError(t, changeRules(t, c, ledger.RuleChange{Rule: ledger.RuleReceivable, AccountCode: "2430"}))
		require.Equal(t, "2430", accountOf(t, c, ledger.RuleReceivable))
		require.Equal(t, "2410", accountOf(t, other, ledger.RuleReceivable), "another company keeps its own")
		require.Equal(t, 3, audited(t, c, "posting_rule.changed"))

		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			codes, err := ledger.AccountCodes(ctx, r, ledger.RuleReceivable, ledger.RuleStock, ledger.RuleVATPayable)
			require.NoError(t, err)
			require.Equal(t, map[ledger.Rule]string{
				ledger.RuleReceivable: "2430", ledger.RuleStock: "2010", ledger.RuleVATPayable: "4492",
			}, codes)
			_, err = ledger.AccountCodes(ctx, r, "sales.unheardOf")
			require.Error(t, err)
			return nil
		})

		require.NoError(t, changeRules(t, c, ledger.RuleChange{Rule: ledger.RuleReceivable}))
		require.NoError(t, changeRules(t, c, ledger.RuleChange{Rule: ledger.RuleStock, AccountCode: "2040"}))
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			rules, err := ledger.ListRules(ctx, r)
			require.NoError(t, err)
			for _, rule := range rules {
				require.False(t, rule.Overridden, rule.Rule)
				require.Equal(t, rule.DefaultCode, rule.AccountCode)
			}
			return nil
		})
	})
}

func TestChangeRulesRefuses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		good := ledger.RuleChange{Rule: ledger.RuleStock, AccountCode: "2010"}
		for name, test := range map[string]struct {
			change ledger.RuleChange
			code   *apperr.Code
			field  string
		}{
			"UnknownAccount": {ledger.RuleChange{Rule: ledger.RuleReceivable, AccountCode: "9999"}, ledger.ErrUnknownAccount, "rules.1.accountCode"},
			"Heading":        {ledger.RuleChange{Rule: ledger.RuleReceivable, AccountCode: "24"}, ledger.ErrNotPostable, "rules.1.accountCode"},
			"UnknownRule":    {ledger.RuleChange{Rule: "sales.unheardOf", AccountCode: "2410"}, apperr.ErrValidation, "rules.1.key"},
			"GivenTwice":     {good, apperr.ErrValidation, "rules.1.key"},
		} {
			err := changeRules(t, c, good, test.change)
			require.ErrorIs(t, err, test.code, name)
			require.Contains(t, refusalOf(t, err).Fields(), test.field, name)
		}
		require.Equal(t, "2040", accountOf(t, c, ledger.RuleStock), "all or none")
	})
}
