package register

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// Direction is the side of the register.
type Direction string

// The directions.
const (
	Sales     Direction = "sales"
	Purchases Direction = "purchases"
)

// Enum lists the allowed values.
func (Direction) Enum() []any { return []any{Sales, Purchases} }

// InvoiceType is the type of a document in i.SAF 1.2.
type InvoiceType string

// The types that are used here.
const (
	Invoice    InvoiceType = "SF"
	DebitNote  InvoiceType = "DS"
	CreditNote InvoiceType = "KS"
	Cancelled  InvoiceType = "AN"
)

// Enum lists the allowed values.
func (InvoiceType) Enum() []any { return []any{Invoice, DebitNote, CreditNote, Cancelled} }

// Event is why a row was written.
type Event string

// The events.
const (
	Recorded       Event = "recorded"        // the document came into the register
	Revoked        Event = "cancelled"       // it was cancelled: the recorded rows with the opposite sign
	AdvanceApplied Event = "advance_applied" // an advance that was taxed before is taken off the invoice
)

// Enum lists the allowed values.
func (Event) Enum() []any { return []any{Recorded, Revoked, AdvanceApplied} }

// Row is what one document did under one code and rate. Minor amounts are in Currency, Base ones in the base currency.
type Row struct {
	tenant.Row
	Direction Direction
	// RegisterDate puts the row into a period: the issue of a sale, the registration of a purchase, the day of an event.
	RegisterDate   date.Date
	DocumentType   string
	DocumentID     tenant.ID
	DocumentNumber string
	DocumentDate   date.Date
	// SupplyDate is the day of the supply where the document names one, else the zero Date.
	SupplyDate  date.Date
	InvoiceType InvoiceType
	Event       Event
	// SpecialTaxation marks cash accounting, Art 14(9) of the VAT law: T in i.SAF.
	SpecialTaxation bool
	// SourceID is the document itself, or for an applied advance the advance.
	SourceID       tenant.ID
	PartnerID      tenant.ID
	PartnerName    string
	PartnerCode    *string
	PartnerVATCode *string
	PartnerCountry *string
	// AdjustsNumber and AdjustsDate name the document that a credit or debit note adjusts.
	AdjustsNumber *string
	AdjustsDate   date.Date
	VATScheme     *vat.Scheme
	// VATCode is the classifier code; nil where i.SAF leaves it out.
	VATCode *string
	// Rate is that of the code; for a code without a rate it is the rate charged, that of another state.
	Rate         money.Decimal
	Currency     money.Currency
	NetMinor     int64
	VATMinor     int64
	BaseNetMinor int64
	BaseVATMinor int64
	CreatedAt    clock.Time
}

// TableName names the table for the mapper.
func (Row) TableName() string { return "vat_register" }

// SupplyDay is the day of the supply: the one named, else that of the document.
func (r Row) SupplyDay() date.Date {
	if r.SupplyDate.IsZero() {
		return r.DocumentDate
	}
	return r.SupplyDate
}
