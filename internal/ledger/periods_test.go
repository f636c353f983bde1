package ledger_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func unlock(t *testing.T, c *testkit.Company, m date.Month, reason string) error {
	t.Helper()
	return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Unlock(ctx, tx, m, reason)
		return err
	})
}

// audited counts the lines of the audit log for an action.
func audited(t *testing.T, c *testkit.Company, action string) int {
	t.Helper()
	var n int
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := tenant.Query[string](ctx, r, "SELECT action FROM audit_log WHERE company_id = @company AND action = ?", action)
		n = len(rows)
		return err
	})
	return n
}

func TestLock(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		const cash = "Dr 2720 1.00 / Cr 2710 1.00"
		post(t, c, "2026-01-31", cash)
		first := lock(t, c, january)
		require.Equal(t, ledger.PeriodLocked, first.Status)
		again := lock(t, c, january)
		require.Equal(t, first.ID, again.ID)
		require.Equal(t, first.LockedAt, again.LockedAt, "locking twice is one lock")
		require.Equal(t, 2, audited(t, c, "ledger_period.locked"), "each call is told")

		_, err := try(t, c, posting(t, "2026-01-01", cash))
		require.ErrorIs(t, err, ledger.ErrPeriodLocked)
		require.ErrorContains(t, err, "2026-01 is locked")
		imported := posting(t, "2026-01-31", cash)
		imported.DocumentType, imported.DocumentID = "bank_statement", tenant.NewID()
		_, err = try(t, c, imported)
		require.ErrorIs(t, err, ledger.ErrPeriodLocked, "no path into the journal goes around the lock")
		post(t, c, "2026-02-01", cash)
		post(t, c, "2025-12-31", cash)
		post(t, other, "2026-01-31", cash)

		lock(t, c, february)
		lock(t, c, march) // a month that nobody posted into
		_, err = try(t, c, posting(t, "2026-03-31", cash))
		require.ErrorIs(t, err, ledger.ErrPeriodLocked)
		transactions, _ := rows(t, c)
		require.EqualValues(t, 3, transactions)
	})
}

func TestUnlock(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		lock(t, c, january)
		err := unlock(t, c, january, " ")
		require.ErrorIs(t, err, ledger.ErrReasonMissing)
		require.Contains(t, refusalOf(t, err).Fields(), "reason")
		_, err = try(t, c, posting(t, "2026-01-01", "Dr 2720 1.00 / Cr 2710 1.00"))
		require.ErrorIs(t, err, ledger.ErrPeriodLocked)

		require.NoError(t, unlock(t, c, january, "A bill came late."))
		require.NoError(t, unlock(t, c, january, "Again."))
		post(t, c, "2026-01-01", "Dr 2720 1.00 / Cr 2710 1.00")
		require.Equal(t, 2, audited(t, c, "ledger_period.unlocked"), "each call is told")
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			diffs, err := tenant.Query[string](ctx, r, "SELECT diff FROM audit_log WHERE company_id = @company AND action = 'ledger_period.unlocked'")
			require.NoError(t, err)
			require.Contains(t, diffs[0], "A bill came late.")
			return nil
		})
	})
}

// Once the lock of a month has committed, the month never grows again.
func TestLockWaitsForPostingsUnderWay(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		const posters, each = 6, 15
		var posted, refused [posters]int
		var atLock int64
		started := make(chan struct{})
		var running sync.WaitGroup
		for i := range posters {
			running.Go(func() {
				for n := range each {
					err := persistently(t, c, func(ctx context.Context, tx tenant.Tx) error {
						_, err := ledger.Post(ctx, tx, posting(t, "2026-01-15", "Dr 2720 1.00 / Cr 2710 1.00"))
						return err
					})
					if err == nil {
						posted[i]++
					} else if requireLocked(t, err) {
						refused[i]++
					}
					if i == 0 && n == 2 {
						close(started)
					}
				}
			})
		}
		running.Go(func() {
			<-started
			err := persistently(t, c, func(ctx context.Context, tx tenant.Tx) error {
				_, err := ledger.Lock(ctx, tx, january)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			atLock, _ = rows(t, c)
		})
		running.Wait()
		transactions, lines := rows(t, c)
		require.Equal(t, atLock, transactions, "nothing was in flight when the lock committed")
		require.Equal(t, transactions*2, lines)
		sum := 0
		for i := range posters {
			sum += posted[i]
			require.Equal(t, each, posted[i]+refused[i])
		}
		require.EqualValues(t, sum, transactions)
	})
}

func TestLockHoldsAgainstAnOpenPosting(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	c := books(t, e)
	post(t, c, "2026-01-02", "Dr 2720 1.00 / Cr 2710 1.00")
	begun, err := c.Engine.Store.Begin(t.Context(), c.Scope)
	require.NoError(t, err)
	_, err = ledger.Post(t.Context(), begun.Tx, posting(t, "2026-01-15", "Dr 2720 2.00 / Cr 2710 2.00"))
	require.NoError(t, err)
	require.NoError(t, tenant.Flush(t.Context(), begun.Tx))

	// Another posting into the month is not held up, locking it is.
	post(t, c, "2026-01-03", "Dr 2720 1.00 / Cr 2710 1.00")
	err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "SET innodb_lock_wait_timeout = CASE WHEN @company IS NULL THEN 50 ELSE 1 END")
		require.NoError(t, err)
		_, err = ledger.Lock(ctx, tx, january)
		return err
	})
	require.True(t, isBusy(err), "the lock waits: %v", err)
	require.NoError(t, begun.Commit(t.Context()))
	lock(t, c, january)
	transactions, _ := rows(t, c)
	require.EqualValues(t, 3, transactions)
}
