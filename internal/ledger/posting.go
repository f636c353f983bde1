package ledger

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of a posting.
const (
	minLines = 2   // double entry
	maxLines = 500 // one statement must hold them all, far below the placeholders an engine allows
	// maxDescription is the width of the columns, in characters; what is longer is cut.
	maxDescription = 500
)

// Line is one side of a posting. Exactly one of Debit and Credit is positive; the zero Amount is an absent side, and a line
// without any amount is left out of the journal.
type Line struct {
	AccountCode string
	// Debit and Credit are in the currency of the document.
	Debit, Credit money.Amount
	// BaseDebit and BaseCredit are the same in the company's base currency. They are needed only when the currencies differ.
	BaseDebit, BaseCredit money.Amount
	Description           string
}

// Posting is what is to be written into the journal. Descriptions are cut at 500 characters.
type Posting struct {
	Date        date.Date
	Description string
	// DocumentType and DocumentID name the document behind the posting; both are empty for a manual entry.
	DocumentType string
	DocumentID   tenant.ID
	Lines        []Line
}

// Post writes a posting into the journal: all of it, or nothing. Every foreign currency balances by itself, and all lines
// together balance in the base currency; so a line in the base currency can carry the exchange difference of the others.
// The month of the date is held open until the transaction ends. A manual entry is audited here, a document audits itself.
//
// Errors: ledger.invalid_posting, ledger.unbalanced, ledger.unknown_account, ledger.account_not_postable (the last two
// with the detail accountCode), ledger.period_locked.
func Post(ctx context.Context, tx tenant.Tx, p Posting) (*Transaction, error) {
	lines, err := p.check(tx.Company().BaseCurrency)
	if err != nil {
		return nil, err
	}
	accounts, err := postableAccounts(ctx, tx, lines)
	if err != nil {
		return nil, err
	}
	if err := holdOpen(ctx, tx, date.MonthOf(p.Date)); err != nil {
		return nil, err
	}
	t := &Transaction{TransactionDate: p.Date, Description: optional(p.Description), PostedAt: tx.Now()}
	if p.DocumentType != "" {
		t.DocumentType, t.DocumentID = &p.DocumentType, &p.DocumentID
	}
	entries := make([]*Entry, len(lines))
	t.ID = tenant.NewID()
	for i, l := range lines {
		entries[i] = l.entry(t, i+1, accounts[l.AccountCode].ID)
	}
	if err := insert(ctx, tx, t, entries); err != nil {
		return nil, fmt.Errorf("posting: %w", err)
	}
	if p.DocumentType != "" {
		return t, nil
	}
	return t, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "journal_transaction.posted", Entity: "journal_transaction", EntityID: t.ID.String(), After: postedView(t, lines),
	})
}

// postableAccounts finds the accounts of all lines in one query.
func postableAccounts(ctx context.Context, tx tenant.Tx, lines []checkedLine) (map[string]Account, error) {
	codes := make([]string, len(lines))
	for i, l := range lines {
		codes[i] = l.AccountCode
	}
	accounts, err := accountsByCode(ctx, tx, codes)
	if err != nil {
		return nil, err
	}
	for _, code := range codes {
		if err := postable(accounts, code); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

func (l checkedLine) entry(t *Transaction, number int, account tenant.ID) *Entry {
	return &Entry{
		TransactionID: t.ID, LineNo: number, TransactionDate: t.TransactionDate, AccountID: account, Currency: l.currency,
		DebitMinor: l.Debit.Minor(), CreditMinor: l.Credit.Minor(),
		BaseDebitMinor: l.BaseDebit.Minor(), BaseCreditMinor: l.BaseCredit.Minor(), Description: optional(l.Description),
	}
}

// optional is nil for no text, and cuts what the column cannot hold.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	if runes := []rune(s); len(runes) > maxDescription {
		s = string(runes[:maxDescription])
	}
	return &s
}

// insert stores a transaction and its entries in two statements.
func insert(ctx context.Context, tx tenant.Tx, t *Transaction, entries []*Entry) error {
	err := tenant.InsertRows(ctx, tx, `INSERT INTO journal_transactions
		(company_id, id, transaction_date, description, document_type, document_id, reverses_id, posted_at) VALUES`,
		"(@company, ?, ?, ?, ?, ?, ?, ?)",
		[][]any{{t.ID, t.TransactionDate, t.Description, t.DocumentType, t.DocumentID, t.ReversesID, t.PostedAt}})
	if err != nil {
		return err //nolint:wrapcheck // callers say what they were doing
	}
	t.CompanyID = tx.Company().ID
	rows := make([][]any, len(entries))
	for i, e := range entries {
		e.CompanyID, e.ID = t.CompanyID, tenant.NewID()
		rows[i] = []any{
			e.ID, e.TransactionID, e.LineNo, e.TransactionDate, e.AccountID, e.Currency,
			e.DebitMinor, e.CreditMinor, e.BaseDebitMinor, e.BaseCreditMinor, e.Description,
		}
	}
	return tenant.InsertRows(ctx, tx, `INSERT INTO journal_entries (company_id, id, transaction_id, line_no, transaction_date, account_id,
		currency, debit_minor, credit_minor, base_debit_minor, base_credit_minor, description) VALUES`,
		"(@company, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows) //nolint:wrapcheck // callers say what they were doing
}
