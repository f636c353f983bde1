package ledger

import (
	"context"

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

// PostedEntry is an entry with the account's present code and name.
type PostedEntry struct {
	Entry
	AccountCode string
	AccountName string
}

// PostedTransaction is a transaction with its entries in the order they were posted.
type PostedTransaction struct {
	Transaction
	Entries []PostedEntry
	// ReversedByID is the transaction that takes this one back, or nil.
	ReversedByID *tenant.ID
}

// GetTransaction reads a transaction with its entries. Error: not_found.
func GetTransaction(ctx context.Context, r tenant.Reader, id tenant.ID) (*PostedTransaction, error) {
	t, err := tenant.Get[Transaction](ctx, r, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	entries, err := tenant.Query[PostedEntry](ctx, r, `SELECT e.*, a.code AS account_code, a.name AS account_name
		FROM journal_entries e JOIN ledger_accounts a ON a.company_id = e.company_id AND a.id = e.account_id
		WHERE e.company_id = @company AND e.transaction_id = ? ORDER BY e.line_no`, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	posted := &PostedTransaction{Transaction: *t, Entries: entries}
	reversal, err := reversalOf(ctx, r, id)
	if err != nil {
		return nil, err
	}
	if reversal != nil {
		posted.ReversedByID = &reversal.ID
	}
	return posted, nil
}

var transactionListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "journal_transactions",
		Fields: map[string]tenant.Field{
			"id":           tenant.IDField("id"),
			"date":         tenant.DateField("transaction_date"),
			"description":  tenant.TextField("description"),
			"documentType": tenant.TextField("document_type"),
			"documentId":   tenant.IDField("document_id"),
			"reversesId":   tenant.IDField("reverses_id"),
			"createdAt":    tenant.TimeField("posted_at"),
			"postedAt":     tenant.TimeField("posted_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "date", Dir: "desc"}},
}

// ListTransactions reads a page of the journal, the latest date first unless asked otherwise.
func ListTransactions(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Transaction], error) {
	return tenant.ListRows[Transaction](ctx, r, q, transactionListing) //nolint:wrapcheck // names the field at fault
}

// transactionView is a transaction in the audit log.
type transactionView struct {
	ID          tenant.ID   `json:"id"`
	Date        date.Date   `json:"date"`
	Description *string     `json:"description,omitzero"`
	ReversesID  *tenant.ID  `json:"reversesId,omitzero"`
	Entries     []entryView `json:"entries,omitzero"`
}

type entryView struct {
	AccountCode string       `json:"accountCode"`
	Debit       money.Amount `json:"debit"`
	Credit      money.Amount `json:"credit"`
}

func postedView(t *Transaction, lines []checkedLine) transactionView {
	v := transactionView{ID: t.ID, Date: t.TransactionDate, Description: t.Description, ReversesID: t.ReversesID}
	for _, l := range lines {
		base := l.BaseDebit.Currency()
		if base.IsZero() {
			base = l.BaseCredit.Currency()
		}
		v.Entries = append(v.Entries, entryView{l.AccountCode, money.New(l.BaseDebit.Minor(), base), money.New(l.BaseCredit.Minor(), base)})
	}
	return v
}
