package ledger

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Transaction is a posted journal transaction.
type Transaction struct {
	tenant.Row
	TransactionDate date.Date
	Description     *string
	DocumentType    *string
	DocumentID      *tenant.ID
	// ReversesID is the transaction that this one takes back, or nil.
	ReversesID *tenant.ID
	PostedAt   clock.Time
}

// TableName names the table for the mapper.
func (Transaction) TableName() string { return "journal_transactions" }

// Entry is one line of a posted transaction. Amounts are minor units: of Currency, and in the base currency.
type Entry struct {
	tenant.Row
	TransactionID   tenant.ID
	LineNo          int
	TransactionDate date.Date
	AccountID       tenant.ID
	Currency        money.Currency
	DebitMinor      int64
	CreditMinor     int64
	BaseDebitMinor  int64
	BaseCreditMinor int64
	Description     *string
}

// TableName names the table for the mapper.
func (Entry) TableName() string { return "journal_entries" }
