package isaf

import (
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// unknown stands in the file for what the invoice does not give: nėra duomenų.
const unknown = "ND"

// Invoice is an invoice as the file has it.
type Invoice struct {
	Direction    register.Direction
	DocumentType string
	DocumentID   tenant.ID
	// Number is that of the document, normalised unless the options keep it; it is never empty.
	Number string
	Party  Party
	// Date is that of the document; for a later effect on the same document it is the day of the effect.
	Date            date.Date
	Type            register.InvoiceType
	SpecialTaxation bool
	References      []Reference
	// SupplyDate is the zero Date when it is that of the document, or when the rows differ.
	SupplyDate date.Date
	// RegistrationDate is for purchases: the day of receipt or registration, and never before the document.
	RegistrationDate date.Date
	Totals           []Total
	// bent says what of the register the schema cannot show, and what was done about it.
	bent []string
}

// Reference names an adjusted document.
type Reference struct {
	Number string
	Date   date.Date
}

// Total is what an invoice comes to under one code, in euro.
type Total struct {
	Net money.Amount
	// Code is nil where the register leaves it out.
	Code *string
	// Rate is nil for a code without a rate; the rate of another state is never sent.
	Rate *money.Decimal
	// VAT is nil where none is recorded: codes without a rate, and supplies on which the buyer pays.
	VAT *money.Amount
	// SupplyDate is for sales: that of the rows, the zero Date when it is that of the document.
	SupplyDate date.Date
	// charged is the VAT in the register, whatever the file shows.
	charged money.Amount
}

// Charged is the VAT of the register behind a total, also where the file leaves it out.
func (t Total) Charged() money.Amount { return t.charged }

// Party is the other side of an invoice.
type Party struct {
	ID tenant.ID
	// VATNumber and Name are never empty; ND stands for unknown.
	VATNumber string
	// Code is ND where both numbers are unknown, and may be empty beside a VAT number.
	Code string
	// Country is ISO 3166-1 alpha-2, empty where the file leaves it out.
	Country string
	Name    string
	// cut names the particulars that are longer than the schema takes.
	cut []string
	// origin is the country that checks go by, also where the file leaves it out; empty when it is not known.
	origin string
}
