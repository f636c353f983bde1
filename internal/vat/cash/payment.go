package cash

import (
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// Payment is what one payment did to one document.
type Payment struct {
	// Document is the first row of the document in the register: it names the document and the partner.
	Document register.Row
	// SourceType and SourceID name the payment in the ledger.
	SourceType string
	SourceID   tenant.ID
	// Reference is what the bank or the payment provider calls it; empty when it has no name.
	Reference string
	Date      date.Date
	// Parts are by the code and rate of the document, in the base currency. They have the sign of the document in the register,
	// and the opposite one where money went back.
	Parts []Part
	// AllocationIDs are the allocations it is made of: one, and those of its period that took it back.
	AllocationIDs []tenant.ID
}

// Part is what a payment brought under one code and rate.
type Part struct {
	// Code is nil where the register has none.
	Code     *string
	Rate     money.Decimal
	Net, VAT money.Amount
}

// IsZero reports a payment that was taken back in its period, so that nothing is left of it.
func (p Payment) IsZero() bool {
	for _, part := range p.Parts {
		if !part.Net.IsZero() || !part.VAT.IsZero() {
			return false
		}
	}
	return true
}

// Sums are what a payment brought in all, in the base currency.
func (p Payment) Sums(base money.Currency) (net, tax money.Amount) {
	net, tax = money.Zero(base), money.Zero(base)
	for _, part := range p.Parts {
		net, tax = net.Add(part.Net), tax.Add(part.VAT)
	}
	return net, tax
}

// Rows are the payment as rows that stand in the register of its day would be: what it enters a return with.
func (p Payment) Rows() []register.Row {
	rows := make([]register.Row, len(p.Parts))
	for i, part := range p.Parts {
		row := p.Document
		row.RegisterDate, row.VATCode, row.Rate = p.Date, part.Code, part.Rate
		row.BaseNetMinor, row.BaseVATMinor = part.Net.Minor(), part.VAT.Minor()
		rows[i] = row
	}
	return rows
}
