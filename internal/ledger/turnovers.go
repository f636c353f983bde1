package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// turnover is what an account took in a locked month, in the base currency. The lock writes the rows of its month while no
// posting into it can be under way, so they are exact for as long as they exist; the unlock deletes them.
type turnover struct {
	tenant.Row
	AccountID       tenant.ID
	Year            int
	Month           int
	BaseDebitMinor  int64
	BaseCreditMinor int64
}

// TableName names the table for the mapper.
func (turnover) TableName() string { return "account_turnovers" }

// accountBatch bounds the accounts of one statement: an engine that looks up each of them in the index estimates what it
// will find one by one up to 200.
const accountBatch = 200

// accountSum is what an account took over some days, in minor units of the base currency.
type accountSum struct {
	AccountID tenant.ID
	Debit     int64
	Credit    int64
}

// entrySums adds up entries by account. Account and days together are one range of the index per account, and the index holds
// the amounts, so it reads no more than the days asked for.
const entrySums = `SELECT account_id, SUM(base_debit_minor) AS debit, SUM(base_credit_minor) AS credit FROM journal_entries
	WHERE company_id = @company AND account_id IN ? AND transaction_date BETWEEN ? AND ? GROUP BY account_id`

func sumEntries(ctx context.Context, r tenant.Reader, accounts []tenant.ID, days dayRange) ([]accountSum, error) {
	var sums []accountSum
	for batch := range slices.Chunk(accounts, accountBatch) {
		rows, err := tenant.Query[accountSum](ctx, r, entrySums, batch, days.from, days.to)
		if err != nil {
			return nil, fmt.Errorf("adding up entries: %w", err)
		}
		sums = append(sums, rows...)
	}
	return sums, nil
}

// rollUp stores the turnovers of a month that has just been locked.
func rollUp(ctx context.Context, tx tenant.Tx, m date.Month) error {
	accounts, err := accountIDs(ctx, tx)
	if err != nil {
		return err
	}
	sums, err := sumEntries(ctx, tx, accounts, dayRange{m.First(), m.Last()})
	if err != nil {
		return err
	}
	rows := make([]*turnover, len(sums))
	for i, s := range sums {
		rows[i] = &turnover{
			AccountID: s.AccountID, Year: m.Year, Month: int(m.Month), BaseDebitMinor: s.Debit, BaseCreditMinor: s.Credit,
		}
	}
	for batch := range slices.Chunk(rows, accountBatch) {
		if err := tenant.Insert(ctx, tx, batch...); err != nil {
			return fmt.Errorf("rolling up the month %s: %w", m, err)
		}
	}
	return nil
}

// dropRollUp deletes the turnovers of a month that is opened again.
func dropRollUp(ctx context.Context, tx tenant.Tx, m date.Month) error {
	if _, err := tenant.DeleteWhere[turnover](ctx, tx, "year = ? AND month = ?", m.Year, int(m.Month)); err != nil {
		return fmt.Errorf("dropping the turnovers of the month %s: %w", m, err)
	}
	return nil
}

// dayRange is days from the first to the last, both included.
type dayRange struct{ from, to date.Date }

// firstDay is before everything that the books can hold.
var firstDay = date.New(1900, time.January, 1)

// openRanges are the days between two days that lie in no locked month which the days hold whole. Locked comes in order.
func (d dayRange) openRanges(locked []date.Month) []dayRange {
	var open []dayRange
	next := d.from
	for _, m := range locked {
		if m.First().Before(d.from) || m.Last().After(d.to) {
			continue
		}
		if next.Before(m.First()) {
			open = append(open, dayRange{next, m.First().AddDays(-1)})
		}
		next = m.Next().First()
	}
	if !next.After(d.to) {
		open = append(open, dayRange{next, d.to})
	}
	return open
}

// wholeMonths are the numbers of the first and the last month that the days hold whole; the first is the greater one when
// they hold none.
func (d dayRange) wholeMonths() (first, last int) {
	from, to := date.MonthOf(d.from), date.MonthOf(d.to)
	if d.from != from.First() {
		from = from.Next()
	}
	if d.to != to.Last() {
		to = to.Prev()
	}
	return monthNumber(from), monthNumber(to)
}

func monthNumber(m date.Month) int { return m.Year*12 + int(m.Month) }

// lockedMonths are the months with stored turnovers, in order.
func lockedMonths(ctx context.Context, r tenant.ReadTx) ([]date.Month, error) {
	rows, err := tenant.Query[Period](ctx, r,
		"SELECT * FROM ledger_periods WHERE company_id = @company AND status = ? ORDER BY year, month", PeriodLocked)
	if err != nil {
		return nil, fmt.Errorf("listing locked months: %w", err)
	}
	months := make([]date.Month, len(rows))
	for i, p := range rows {
		months[i] = date.Month{Year: p.Year, Month: time.Month(p.Month)}
	}
	return months, nil
}

func accountIDs(ctx context.Context, r tenant.Reader) ([]tenant.ID, error) {
	ids, err := tenant.Query[tenant.ID](ctx, r, "SELECT id FROM ledger_accounts WHERE company_id = @company ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("listing accounts: %w", err)
	}
	return ids, nil
}
