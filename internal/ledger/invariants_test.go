package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// broken names the invariants that do not hold for a company.
func broken(t *testing.T, c *testkit.Company) []string {
	t.Helper()
	found, err := tenant.Verify(t.Context(), c.Engine.System, ledger.Invariants)
	require.NoError(t, err)
	var names []string
	for _, b := range found {
		if b.CompanyID == c.Scope.Company().ID {
			names = append(names, b.Invariant)
		}
	}
	return names
}

// What no function posts is put there as only a fault could, and is found.
func TestTransactionsAreVerified(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		first := post(t, c, "2026-01-31", "Dr 2710 500.00 / Cr 3011 500.00")
		second := post(t, c, "2026-01-31", "Dr 6300 1.00 / Cr 2710 1.00")
		_, err := reverse(t, c, ledger.Reversal{TransactionID: first.ID})
		require.NoError(t, err)
		company := c.Scope.Company().ID
		add := func(query string, args ...any) {
			_, err := e.Admin.Writer().ExecContext(t.Context(), query, args...)
			require.NoError(t, err)
		}
		require.Empty(t, broken(t, c))

		add(`INSERT INTO journal_entries (company_id, id, transaction_id, line_no, transaction_date, account_id, currency,
			debit_minor, credit_minor, base_debit_minor, base_credit_minor)
			SELECT company_id, ?, transaction_id, line_no + 10, '2026-02-01', account_id, currency,
			credit_minor, debit_minor, base_credit_minor, base_debit_minor
			FROM journal_entries WHERE company_id = ? AND transaction_id = ? AND line_no = (SELECT MIN(line_no) FROM journal_entries
			WHERE company_id = ? AND transaction_id = ?)`, tenant.NewID(), company, second.ID, company, second.ID)
		require.Contains(t, broken(t, c), "every transaction has two entries or more, of its own date", "another day")
		require.Contains(t, broken(t, c), "every transaction balances in the base currency")

		const reversal = "a reversal takes each account back to where it stood"
		require.NotContains(t, broken(t, c), reversal)
		add("INSERT INTO journal_transactions (company_id, id, transaction_date, reverses_id, posted_at) VALUES (?, ?, '2026-01-31', ?, '2026-01-31 10:00:00')",
			company, tenant.NewID(), second.ID)
		require.Contains(t, broken(t, c), reversal)
	})
}

func TestTransactionsWithoutEntriesAreFound(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		company := c.Scope.Company().ID
		_, err := e.Admin.Writer().ExecContext(t.Context(),
			"INSERT INTO journal_transactions (company_id, id, transaction_date, posted_at) VALUES (?, ?, '2026-01-31', '2026-01-31 10:00:00')",
			company, tenant.NewID())
		require.NoError(t, err)
		require.Equal(t, []string{"every transaction has two entries or more, of its own date"}, broken(t, c))
	})
}
