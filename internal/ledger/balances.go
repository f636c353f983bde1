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
	openings, err := Balances(ctx, r, from.AddDays(-1))
	if err != nil {
		return nil, err
	}
	turnovers, err := Turnovers(ctx, r, from, to)
	if err != nil {
		return nil, err
	}
	accounts, err := tenant.Query[Account](ctx, r, "SELECT * FROM ledger_accounts WHERE company_id = @company ORDER BY code")
	if err != nil {
		return nil, fmt.Errorf("reading accounts: %w", err)
	}
	none := money.Zero(r.Company().BaseCurrency)
	balances := []AccountBalance{}
	for _, a := range accounts {
		opening, before := openings[a.ID]
		turnover, during := turnovers[a.ID]
		if !before && !during {
			continue
		}
		if !before {
			opening = none
		}
		if !during {
			turnover = Turnover{none, none}
		}
		balances = append(balances, AccountBalance{
			AccountID: a.ID, Code: a.Code, Name: a.Name, Type: a.Type,
			Opening: opening, Debit: turnover.Debit, Credit: turnover.Credit, Closing: opening.Add(turnover.Net()),
		})
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
