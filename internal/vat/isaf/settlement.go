package isaf

import (
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// SettlementType says which way money usually goes. A refund has the type of what it gives back, and negative amounts.
type SettlementType string

// The types.
const (
	MoneyReceived SettlementType = "G" // gautas: the party is the buyer
	MoneyPaid     SettlementType = "V" // vykdytas: the party is the seller
)

// Settlement is a payment of a document under cash accounting, as the file has it.
type Settlement struct {
	Direction    register.Direction
	DocumentType string
	DocumentID   tenant.ID
	// DocumentNumber is the number as the document bears it.
	DocumentNumber string
	Type           SettlementType
	// Reference is what the bank or the payment provider calls the payment; ND when it has no name.
	Reference string
	Date      date.Date
	Party     Party
	Invoices  []SettledInvoice
	// bent says what of the books the schema cannot show, and what was done about it.
	bent []string
}

// SettledInvoice is what a payment was for, and how much of it, in euro.
type SettledInvoice struct {
	Number   string
	Date     date.Date
	Net, VAT money.Amount
}

// maxReference is the schema's, as for numbers of documents.
const maxReference = maxNumber

// firstSettled is the first date of a settled invoice in the schema.
var firstSettled = date.MustParse("2011-01-01")

// settlement is a payment as the file has it. The amounts are those that the invoice has in the file, as far as they are paid.
func (o *Options) settlement(p cash.Payment) Settlement {
	row := p.Document
	s := Settlement{
		Direction: row.Direction, DocumentType: row.DocumentType, DocumentID: row.DocumentID, DocumentNumber: row.DocumentNumber,
		Type: MoneyReceived, Reference: clip(p.Reference, maxReference), Date: p.Date, Party: partyOf(row),
	}
	if row.Direction == register.Purchases {
		s.Type = MoneyPaid
	}
	if s.Reference == "" {
		s.Reference = unknown
	}
	invoice := SettledInvoice{Number: o.number(row.DocumentNumber), Date: row.DocumentDate, Net: money.Zero(money.EUR), VAT: money.Zero(money.EUR)}
	for _, part := range p.Parts {
		invoice.Net = invoice.Net.Add(part.Net)
		if showsVAT(part.Code, part.VAT) {
			invoice.VAT = invoice.VAT.Add(part.VAT)
		}
	}
	for _, what := range s.Party.cut {
		s.bent = append(s.bent, "the "+what+" of the partner is too long and was cut")
	}
	if utf8.RuneCountInString(p.Reference) > maxReference {
		s.bent = append(s.bent, "the reference of the payment is too long and was cut")
	}
	if invoice.Date.Before(firstSettled) || invoice.Date.After(lastDate) {
		s.bent = append(s.bent, "a settled invoice cannot bear the date "+invoice.Date.String()+"; that of its register stands in the file")
		invoice.Date = row.RegisterDate
	}
	if invoice.Date.Before(firstSettled) || invoice.Date.After(lastDate) {
		invoice.Date = p.Date
	}
	s.Invoices = []SettledInvoice{invoice}
	return s
}
