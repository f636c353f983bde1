package invoice_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// trade issues, credits and cancels, and returns an invoice that a credit note refers to, and a cancelled one.
func trade(t *testing.T, b *books) (credited, cancelled *invoice.Document) {
	t.Helper()
	credited, cancelled = b.issue(t, sale(net("100"))), b.issue(t, sale(net("10")))
	_, err := b.credit(t.Context(), credited.ID, net("40"))
	require.NoError(t, err)
	_, err = b.tryCancel(t.Context(), cancelled.ID)
	require.NoError(t, err)
	b.create(t, sale(net("1")))
	return credited, cancelled
}

func TestInvariantsHold(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		trade(t, open(t, e))
		breaches, err := tenant.Verify(t.Context(), e.System, invoice.Invariants)
		require.NoError(t, err)
		require.Empty(t, breaches)
	})
}

// TestInvariantsAreSeen breaks one at a time behind the server's back.
func TestInvariantsAreSeen(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]string{
		"an issued document has lines and adds up to them":          "UPDATE sales_invoice_lines SET net_minor = net_minor + 1, gross_minor = gross_minor + 1",
		"the numbers of a series have no gap":                       "UPDATE number_series SET next_number = next_number + 1",
		"no draft has the id of an issued document":                 "UPDATE sales_drafts SET id = (SELECT MIN(id) FROM sales_invoices)",
		"an invoice and an advance are owed as a whole":             "UPDATE open_items SET amount_minor = amount_minor + 1",
		"credits do not pass what they credit":                      "UPDATE sales_invoices SET net_minor = net_minor + 6001, gross_minor = gross_minor + 6001 WHERE type = 'credit_note'",
		"the VAT register has the totals of the document":           "UPDATE vat_register SET vat_minor = vat_minor + 1",
		"a cancelled document comes to nothing in the VAT register": "UPDATE vat_register SET base_vat_minor = 0 WHERE event = 'cancelled'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := testkit.SQLite(t)
			trade(t, open(t, e))
			for _, statement := range []string{
				"PRAGMA foreign_keys = 0", "DROP TRIGGER sales_invoices_no_update", "DROP TRIGGER sales_invoice_lines_no_update",
				"DROP TRIGGER vat_register_no_update", fault,
			} {
				_, err := e.Admin.Writer().ExecContext(t.Context(), statement)
				require.NoError(t, err, statement)
			}
			breaches, err := tenant.Verify(t.Context(), e.System, invoice.Invariants)
			require.NoError(t, err)
			named := map[string]bool{}
			for _, b := range breaches {
				named[b.Invariant] = true
			}
			require.Contains(t, named, name)
		})
	}
}
