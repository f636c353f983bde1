package bank

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// documentTransaction names a bank transaction in the journal, and as the document of an open item for what was overpaid.
const documentTransaction = "bank_transaction"

// Transaction is a movement on a bank account as the bank told it. It never changes.
type Transaction struct {
	tenant.Row
	BankAccountID   tenant.ID
	TransactionDate date.Date
	Currency        money.Currency
	// AmountMinor is positive for money that came in; never zero.
	AmountMinor      int64
	CounterpartyName *string
	CounterpartyIBAN *string
	Description      *string
	ExternalID       *string
	// ExternalIDHash is the SHA-256 of ExternalID, for its unique index; nil without one.
	ExternalIDHash []byte
	CreatedAt      clock.Time
}

// TableName names the table for the mapper.
func (Transaction) TableName() string { return "bank_transactions" }

// Amount is the movement with its currency.
func (t Transaction) Amount() money.Amount { return money.New(t.AmountMinor, t.Currency) }

// Status says what has become of a transaction.
type Status string

// The states.
const (
	StatusNew     Status = "new"
	StatusMatched Status = "matched"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusNew, StatusMatched} }

// State is a transaction with what it was matched with.
type State struct {
	Transaction
	Status               Status
	MatchedDocumentType  *string
	MatchedDocumentID    *tenant.ID
	JournalTransactionID *tenant.ID
}

const (
	statusOf     = "(CASE WHEN m.id IS NULL THEN 'new' ELSE 'matched' END)"
	stateColumns = `t.*, m.document_type AS matched_document_type, m.document_id AS matched_document_id, m.journal_transaction_id,
		` + statusOf + ` AS status`
	matchJoin = "LEFT JOIN bank_matches m ON m.company_id = t.company_id AND m.transaction_id = t.id"
)

// Get reads a transaction with its state. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*State, error) {
	s, err := tenant.QueryOne[State](ctx, r, "SELECT "+stateColumns+" FROM bank_transactions t "+matchJoin+" WHERE t.company_id = @company AND t.id = ?", id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	if s == nil {
		return nil, tenant.NotFound("bank transaction", id)
	}
	return s, nil
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "bank_transactions t", As: "t",
		Joins:   []tenant.Join{{As: "m", On: matchJoin}},
		Columns: stateColumns,
		Fields: map[string]tenant.Field{
			"id":                   tenant.IDField("t.id"),
			"bankAccountId":        tenant.IDField("t.bank_account_id"),
			"date":                 tenant.DateField("t.transaction_date"),
			"amount":               tenant.MoneyField("t.amount_minor"),
			"currency":             tenant.TextField("t.currency"),
			"counterpartyName":     tenant.TextField("t.counterparty_name"),
			"counterpartyIban":     tenant.TextField("t.counterparty_iban"),
			"description":          tenant.TextField("t.description"),
			"externalId":           tenant.TextField("t.external_id"),
			"status":               tenant.TextField(statusOf),
			"matchedDocumentType":  tenant.TextField("m.document_type"),
			"matchedDocumentId":    tenant.IDField("m.document_id"),
			"journalTransactionId": tenant.IDField("m.journal_transaction_id"),
			"createdAt":            tenant.TimeField("t.created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "date", Dir: "desc"}},
}

// List reads a page of transactions, the latest first unless asked otherwise. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[State], error) {
	return tenant.ListRows[State](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}

// Card is a transaction as clients see it and as the audit log keeps it.
type Card struct {
	ID                   tenant.ID      `json:"id" description:"Id of the transaction."`
	BankAccountID        tenant.ID      `json:"bankAccountId" description:"Bank account that it is of."`
	Date                 date.Date      `json:"date" description:"Day the bank booked it."`
	Amount               money.Amount   `json:"amount" description:"Positive for money that came in."`
	Currency             money.Currency `json:"currency" description:"Currency of the amount."`
	CounterpartyName     *string        `json:"counterpartyName,omitzero" description:"Who paid or was paid."`
	CounterpartyIBAN     *string        `json:"counterpartyIban,omitzero" description:"Account of the other side."`
	Description          *string        `json:"description,omitzero" description:"What the payment is for."`
	ExternalID           *string        `json:"externalId,omitzero" description:"Identity that the bank or the client gave it."`
	Status               Status         `json:"status" description:"Whether it has settled a document."`
	MatchedDocumentType  *string        `json:"matchedDocumentType,omitzero" description:"Sort of the document it has settled."`
	MatchedDocumentID    *tenant.ID     `json:"matchedDocumentId,omitzero" description:"Id of the document it has settled."`
	JournalTransactionID *tenant.ID     `json:"journalTransactionId,omitzero" description:"Journal transaction that booked it."`
	CreatedAt            clock.Time     `json:"createdAt" description:"When it was imported."`
}

// Card shows the transaction to its company.
func (s State) Card() Card {
	return Card{
		ID: s.ID, BankAccountID: s.BankAccountID, Date: s.TransactionDate, Amount: s.Amount(), Currency: s.Currency,
		CounterpartyName: s.CounterpartyName, CounterpartyIBAN: s.CounterpartyIBAN, Description: s.Description, ExternalID: s.ExternalID,
		Status: s.Status, MatchedDocumentType: s.MatchedDocumentType, MatchedDocumentID: s.MatchedDocumentID,
		JournalTransactionID: s.JournalTransactionID, CreatedAt: s.CreatedAt,
	}
}
