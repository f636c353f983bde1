package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Turnover is what an account took over some days, in the base currency.
type Turnover struct {
	Debit  money.Amount
	Credit money.Amount
}

// Net is debit less credit.
func (t Turnover) Net() money.Amount { return t.Debit.Sub(t.Credit) }

// Turnovers adds up what each account took between two days, both included; an account without entries there is not in the
// answer. Whole locked months come from their stored turnovers and all other days from the entries, so the cost grows with
// the open months and hardly with history. Days in the wrong order give nothing.
func Turnovers(ctx context.Context, r tenant.ReadTx, from, to date.Date) (map[tenant.ID]Turnover, error) {
	days := dayRange{from, to}
	if to.Before(from) {
		return map[tenant.ID]Turnover{}, nil
	}
	first, last := days.wholeMonths()
	sums, err := tenant.Query[accountSum](ctx, r, `SELECT account_id, SUM(base_debit_minor) AS debit, SUM(base_credit_minor) AS credit
		FROM account_turnovers WHERE company_id = @company AND year * 12 + month BETWEEN ? AND ? GROUP BY account_id`, first, last)
	if err != nil {
		return nil, fmt.Errorf("adding up turnovers: %w", err)
	}
	open, err := daysWithoutTurnovers(ctx, r, days)
	if err != nil {
		return nil, err
	}
	accounts, err := accountIDs(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, part := range open {
		more, err := sumEntries(ctx, r, accounts, part)
		if err != nil {
			return nil, err
		}
		sums = append(sums, more...)
	}
	base := r.Company().BaseCurrency
	turnovers := make(map[tenant.ID]Turnover, len(sums))
	for _, s := range sums {
		t, known := turnovers[s.AccountID]
		if !known {
			t = Turnover{money.Zero(base), money.Zero(base)}
		}
		turnovers[s.AccountID] = Turnover{t.Debit.Add(money.New(s.Debit, base)), t.Credit.Add(money.New(s.Credit, base))}
	}
	return turnovers, nil
}

// Balances is debit less credit of each account at the end of a day; an account without entries is not in the answer.
func Balances(ctx context.Context, r tenant.ReadTx, asOf date.Date) (map[tenant.ID]money.Amount, error) {
	turnovers, err := Turnovers(ctx, r, firstDay, asOf)
	if err != nil {
		return nil, err
	}
	balances := make(map[tenant.ID]money.Amount, len(turnovers))
	for id, t := range turnovers {
		balances[id] = t.Net()
	}
	return balances, nil
}

// MonthTurnover is what an account took in a month.
type MonthTurnover struct {
	AccountID tenant.ID
	Month     date.Month
	Turnover
}

// monthSum is a row of MonthlyTurnovers in minor units; Month is its number, see monthNumber.
type monthSum struct {
	AccountID tenant.ID
	Month     int
	Debit     int64
	Credit    int64
}

// monthSums is entrySums by month.
const monthSums = `SELECT account_id, SUBSTR(transaction_date, 1, 4) * 12 + SUBSTR(transaction_date, 6, 2) AS month,
	SUM(base_debit_minor) AS debit, SUM(base_credit_minor) AS credit FROM journal_entries
	WHERE company_id = @company AND account_id IN ? AND transaction_date BETWEEN ? AND ?
	GROUP BY account_id, SUBSTR(transaction_date, 1, 4) * 12 + SUBSTR(transaction_date, 6, 2)`

// MonthlyTurnovers is Turnovers of each month from the first to the last, by month and then by account.
func MonthlyTurnovers(ctx context.Context, r tenant.ReadTx, first, last date.Month) ([]MonthTurnover, error) {
	sums, err := tenant.Query[monthSum](ctx, r, `SELECT account_id, year * 12 + month AS month, base_debit_minor AS debit,
		base_credit_minor AS credit FROM account_turnovers WHERE company_id = @company AND year * 12 + month BETWEEN ? AND ?`,
		monthNumber(first), monthNumber(last))
	if err != nil {
		return nil, fmt.Errorf("reading turnovers: %w", err)
	}
	open, err := daysWithoutTurnovers(ctx, r, dayRange{first.First(), last.Last()})
	if err != nil {
		return nil, err
	}
	accounts, err := accountIDs(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, part := range open {
		for batch := range slices.Chunk(accounts, accountBatch) {
			more, err := tenant.Query[monthSum](ctx, r, monthSums, batch, part.from, part.to)
			if err != nil {
				return nil, fmt.Errorf("adding up months: %w", err)
			}
			sums = append(sums, more...)
		}
	}
	return monthTurnovers(sums, r.Company().BaseCurrency), nil
}

func monthTurnovers(sums []monthSum, base money.Currency) []MonthTurnover {
	months := make([]MonthTurnover, len(sums))
	for i, s := range sums {
		month := date.Month{Year: (s.Month - 1) / 12, Month: time.Month((s.Month-1)%12 + 1)}
		months[i] = MonthTurnover{s.AccountID, month, Turnover{money.New(s.Debit, base), money.New(s.Credit, base)}}
	}
	slices.SortFunc(months, func(a, b MonthTurnover) int {
		return cmp.Or(a.Month.Compare(b.Month), slices.Compare(a.AccountID[:], b.AccountID[:]))
	})
	return months
}

// daysWithoutTurnovers are the parts of some days that lie in no whole locked month.
func daysWithoutTurnovers(ctx context.Context, r tenant.ReadTx, days dayRange) ([]dayRange, error) {
	locked, err := lockedMonths(ctx, r)
	if err != nil {
		return nil, err
	}
	return days.openRanges(locked), nil
}
