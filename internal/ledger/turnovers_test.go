package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// trialBalance renders the trial balance, a line per account.
func trialBalance(t require.TestingT, c *testkit.Company, from, to date.Date) []string {
	var lines []string
	require.NoError(t, c.Engine.Store.Snapshot(context.Background(), c.Scope, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := ledger.TrialBalance(ctx, r, from, to)
		for _, row := range rows {
			lines = append(lines, fmt.Sprint(row.Code, row.Opening, row.Debit, row.Credit))
		}
		return err
	}))
	return lines
}

// plainTrialBalance is the same by adding up every entry.
func plainTrialBalance(t require.TestingT, c *testkit.Company, from, to date.Date) []string {
	var lines []string
	require.NoError(t, c.Engine.Store.Snapshot(context.Background(), c.Scope, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := tenant.Query[struct {
			Code                   string
			Opening, Debit, Credit int64
		}](ctx, r, `SELECT a.code, SUM(CASE WHEN e.transaction_date < ? THEN e.base_debit_minor - e.base_credit_minor ELSE 0 END) AS opening,
			SUM(CASE WHEN e.transaction_date >= ? THEN e.base_debit_minor ELSE 0 END) AS debit,
			SUM(CASE WHEN e.transaction_date >= ? THEN e.base_credit_minor ELSE 0 END) AS credit
			FROM journal_entries e JOIN ledger_accounts a ON a.company_id = e.company_id AND a.id = e.account_id
			WHERE e.company_id = @company AND e.transaction_date <= ? GROUP BY a.code ORDER BY a.code`, from, from, from, to)
		for _, row := range rows {
			base := r.Company().BaseCurrency
			lines = append(lines, fmt.Sprint(row.Code, money.New(row.Opening, base), money.New(row.Debit, base), money.New(row.Credit, base)))
		}
		return err
	}))
	return lines
}

func requireVerified(t require.TestingT, e *testkit.Engine, c *testkit.Company) {
	for _, invariant := range ledger.Invariants {
		breaches, err := tenant.SystemQuery[tenant.Breach](context.Background(), e.System, invariant.Broken)
		require.NoError(t, err)
		for _, b := range breaches {
			require.NotEqual(t, c.Scope.Company().ID, b.CompanyID, "%s: %s", invariant.Name, b.Subject)
		}
	}
}

// turnovers counts the stored turnovers of a company.
func turnovers(t *testing.T, c *testkit.Company) int {
	t.Helper()
	var n int
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := tenant.Query[tenant.ID](ctx, r, "SELECT id FROM account_turnovers WHERE company_id = @company")
		n = len(rows)
		return err
	})
	return n
}

func TestTurnoversFollowTheLock(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		post(t, c, "2025-12-31", "Dr 2710 500.00 / Cr 3011 500.00")
		post(t, c, "2026-01-01", "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00")
		post(t, c, "2026-01-31", "Dr 2710 121.00 / Cr 2410 121.00")
		post(t, c, "2026-02-01", "Dr 6300 7.00 / Cr 2710 7.00")
		post(t, other, "2026-01-15", "Dr 2710 9.00 / Cr 3011 9.00")
		check := func(stored int) {
			require.Equal(t, stored, turnovers(t, c))
			for _, days := range [][2]string{
				{"2026-01-01", "2026-01-31"},
				{"2026-01-01", "2026-12-31"},
				{"2026-01-15", "2026-02-01"},
				{"2026-02-01", "2026-02-28"},
				{"1900-01-01", "2199-12-31"},
				{"2026-01-31", "2026-01-31"},
			} {
				from, to := date.MustParse(days[0]), date.MustParse(days[1])
				require.Equal(t, plainTrialBalance(t, c, from, to), trialBalance(t, c, from, to), "%s", days)
			}
			requireVerified(t, e, c)
		}
		check(0)
		lock(t, c, january)
		lock(t, c, january)
		check(4)
		lock(t, c, march)
		check(4)
		require.NoError(t, unlock(t, c, january, "A bill came late."))
		check(0)
		post(t, c, "2026-01-02", "Dr 6300 1.00 / Cr 2710 1.00")
		check(0)
		lock(t, c, january)
		check(5)
		require.Zero(t, turnovers(t, other))
	})
}

func TestTurnoversAreVerified(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		post(t, c, "2026-01-31", "Dr 2710 500.00 / Cr 3011 500.00")
		lock(t, c, january)
		breaches := func() int {
			found, err := tenant.Verify(t.Context(), e.System, ledger.Invariants)
			require.NoError(t, err)
			n := 0
			for _, b := range found {
				if b.CompanyID == c.Scope.Company().ID {
					n++
				}
			}
			return n
		}
		company := c.Scope.Company().ID
		require.Zero(t, breaches())
		_, err := e.Admin.Writer().ExecContext(t.Context(),
			"UPDATE account_turnovers SET base_debit_minor = base_debit_minor + 1 WHERE company_id = ? AND base_debit_minor > 0", company)
		require.NoError(t, err)
		require.Equal(t, 1, breaches(), "a sum that is off")
		_, err = e.Admin.Writer().ExecContext(t.Context(), "DELETE FROM account_turnovers WHERE company_id = ?", company)
		require.NoError(t, err)
		require.Equal(t, 2, breaches(), "sums that are missing")
	})
}

// Whatever is posted, locked and unlocked in whatever order, the stored sums never change an answer.
func TestTurnoversNeverChangeATrialBalance(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	codes := []string{"2410", "2710", "5000", "4492", "6300", "4430"}
	rapid.Check(t, func(r *rapid.T) {
		c := books(t, e)
		first := date.MustParse("2025-11-01")
		day := func(label string) date.Date { return first.AddDays(rapid.IntRange(0, 150).Draw(r, label)) }
		for step := range rapid.IntRange(1, 12).Draw(r, "steps") {
			label := fmt.Sprint(step)
			m := date.MonthOf(day("month" + label))
			var err error
			switch rapid.SampledFrom([]string{"post", "post", "lock", "unlock"}).Draw(r, "step"+label) {
			case "post":
				cents := rapid.IntRange(1, 99_999).Draw(r, "amount"+label)
				sum := fmt.Sprintf("%d.%02d", cents/100, cents%100)
				table := "Dr " + rapid.SampledFrom(codes).Draw(r, "debit"+label) + " " + sum +
					" / Cr " + rapid.SampledFrom(codes).Draw(r, "credit"+label) + " " + sum
				if _, err = try(t, c, posting(t, day("day"+label).String(), table)); err != nil {
					require.ErrorIs(r, err, ledger.ErrPeriodLocked)
					err = nil
				}
			case "lock":
				lock(t, c, m)
			default:
				err = unlock(t, c, m, "Late.")
			}
			require.NoError(r, err)
		}
		from, to := day("from"), day("to")
		if to.Before(from) {
			from, to = to, from
		}
		require.Equal(r, plainTrialBalance(r, c, from, to), trialBalance(r, c, from, to), "%s to %s", from, to)
		requireMonthsAddUp(r, c, date.MonthOf(from), date.MonthOf(to))
		requireVerified(r, e, c)
	})
}

func requireMonthsAddUp(t require.TestingT, c *testkit.Company, first, last date.Month) {
	require.NoError(t, c.Engine.Store.Snapshot(context.Background(), c.Scope, func(ctx context.Context, r tenant.ReadTx) error {
		months, err := ledger.MonthlyTurnovers(ctx, r, first, last)
		require.NoError(t, err)
		whole, err := ledger.Turnovers(ctx, r, first.First(), last.Last())
		require.NoError(t, err)
		sums := map[tenant.ID]ledger.Turnover{}
		for _, m := range months {
			sum, known := sums[m.AccountID]
			if !known {
				sums[m.AccountID] = m.Turnover
				continue
			}
			sums[m.AccountID] = ledger.Turnover{Debit: sum.Debit.Add(m.Debit), Credit: sum.Credit.Add(m.Credit)}
		}
		require.Equal(t, whole, sums)
		return nil
	}))
}

// The sums of days must cost what the days hold, not what the account holds: MySQL reads a range of the index for each account
// and never the rows.
func TestEntrySumsReadTheIndex(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	c := books(t, e)
	accounts := []string{"2410", "2710", "5000", "4492", "6300", "4430"}
	for month := range 36 {
		var lines []string
		for i := range 240 {
			lines = append(lines, fmt.Sprintf("Dr %s 1.00 / Cr %s 1.00", accounts[i%3], accounts[3+i%3]))
		}
		post(t, c, date.New(2023, time.January, 1).AddMonths(month).String(), strings.Join(lines, " / "))
	}
	_, err := e.Admin.Writer().ExecContext(t.Context(), "ANALYZE TABLE journal_entries")
	require.NoError(t, err)
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		ids, err := tenant.Query[tenant.ID](ctx, r, "SELECT id FROM ledger_accounts WHERE company_id = @company")
		require.NoError(t, err)
		plan, err := tenant.Query[struct{ Type, Key, Extra string }](ctx, r, "EXPLAIN FORMAT=TRADITIONAL "+ledger.EntrySums, ids,
			date.MustParse("2025-12-01"), date.MustParse("2025-12-31"))
		require.NoError(t, err)
		require.Len(t, plan, 1)
		require.Equal(t, "range", plan[0].Type)
		require.Equal(t, "journal_entries_account", plan[0].Key)
		require.Contains(t, plan[0].Extra, "Using index")
		return nil
	})
}
