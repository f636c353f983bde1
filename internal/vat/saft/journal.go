package saft

import (
	"context"
	"fmt"
	"iter"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// transaction is a transaction of the journal with the partner of its document.
type transaction struct {
	transactionRow
	entries []entry
}

type transactionRow struct {
	ID              tenant.ID
	TransactionDate date.Date
	Description     *string
	DocumentID      *tenant.ID
	PostedAt        clock.Time
	CustomerID      *tenant.ID
	SupplierID      *tenant.ID
}

// entry is a line of a transaction, with one side in both currencies.
type entry struct {
	TransactionID                   tenant.ID
	LineNo                          int
	AccountCode                     string
	Currency, Base                  money.Currency
	DebitMinor, CreditMinor         int64
	BaseDebitMinor, BaseCreditMinor int64
	Description                     *string
}

func (e entry) isCredit() bool { return e.CreditMinor > 0 }

func (e entry) base() money.Amount { return money.New(e.BaseDebitMinor+e.BaseCreditMinor, e.Base) }

func (e entry) own() money.Amount { return money.New(e.DebitMinor+e.CreditMinor, e.Currency) }

func (t transaction) sides() (debit, credit money.Amount) {
	base := t.entries[0].Base
	debit, credit = money.Zero(base), money.Zero(base)
	for _, e := range t.entries {
		if e.isCredit() {
			credit = credit.Add(e.base())
		} else {
			debit = debit.Add(e.base())
		}
	}
	return debit, credit
}

// transactionsOf reads the journal by day and id. The partner is that of the document, or of what a payment settled.
func transactionsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[transaction, error] {
	return paged(func(after *transaction) ([]transaction, error) {
		day, id := o.From, tenant.ID{}
		if after != nil {
			day, id = after.TransactionDate, after.ID
		}
		rows, err := tenant.Query[transactionRow](ctx, r, `SELECT t.id, t.transaction_date, t.description, t.document_id, t.posted_at,
				COALESCE(s.partner_id, o.partner_id, CASE WHEN i.document_type <> 'purchase_invoice' THEN i.partner_id END) AS customer_id,
				COALESCE(p.partner_id, CASE WHEN i.document_type = 'purchase_invoice' THEN i.partner_id END) AS supplier_id
			FROM journal_transactions t
			LEFT JOIN sales_invoices s ON s.company_id = t.company_id AND s.id = t.document_id
			LEFT JOIN purchase_invoices p ON p.company_id = t.company_id AND p.id = t.document_id
			LEFT JOIN orders o ON o.company_id = t.company_id AND o.id = t.document_id
			LEFT JOIN bank_matches m ON m.company_id = t.company_id AND m.transaction_id = t.document_id
			LEFT JOIN open_items i ON i.company_id = m.company_id AND i.document_id = m.document_id
			WHERE t.company_id = @company AND t.transaction_date BETWEEN ? AND ? AND (t.transaction_date > ? OR t.id > ?)
			ORDER BY t.transaction_date, t.id LIMIT ?`, day, o.To, day, id, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading the journal: %w", err)
		}
		return withEntries(ctx, r, rows)
	})
}

func withEntries(ctx context.Context, r tenant.ReadTx, rows []transactionRow) ([]transaction, error) {
	list := make([]transaction, len(rows))
	ids := make([]tenant.ID, len(rows))
	position := map[tenant.ID]int{}
	for i, row := range rows {
		list[i].transactionRow, ids[i], position[row.ID] = row, row.ID, i
	}
	if len(ids) == 0 {
		return list, nil
	}
	entries, err := tenant.Query[entry](ctx, r, `SELECT e.transaction_id, e.line_no, a.code AS account_code, e.currency, e.debit_minor,
			e.credit_minor, e.base_debit_minor, e.base_credit_minor, e.description
		FROM journal_entries e JOIN ledger_accounts a ON a.company_id = e.company_id AND a.id = e.account_id
		WHERE e.company_id = @company AND e.transaction_id IN ? ORDER BY e.transaction_id, e.line_no`, ids)
	if err != nil {
		return nil, fmt.Errorf("reading entries: %w", err)
	}
	for _, e := range entries {
		e.Base = r.Company().BaseCurrency
		i := position[e.TransactionID]
		list[i].entries = append(list[i].entries, e)
	}
	return list, nil
}

func (f *file) transaction(t transaction) {
	f.in("Transaction", func() {
		f.text("TransactionID", lengthName, t.ID.String())
		f.text("Period", lengthCode, itoa(int(t.TransactionDate.Month())))
		f.text("PeriodYear", lengthCode, itoa(t.TransactionDate.Year()))
		f.day("TransactionDate", t.TransactionDate)
		f.text("Description", lengthLong, deref(t.Description))
		f.moment("SystemEntryDate", t.PostedAt.In(f.content.zone))
		f.day("GLPostingDate", t.TransactionDate)
		f.partner(t.CustomerID, t.SupplierID)
		f.in("Lines", func() {
			for _, e := range t.entries {
				f.entry(t, e)
			}
		})
	})
}

// partner names the one side of the choice that the schema demands; a transaction without a partner has an empty one.
func (f *file) partner(customer, supplier *tenant.ID) {
	if customer == nil && supplier != nil {
		f.text("SupplierID", lengthMiddle, short(*supplier))
		return
	}
	f.text("CustomerID", lengthMiddle, shortOrEmpty(customer))
}

func (f *file) entry(t transaction, e entry) {
	f.in("Line", func() {
		f.text("RecordID", lengthShort, itoa(e.LineNo))
		f.text("AccountID", lengthName, e.AccountCode)
		f.optional("SourceDocumentID", lengthMiddle, shortOrEmpty(t.DocumentID))
		f.partner(t.CustomerID, t.SupplierID)
		f.text("Description", lengthLong, deref(e.Description, t.Description))
		side := "DebitAmount"
		if e.isCredit() {
			side = "CreditAmount"
		}
		f.amounts(side, e.base(), e.own())
	})
}
