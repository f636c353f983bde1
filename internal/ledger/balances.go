package ledger

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// AccountBalance is an account's line of the trial balance, in the base currency. Opening and Closing are debit less credit.
type AccountBalance struct {
	AccountID tenant.ID
	Code      string
	Name      string
	Type      AccountType
	Opening   money.Amount
	Debit     money.Amount
	Credit    money.Amount
	Closing   money.Amount
}

// balanceRow is a line as the query gives it, in minor units.
type balanceRow struct {
	AccountID tenant.ID
	Code      string
	Name      string
	Type      AccountType
	Opening   int64
	Debit     int64
	Credit    int64
}

type balanceSum struct {
	Currency money.Currency
	Minor    int64
}

// TrialBalance computes, by code, the balances of every account that has entries up to a day. Opening is everything posted
// before the first day, of earlier years too: a year's result moves to equity by an entry, not by the calendar. Closings
// sum to zero. Error: validation when the days are in the wrong order.
func TrialBalance(ctx context.Context, r tenant.ReadTx, from, to date.Date) ([]AccountBalance, error) {
	if to.Before(from) {
		return nil, apperr.Invalid("toDate", "lies before fromDate")
	}
	rows, err := tenant.Query[balanceRow](ctx, r, `SELECT a.id AS account_id, a.code, a.name, a.type, s.opening, s.debit, s.credit
		FROM (SELECT account_id,
			SUM(CASE WHEN transaction_date < ? THEN base_debit_minor - base_credit_minor ELSE 0 END) AS opening,
			SUM(CASE WHEN transaction_date >= ? THEN base_debit_minor ELSE 0 END) AS debit,
			SUM(CASE WHEN transaction_date >= ? THEN base_credit_minor ELSE 0 END) AS credit
			FROM journal_entries WHERE company_id = @company AND transaction_date <= ? GROUP BY account_id) s
		JOIN ledger_accounts a ON a.company_id = @company AND a.id = s.account_id
		ORDER BY a.code`, from, from, from, to)
	if err != nil {
		return nil, fmt.Errorf("computing the trial balance: %w", err)
	}
	base := r.Company().BaseCurrency
	balances := make([]AccountBalance, len(rows))
	for i, row := range rows {
		opening, debit, credit := money.New(row.Opening, base), money.New(row.Debit, base), money.New(row.Credit, base)
		balances[i] = AccountBalance{
			AccountID: row.AccountID, Code: row.Code, Name: row.Name, Type: row.Type,
			Opening: opening, Debit: debit, Credit: credit, Closing: opening.Add(debit).Sub(credit),
		}
	}
	return balances, nil
}

// Balance is debit less credit of one account at the end of a day, in the base currency.
// Error: ledger.unknown_account.
func Balance(ctx context.Context, r tenant.Reader, accountCode string, asOf date.Date) (money.Amount, error) {
	accounts, err := accountsByCode(ctx, r, []string{accountCode})
	if err != nil {
		return money.Amount{}, err
	}
	account, ok := accounts[accountCode]
	if !ok {
		return money.Amount{}, unknownAccount(accountCode)
	}
	sum, err := tenant.QueryOne[balanceSum](ctx, r, `SELECT c.base_currency AS currency, (SELECT COALESCE(SUM(base_debit_minor - base_credit_minor), 0)
			FROM journal_entries WHERE company_id = @company AND account_id = ? AND transaction_date <= ?) AS minor
		FROM companies c WHERE c.id = @company`, account.ID, asOf)
	if err != nil {
		return money.Amount{}, fmt.Errorf("computing a balance: %w", err)
	}
	return money.New(sum.Minor, sum.Currency), nil
}
