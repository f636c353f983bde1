package purchase

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Header is what a draft and a registered document have in common. Amounts are minor units of Currency.
type Header struct {
	PartnerID      tenant.ID
	Type           Type
	DocumentNumber string
	DocumentDate   date.Date
	// DueDate is the zero Date for a draft that leaves it to the supplier's terms.
	DueDate date.Date
	// SupplyDate is the zero Date when it is the document's own.
	SupplyDate date.Date
	SupplyType SupplyType
	// SpecialTaxation marks an invoice under cash accounting, Art 14(9) of the VAT law.
	SpecialTaxation bool
	Currency        money.Currency
	// CreditedInvoiceID is the invoice that a credit or debit note corrects, or nil.
	CreditedInvoiceID *tenant.ID
	Notes             *string
	NetMinor          int64
	VATMinor          int64
	GrossMinor        int64
}

// Line is a line as stored. Amounts are minor units of the document's currency.
type Line struct {
	SortOrder        int
	Description      string
	Unit             string
	Quantity         money.Decimal
	UnitPrice        money.Decimal
	PriceIncludesVAT bool
	// VATRate is the rate on the supplier's document in per cent.
	VATRate money.Decimal
	// VATCode is nil where i.SAF leaves the code out.
	VATCode *string
	// AccountCode is nil in a draft that leaves it to the posting rule.
	AccountCode *string
	// NetMinor is nothing on a line of import VAT: its value is not owed to customs.
	NetMinor   int64
	VATMinor   int64
	GrossMinor int64
	// VATStated says that VATMinor is what the document states, and not what the rate comes to.
	VATStated bool
}

type draftRow struct {
	tenant.Row
	Header
	CreatedAt clock.Time
	UpdatedAt clock.Time
}

func (draftRow) TableName() string { return "purchase_drafts" }

type draftLineRow struct {
	tenant.Row
	DraftID tenant.ID
	Line
	VATCodeNamed bool
}

func (draftLineRow) TableName() string { return "purchase_draft_lines" }

type invoiceRow struct {
	tenant.Row
	Header
	RegistrationDate     date.Date
	ExchangeRate         money.Decimal
	JournalTransactionID tenant.ID
	CreatedAt            clock.Time
	RegisteredAt         clock.Time
}

func (invoiceRow) TableName() string { return "purchase_invoices" }

type invoiceLineRow struct {
	tenant.Row
	InvoiceID tenant.ID
	Line
}

func (invoiceLineRow) TableName() string { return "purchase_invoice_lines" }

// numberRow is a document's hold on the number its supplier gave; its id is the document's.
type numberRow struct {
	tenant.Row
	PartnerID        tenant.ID
	NormalizedNumber string
	SimilarKey       string
	Sequence         int
	DuplicateOfID    *tenant.ID
	DuplicateReason  *string
	CreatedAt        clock.Time
}

func (numberRow) TableName() string { return "purchase_numbers" }

// numberIndex lets one document hold a number; the loser of a race runs into it.
const numberIndex = "purchase_numbers_number"
