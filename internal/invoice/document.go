package invoice

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// Type is the kind of a sales document.
type Type string

// The types.
const (
	TypeInvoice    Type = "invoice"
	TypeCreditNote Type = "credit_note"
	TypeProforma   Type = "proforma"
	TypeAdvance    Type = "advance"
)

// Enum lists the allowed values.
func (Type) Enum() []any { return []any{TypeInvoice, TypeCreditNote, TypeProforma, TypeAdvance} }

// series are the kinds of number series.
var series = map[Type]numbering.DocumentType{
	TypeInvoice: numbering.SaleInvoice, TypeCreditNote: numbering.CreditNote, TypeProforma: numbering.Proforma,
	TypeAdvance: numbering.Advance,
}

// called is what a document is called in the journal and in messages.
var called = map[Type]string{
	TypeInvoice: "Invoice", TypeCreditNote: "Credit note", TypeProforma: "Proforma", TypeAdvance: "Advance invoice",
}

// Status tells a draft from an issued document.
type Status string

// The states.
const (
	StatusDraft  Status = "draft"
	StatusIssued Status = "issued"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusDraft, StatusIssued} }

// PaymentStatus says how much of a document is settled, by payments, credits or advances.
type PaymentStatus string

// The states.
const (
	PaymentUnpaid  PaymentStatus = "unpaid"
	PaymentPartial PaymentStatus = "partial"
	PaymentPaid    PaymentStatus = "paid"
)

// Enum lists the allowed values.
func (PaymentStatus) Enum() []any { return []any{PaymentUnpaid, PaymentPartial, PaymentPaid} }

// documentType names sales documents in the journal, in open items and in the VAT register.
const documentType = "sale_invoice"

// Heading is what a draft and an issued document share. The zero Date in a draft is a date that issuing decides.
type Heading struct {
	PartnerID tenant.ID
	Type      Type
	Currency  money.Currency
	IssueDate date.Date
	DueDate   date.Date
	// SupplyDate is the day of the supply when it is not that of the issue; VAT codes and exchange rates go by it.
	SupplyDate        date.Date
	CreditedInvoiceID *tenant.ID
	VATScheme         vat.Scheme
	VATCountryCode    *string
	DeemedSupplier    bool
	// SpecialTaxation marks cash accounting, Art 14(9) of the VAT law; a note has the mark of what it adjusts.
	SpecialTaxation bool
	Notes           *string
	NetMinor        int64
	VATMinor        int64
	GrossMinor      int64
	CreatedAt       clock.Time
}

func (h Heading) amount(minor int64) money.Amount { return money.New(minor, h.Currency) }

// isNote reports a document that adjusts another.
func (h Heading) isNote() bool { return h.CreditedInvoiceID != nil }

// LineContent is a line of a draft or of an issued document. Amounts are minor units of the document's currency.
type LineContent struct {
	SortOrder        int
	Description      string
	Unit             string
	Quantity         money.Decimal
	UnitPrice        money.Decimal
	PriceIncludesVAT bool
	VATRate          money.Decimal
	VATCode          *string
	NetMinor         int64
	VATMinor         int64
	GrossMinor       int64
}

func (l LineContent) code() string {
	if l.VATCode == nil {
		return ""
	}
	return *l.VATCode
}

type draftRow struct {
	tenant.Row
	Heading
	UpdatedAt clock.Time
}

func (draftRow) TableName() string { return "sales_drafts" }

type draftLineRow struct {
	tenant.Row
	DraftID tenant.ID
	LineContent
}

func (draftLineRow) TableName() string { return "sales_draft_lines" }

type invoiceRow struct {
	tenant.Row
	Heading
	SeriesID   tenant.ID
	Series     string
	Number     int64
	FullNumber string
	// ExchangeRate is units of the currency for one unit of the base currency; nil for a proforma, which books nothing.
	ExchangeRate         *money.Decimal
	JournalTransactionID *tenant.ID
	// Parties are both sides at the issue, encoded; nil for a document that was issued before they were kept.
	Parties  *string
	IssuedAt clock.Time
}

func (invoiceRow) TableName() string { return "sales_invoices" }

type invoiceLineRow struct {
	tenant.Row
	InvoiceID tenant.ID
	LineContent
}

func (invoiceLineRow) TableName() string { return "sales_invoice_lines" }

type applicationRow struct {
	tenant.Row
	AdvanceID            tenant.ID
	InvoiceID            tenant.ID
	ApplicationDate      date.Date
	JournalTransactionID tenant.ID
	CreatedAt            clock.Time
}

func (applicationRow) TableName() string { return "sales_advance_applications" }

type cancellationRow struct {
	tenant.Row
	InvoiceID            tenant.ID
	Reason               string
	JournalTransactionID *tenant.ID
	CreatedAt            clock.Time
}

func (cancellationRow) TableName() string { return "sales_cancellations" }
