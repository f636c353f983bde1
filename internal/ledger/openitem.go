package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ItemKind says who owes.
type ItemKind string

// The kinds.
const (
	ItemReceivable ItemKind = "receivable" // a partner owes the company
	ItemPayable    ItemKind = "payable"    // the company owes a partner
)

// Enum lists the allowed values.
func (ItemKind) Enum() []any { return []any{ItemReceivable, ItemPayable} }

// OpenItem is what is owed on one document. Amounts are minor units: of Currency, and in the base currency.
type OpenItem struct {
	tenant.Row
	Kind            ItemKind
	DocumentType    string
	DocumentID      tenant.ID
	DocumentNumber  string
	PartnerID       tenant.ID
	AccountID       tenant.ID
	DocumentDate    date.Date
	DueDate         date.Date
	Currency        money.Currency
	AmountMinor     int64
	BaseAmountMinor int64
	OpenMinor       int64
	CreatedAt       clock.Time
	// AccountCode is the code of AccountID, for posting the settlement.
	AccountCode string `gorm:"->"`
}

// TableName names the table for the mapper.
func (OpenItem) TableName() string { return "open_items" }

// Amount is what the document asked for.
func (i OpenItem) Amount() money.Amount { return money.New(i.AmountMinor, i.Currency) }

// Open is what is still owed.
func (i OpenItem) Open() money.Amount { return money.New(i.OpenMinor, i.Currency) }

// Settled reports whether nothing is owed any more.
func (i OpenItem) Settled() bool { return i.OpenMinor == 0 }

// OpenItemInput is what a document hands over when it becomes owed.
type OpenItemInput struct {
	Kind           ItemKind
	DocumentType   string
	DocumentID     tenant.ID
	DocumentNumber string
	PartnerID      tenant.ID
	AccountCode    string
	DocumentDate   date.Date
	DueDate        date.Date
	// Amount is positive, in the currency of the document; BaseAmount is the same in the base currency.
	Amount     money.Amount
	BaseAmount money.Amount
}

// OpenDocument stores what is owed on a document.
func OpenDocument(ctx context.Context, tx tenant.Tx, in OpenItemInput) (*OpenItem, error) {
	panic("ledger: OpenDocument")
}

// LockItems reads the open items of documents and holds them to the end of the transaction.
func LockItems(ctx context.Context, tx tenant.Tx, documentIDs ...tenant.ID) (map[tenant.ID]*OpenItem, error) {
	panic("ledger: LockItems")
}

// ItemsOf reads the open items of documents.
func ItemsOf(ctx context.Context, r tenant.Reader, documentIDs ...tenant.ID) (map[tenant.ID]OpenItem, error) {
	panic("ledger: ItemsOf")
}
