package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// journalStatus is the state of a transaction; this server keeps no drafts.
type journalStatus string

const journalPosted journalStatus = "posted"

// Enum lists the allowed values.
func (journalStatus) Enum() []any { return []any{journalStatus("draft"), journalPosted} }

type journalTransaction struct {
	ID           tenant.ID     `json:"id" description:"Id of the transaction."`
	Date         date.Date     `json:"date" description:"Date of the transaction."`
	Description  *string       `json:"description,omitzero" description:"What the transaction is about."`
	DocumentType *string       `json:"documentType,omitzero" description:"Sort of the document behind it."`
	DocumentID   *tenant.ID    `json:"documentId,omitzero" description:"Id of the document behind it."`
	Status       journalStatus `json:"status" description:"Always posted."`
	CreatedAt    clock.Time    `json:"createdAt" description:"When it was posted."`
	PostedAt     clock.Time    `json:"postedAt,omitzero" description:"When it was posted."`
	ReversesID   *tenant.ID    `json:"reversesId,omitzero" description:"The transaction that this one takes back."`
}

func toJournalTransaction(t ledger.Transaction) journalTransaction {
	return journalTransaction{
		ID: t.ID, Date: t.TransactionDate, Description: t.Description, DocumentType: t.DocumentType, DocumentID: t.DocumentID,
		Status: journalPosted, CreatedAt: t.PostedAt, PostedAt: t.PostedAt, ReversesID: t.ReversesID,
	}
}

func listJournal(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[journalTransaction], error) {
	page, err := ledger.ListTransactions(ctx, r, q)
	return tenant.MapPage(page, toJournalTransaction), err
}

type journalEntry struct {
	ID          tenant.ID `json:"id" description:"Id of the line."`
	AccountID   tenant.ID `json:"accountId" description:"Id of the account."`
	AccountCode string    `json:"accountCode" description:"Code of the account."`
	AccountName string    `json:"accountName" description:"Name of the account."`
	// CostCenterID is a member of the contract; the server keeps no cost centres.
	CostCenterID *tenant.ID   `json:"costCenterId,omitzero" description:"Never given: the server keeps no cost centres."`
	Debit        money.Amount `json:"debit" description:"Debit in the base currency."`
	Credit       money.Amount `json:"credit" description:"Credit in the base currency."`
	Description  *string      `json:"description,omitzero" description:"What the line is about."`
	// The original amount, when the line is in another currency.
	Currency       *money.Currency `json:"currency,omitzero" description:"Currency of the document, when it is not the base currency."`
	CurrencyDebit  *money.Amount   `json:"currencyDebit,omitzero" description:"Debit in the currency of the document."`
	CurrencyCredit *money.Amount   `json:"currencyCredit,omitzero" description:"Credit in the currency of the document."`
}

type journalTransactionDetail struct {
	journalTransaction
	ReversedByID *tenant.ID     `json:"reversedById,omitzero" description:"The transaction that takes this one back."`
	Entries      []journalEntry `json:"entries" description:"The lines in the order they were posted."`
}

func getJournalTransaction(ctx context.Context, r tenant.ReadTx, in idRequest) (journalTransactionDetail, error) {
	t, err := ledger.GetTransaction(ctx, r, in.ID)
	if err != nil {
		return journalTransactionDetail{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := journalTransactionDetail{
		journalTransaction: toJournalTransaction(t.Transaction), ReversedByID: t.ReversedByID, Entries: make([]journalEntry, len(t.Entries)),
	}
	for i, e := range t.Entries {
		out.Entries[i] = toJournalEntry(e, r.Company().BaseCurrency)
	}
	return out, nil
}

func toJournalEntry(e ledger.PostedEntry, base money.Currency) journalEntry {
	out := journalEntry{
		ID: e.ID, AccountID: e.AccountID, AccountCode: e.AccountCode, AccountName: e.AccountName, Description: e.Description,
		Debit: money.New(e.BaseDebitMinor, base), Credit: money.New(e.BaseCreditMinor, base),
	}
	if e.Currency != base {
		debit, credit := money.New(e.DebitMinor, e.Currency), money.New(e.CreditMinor, e.Currency)
		out.Currency, out.CurrencyDebit, out.CurrencyCredit = &e.Currency, &debit, &credit
	}
	return out
}
