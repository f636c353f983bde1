package report

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// AccountInput asks for the entries of an account.
type AccountInput struct {
	AccountCode string `json:"accountCode" maxLength:"20" description:"Code of the account."`
	Period
}

// AccountName says which account a report is about.
type AccountName struct {
	Code string             `json:"code" description:"Code of the account."`
	Name string             `json:"name" description:"Name of the account."`
	Type ledger.AccountType `json:"type" description:"Sort of the account."`
}

// AccountDetail is an account with its entries.
type AccountDetail struct {
	Account AccountName   `json:"account" description:"The account."`
	Opening money.Amount  `json:"opening" description:"Debit less credit before the first day."`
	Closing money.Amount  `json:"closing" description:"Debit less credit at the end of the last day."`
	Rows    []AccountLine `json:"rows" description:"Entries by date."`
}

// AccountLine is an entry of an account.
type AccountLine struct {
	Date                 date.Date    `json:"date" description:"Date of the transaction."`
	Description          *string      `json:"description,omitzero" description:"Text of the line, or of the transaction."`
	DocumentType         *string      `json:"documentType,omitzero" description:"Sort of the document behind it."`
	DocumentID           *tenant.ID   `json:"documentId,omitzero" description:"Id of the document behind it."`
	JournalTransactionID tenant.ID    `json:"journalTransactionId" description:"Id of the transaction."`
	Debit                money.Amount `json:"debit" description:"Debit in the base currency."`
	Credit               money.Amount `json:"credit" description:"Credit in the base currency."`
	Balance              money.Amount `json:"balance" description:"Debit less credit after this entry."`
}

type accountRow struct {
	TransactionDate date.Date
	Description     *string
	DocumentType    *string
	DocumentID      *tenant.ID
	TransactionID   tenant.ID
	BaseDebitMinor  int64
	BaseCreditMinor int64
}

// AccountEntries shows an account with every entry between two days. Errors: validation, ledger.unknown_account,
// report.too_large.
func AccountEntries(ctx context.Context, r tenant.ReadTx, in AccountInput) (AccountDetail, error) {
	d := AccountDetail{Rows: []AccountLine{}}
	head, err := EachAccountLine(ctx, r, in, FitsAnswer, func(line AccountLine) error {
		d.Rows = append(d.Rows, line)
		return nil
	})
	if err != nil {
		return AccountDetail{}, err
	}
	d.Account, d.Opening, d.Closing = head.Account, head.Opening, head.Closing
	return d, nil
}

// EachAccountLine gives every entry of an account between two days, and tells beforehand how many there are. The answer has no
// rows. Errors: validation, ledger.unknown_account, and what the functions return.
func EachAccountLine(
	ctx context.Context, r tenant.ReadTx, in AccountInput, expect func(rows int64) error, each func(AccountLine) error,
) (AccountDetail, error) {
	if err := in.check(); err != nil {
		return AccountDetail{}, err
	}
	account, err := accountByCode(ctx, r, in.AccountCode)
	if err != nil {
		return AccountDetail{}, err
	}
	balances, err := ledger.Balances(ctx, r, in.FromDate.AddDays(-1))
	if err != nil {
		return AccountDetail{}, err //nolint:wrapcheck // says what was added up
	}
	base := r.Company().BaseCurrency
	d := AccountDetail{Account: AccountName{account.Code, account.Name, account.Type}, Opening: money.Zero(base)}
	if balance, known := balances[account.ID]; known {
		d.Opening = balance
	}
	d.Closing = d.Opening
	days, err := tenant.Query[dayCount](ctx, r, `SELECT transaction_date AS day, COUNT(*) AS row_count FROM journal_entries
		WHERE company_id = @company AND account_id = ? AND transaction_date BETWEEN ? AND ?
		GROUP BY transaction_date ORDER BY transaction_date`, account.ID, in.FromDate, in.ToDate)
	if err != nil {
		return AccountDetail{}, fmt.Errorf("counting the entries of an account: %w", err)
	}
	if err := expect(totalRows(days)); err != nil {
		return AccountDetail{}, err
	}
	for _, part := range batches(days) {
		rows, err := tenant.Query[accountRow](ctx, r, `SELECT e.transaction_date, COALESCE(e.description, t.description) AS description,
			t.document_type, t.document_id, e.transaction_id, e.base_debit_minor, e.base_credit_minor
			FROM journal_entries e JOIN journal_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id
			WHERE e.company_id = @company AND e.account_id = ? AND e.transaction_date BETWEEN ? AND ?
			ORDER BY e.transaction_date, e.transaction_id, e.line_no`, account.ID, part.FromDate, part.ToDate)
		if err != nil {
			return AccountDetail{}, fmt.Errorf("reading the entries of an account: %w", err)
		}
		for _, row := range rows {
			line := row.line(base, d.Closing)
			d.Closing = line.Balance
			if err := each(line); err != nil {
				return AccountDetail{}, err
			}
		}
	}
	return d, nil
}

func (row accountRow) line(base money.Currency, before money.Amount) AccountLine {
	debit, credit := money.New(row.BaseDebitMinor, base), money.New(row.BaseCreditMinor, base)
	return AccountLine{
		Date: row.TransactionDate, Description: row.Description, DocumentType: row.DocumentType, DocumentID: row.DocumentID,
		JournalTransactionID: row.TransactionID, Debit: debit, Credit: credit, Balance: before.Add(debit).Sub(credit),
	}
}

func accountByCode(ctx context.Context, r tenant.ReadTx, code string) (*ledger.Account, error) {
	account, err := tenant.First[ledger.Account](ctx, r, "code = ?", code)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if account == nil {
		return nil, ledger.ErrUnknownAccount.New("The chart of accounts has no account %s; use the code of one it has.", code).
			Field("accountCode", "is not in the chart of accounts").Detail("accountCode", code)
	}
	return account, nil
}
