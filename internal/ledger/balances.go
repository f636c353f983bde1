package ledger

import (
	"context"

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

// TrialBalance computes the balances of every account that has entries up to a day.
func TrialBalance(ctx context.Context, r tenant.ReadTx, from, to date.Date) ([]AccountBalance, error) {
	panic("ledger: TrialBalance")
}

// Balance is the balance of one account at the end of a day.
func Balance(ctx context.Context, r tenant.Reader, accountCode string, asOf date.Date) (money.Amount, error) {
	panic("ledger: Balance")
}
