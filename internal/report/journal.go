package report

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// JournalInput asks for a page of the general journal.
type JournalInput struct {
	Period
	Page     int `json:"page,omitzero" minimum:"1" description:"Page number, from 1."`
	PageSize int `json:"pageSize,omitzero" minimum:"1" maximum:"200" description:"Transactions on a page; 50 unless given."`
}

// Journal is a page of the general journal.
type Journal struct {
	Total    int                  `json:"total" description:"Transactions between the days."`
	Page     int                  `json:"page" description:"Page number."`
	PageSize int                  `json:"pageSize" description:"Transactions on a page."`
	Rows     []JournalTransaction `json:"rows" description:"Transactions by date, and on one date in the order they were begun."`
}

// JournalTransaction is a posted transaction.
type JournalTransaction struct {
	ID           tenant.ID      `json:"id" description:"Id of the transaction."`
	Date         date.Date      `json:"date" description:"Date of the transaction."`
	Description  *string        `json:"description,omitzero" description:"What it is about."`
	DocumentType *string        `json:"documentType,omitzero" description:"Sort of the document behind it."`
	DocumentID   *tenant.ID     `json:"documentId,omitzero" description:"Id of the document behind it."`
	Entries      []JournalEntry `json:"entries" description:"Lines in the order they were posted."`
}

// JournalEntry is a line of a transaction.
type JournalEntry struct {
	AccountCode string       `json:"accountCode" description:"Code of the account."`
	AccountName string       `json:"accountName" description:"Name of the account."`
	Debit       money.Amount `json:"debit" description:"Debit in the base currency."`
	Credit      money.Amount `json:"credit" description:"Credit in the base currency."`
}

type transactionRow struct {
	ID              tenant.ID
	TransactionDate date.Date
	Description     *string
	DocumentType    *string
	DocumentID      *tenant.ID
}

type entryRow struct {
	TransactionID   tenant.ID
	Code            string
	Name            string
	BaseDebitMinor  int64
	BaseCreditMinor int64
}

// GeneralJournal reads a page of the journal. Error: validation.
func GeneralJournal(ctx context.Context, r tenant.ReadTx, in JournalInput) (Journal, error) {
	if err := in.check(); err != nil {
		return Journal{}, err
	}
	page := Journal{Page: max(in.Page, 1), PageSize: in.PageSize}
	if page.PageSize == 0 {
		page.PageSize = tenant.DefaultPageSize
	}
	if page.PageSize > tenant.MaxPageSize {
		return Journal{}, apperr.Invalid("pageSize", "must be 1 to %d", tenant.MaxPageSize)
	}
	const deepest = 1_000_000 // past it the database reads and throws away too much
	if page.Page > deepest/page.PageSize {
		return Journal{}, apperr.Invalid("page", "lies past row %d; narrow the days instead", deepest)
	}
	days, err := journalDays(ctx, r, in.Period)
	if err != nil {
		return Journal{}, err
	}
	page.Total = int(totalRows(days))
	rows, err := tenant.Query[transactionRow](ctx, r, `SELECT id, transaction_date, description, document_type, document_id
		FROM journal_transactions WHERE company_id = @company AND transaction_date BETWEEN ? AND ?
		ORDER BY transaction_date, id LIMIT ? OFFSET ?`, in.FromDate, in.ToDate, page.PageSize, (page.Page-1)*page.PageSize)
	if err != nil {
		return Journal{}, fmt.Errorf("reading the journal: %w", err)
	}
	page.Rows, err = withEntries(ctx, r, rows)
	return page, err
}

// journalDays counts the transactions of each day, from the index alone.
func journalDays(ctx context.Context, r tenant.ReadTx, p Period) ([]dayCount, error) {
	days, err := tenant.Query[dayCount](ctx, r, `SELECT transaction_date AS day, COUNT(*) AS row_count FROM journal_transactions
		WHERE company_id = @company AND transaction_date BETWEEN ? AND ? GROUP BY transaction_date ORDER BY transaction_date`,
		p.FromDate, p.ToDate)
	if err != nil {
		return nil, fmt.Errorf("counting the journal: %w", err)
	}
	return days, nil
}

// EachTransaction gives every transaction between two days in the order of the journal, and tells beforehand how many there are.
// Error: validation, and what the functions return.
func EachTransaction(
	ctx context.Context, r tenant.ReadTx, p Period, expect func(rows int64) error, each func(JournalTransaction) error,
) error {
	if err := p.check(); err != nil {
		return err
	}
	days, err := journalDays(ctx, r, p)
	if err != nil {
		return err
	}
	if err := expect(totalRows(days)); err != nil {
		return err
	}
	for _, part := range batches(days) {
		rows, err := tenant.Query[transactionRow](ctx, r, `SELECT id, transaction_date, description, document_type, document_id
			FROM journal_transactions WHERE company_id = @company AND transaction_date BETWEEN ? AND ?
			ORDER BY transaction_date, id`, part.FromDate, part.ToDate)
		if err != nil {
			return fmt.Errorf("reading the journal: %w", err)
		}
		for len(rows) > 0 {
			next := rows[:min(len(rows), tenant.MaxPageSize)]
			rows = rows[len(next):]
			transactions, err := withEntries(ctx, r, next)
			if err != nil {
				return err
			}
			for _, t := range transactions {
				if err := each(t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func withEntries(ctx context.Context, r tenant.ReadTx, rows []transactionRow) ([]JournalTransaction, error) {
	transactions := make([]JournalTransaction, len(rows))
	ids := make([]tenant.ID, len(rows))
	position := make(map[tenant.ID]*JournalTransaction, len(rows))
	for i, row := range rows {
		transactions[i] = JournalTransaction{
			ID: row.ID, Date: row.TransactionDate, Description: row.Description, DocumentType: row.DocumentType, DocumentID: row.DocumentID,
		}
		ids[i], position[row.ID] = row.ID, &transactions[i]
	}
	if len(rows) == 0 {
		return transactions, nil
	}
	entries, err := tenant.Query[entryRow](ctx, r, `SELECT e.transaction_id, a.code, a.name, e.base_debit_minor, e.base_credit_minor
		FROM journal_entries e JOIN ledger_accounts a ON a.company_id = e.company_id AND a.id = e.account_id
		WHERE e.company_id = @company AND e.transaction_id IN ? ORDER BY e.transaction_id, e.line_no`, ids)
	if err != nil {
		return nil, fmt.Errorf("reading entries: %w", err)
	}
	base := r.Company().BaseCurrency
	for _, e := range entries {
		t := position[e.TransactionID]
		t.Entries = append(t.Entries, JournalEntry{e.Code, e.Name, money.New(e.BaseDebitMinor, base), money.New(e.BaseCreditMinor, base)})
	}
	return transactions, nil
}
