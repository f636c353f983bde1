package purchase

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// entity names a supplier invoice in the audit log, in postings, in open items and in events.
const entity = "purchase_invoice"

// Type is the sort of a supplier's document. An invoice that names another one is a debit note.
type Type string

// The types.
const (
	TypeInvoice    Type = "invoice"
	TypeCreditNote Type = "credit_note"
)

// Enum lists the allowed values.
func (Type) Enum() []any { return []any{TypeInvoice, TypeCreditNote} }

// SupplyType says what is bought; from abroad it decides who owes the VAT and under which code.
type SupplyType string

// The kinds of supply.
const (
	SupplyGoods    SupplyType = SupplyType(vat.SupplyGoods)
	SupplyServices SupplyType = SupplyType(vat.SupplyServices)
)

// Enum lists the allowed values.
func (SupplyType) Enum() []any { return []any{SupplyGoods, SupplyServices} }

// Status is the life of a document.
type Status string

// The states.
const (
	StatusDraft      Status = "draft"
	StatusRegistered Status = "registered"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusDraft, StatusRegistered} }

// PaymentStatus says how much of a document is settled, by payments or by notes.
type PaymentStatus string

// The states. A draft is unpaid.
const (
	PaymentUnpaid  PaymentStatus = "unpaid"
	PaymentPartial PaymentStatus = "partial"
	PaymentPaid    PaymentStatus = "paid"
)

// Enum lists the allowed values.
func (PaymentStatus) Enum() []any { return []any{PaymentUnpaid, PaymentPartial, PaymentPaid} }

// Invoice is a supplier's document, a draft or registered.
type Invoice struct {
	ID tenant.ID
	Header
	Status Status
	// RegistrationDate, JournalTransactionID and ExchangeRate (units of the currency for one of the base currency) are those
	// of a registered document.
	RegistrationDate     date.Date
	JournalTransactionID *tenant.ID
	ExchangeRate         money.Decimal
	// SettledMinor is what was settled of a registered document.
	SettledMinor int64
	CreatedAt    clock.Time
	UpdatedAt    clock.Time
	Lines        []InvoiceLine `gorm:"-"`
	// DuplicateOfID and DuplicateReason say which document had the number first and why an admin booked this one too.
	DuplicateOfID   *tenant.ID
	DuplicateReason *string
	// DuplicateIDs are the documents booked as duplicates of this one.
	DuplicateIDs []tenant.ID `gorm:"-"`
	// Warnings say what should be looked at.
	Warnings []string `gorm:"-"`
}

// InvoiceLine is a line with its id.
type InvoiceLine struct {
	ID tenant.ID
	Line
}

// Net is the total without VAT.
func (i *Invoice) Net() money.Amount { return money.New(i.NetMinor, i.Currency) }

// VAT is the VAT on the supplier's document, without what the buyer computes.
func (i *Invoice) VAT() money.Amount { return money.New(i.VATMinor, i.Currency) }

// Gross is what is owed, or with a credit note given back.
func (i *Invoice) Gross() money.Amount { return money.New(i.GrossMinor, i.Currency) }

// Settled is what was paid or set off.
func (i *Invoice) Settled() money.Amount { return money.New(i.SettledMinor, i.Currency) }

// PaymentStatus follows from what is settled.
func (i *Invoice) PaymentStatus() PaymentStatus { return paymentStatus(i.SettledMinor, i.GrossMinor) }

func paymentStatus(settled, gross int64) PaymentStatus {
	switch {
	case settled <= 0:
		return PaymentUnpaid
	case settled < gross:
		return PaymentPartial
	default:
		return PaymentPaid
	}
}

// know takes over what is known of the document's number.
func (i *Invoice) know(n *numberRow, found neighbours) {
	i.DuplicateOfID, i.DuplicateReason = n.DuplicateOfID, n.DuplicateReason
	i.DuplicateIDs = found.duplicatesOf(i.ID)
	i.Warnings = found.warnings()
}

// draft shows a document that is not registered.
func (d *document) draft() *Invoice {
	i := &Invoice{
		ID: d.ID, Header: d.Header, Status: StatusDraft, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		Lines: make([]InvoiceLine, len(d.lines)),
	}
	for n, l := range d.lines {
		i.Lines[n] = InvoiceLine{l.ID, l.Line}
	}
	return i
}
