package invoice

import (
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// checkCash refuses the mark of cash accounting where VAT cannot wait for the payment: on days on which the company is not under
// it (VMI's check 14038 goes by the date of the document), and on sales without Lithuanian VAT. A note has the mark of what it
// adjusts, whatever the company chose since. Error: invoice.cash_accounting.
func (d *draft) checkCash(tx tenant.Tx) error {
	if !d.row.SpecialTaxation || d.adjusted != nil {
		return nil
	}
	day := d.row.IssueDate
	if day.IsZero() {
		day = tx.Today()
	}
	company := tx.Company()
	switch {
	case !company.AccountsForCash(day):
		return ErrCash.New("The company is not under cash accounting on %s; leave the mark out, or correct cashAccounting of the company's profile.", day).
			Field("specialTaxation", "must be false on %s", day)
	case !d.taxed:
		return ErrCash.New("The company is no VAT payer, so no VAT waits for the payment.").Field("specialTaxation", "must be false")
	case d.row.VATScheme != vat.SchemeDomestic:
		return ErrCash.New("A sale of the scheme %s has no Lithuanian VAT that could wait for the payment.", d.row.VATScheme).
			Field("specialTaxation", "must be false for the scheme %s", d.row.VATScheme)
	}
	return nil
}
