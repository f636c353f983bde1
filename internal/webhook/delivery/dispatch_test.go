package delivery_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// Several dispatchers, as of several servers, send every event once when nothing fails, signed as the scheme's own
// library wants it.
func TestEveryEventIsSentOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v := newOffice(t, e), newReceiver(t, nil)
		_, secret := o.subscribe(t, v.URL, "sale_invoice.*")
		for range 3 {
			dispatch(t, e)
		}
		invoices := ids(30)
		o.issue(t, invoices...)
		rows := o.awaitStatus(t, len(invoices), delivery.StatusDelivered)
		for _, row := range rows {
			require.Equal(t, 1, row.Attempts)
			require.NotNil(t, row.DeliveredAt)
		}
		verifier, err := standardwebhooks.NewWebhook(secret)
		require.NoError(t, err)
		seen := map[tenant.ID]bool{}
		for _, r := range v.await(t, len(invoices)) {
			require.NoError(t, verifier.Verify(r.body, r.header))
			require.Equal(t, r.event.ID, r.header.Get("webhook-id"))
			require.Equal(t, "application/json", r.header.Get("Content-Type"))
			seen[r.event.Data.ID] = true
		}
		require.Len(t, seen, len(invoices), "every event, none twice")
		v.stays(t, len(invoices))
	})
}

// B-182 and B-184: the event with the lower id commits after the one with the higher id has been handed out.
func TestLateCommitIsDelivered(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t) // SQLite has one writer, so commits come in the order of ids
	o, v := newOffice(t, e), newReceiver(t, nil)
	o.subscribe(t, v.URL)
	dispatch(t, e)
	slow, err := e.Store.Begin(t.Context(), o.Scope)
	require.NoError(t, err)
	late, early := tenant.NewID(), tenant.NewID()
	require.NoError(t, issue(t.Context(), slow.Tx, late))
	require.NoError(t, tenant.Flush(t.Context(), slow.Tx))
	o.issue(t, early)
	require.Equal(t, early, v.await(t, 1)[0].event.Data.ID)
	require.NoError(t, slow.Commit(t.Context()))
	require.Equal(t, late, v.await(t, 2)[1].event.Data.ID)
}

func TestStormLosesNothing(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v := newOffice(t, e), newReceiver(t, nil)
		o.subscribe(t, v.URL)
		dispatch(t, e)
		dispatch(t, e)
		const writers, each = 4, 15
		var work sync.WaitGroup
		for w := range writers {
			work.Go(func() {
				for i := range each {
					err := o.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
						if err := issue(ctx, tx, tenant.NewID()); err != nil {
							return err
						}
						time.Sleep(time.Duration((i+w)%5) * 4 * time.Millisecond)
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		work.Wait()
		o.awaitStatus(t, writers*each, delivery.StatusDelivered)
		v.await(t, writers*each)
	})
}

// Many events for many subscriptions are more rows than one statement may hold.
func TestManyDeliveriesAreWritten(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v := newOffice(t, e), newReceiver(t, nil)
		const events = 40
		for range delivery.MaxSubscriptions {
			o.subscribe(t, v.URL)
		}
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			if _, err := tenant.Exec(ctx, tx, "UPDATE webhook_subscriptions SET state = 'paused' WHERE company_id = @company"); err != nil {
				return err
			}
			for range events {
				if err := issue(ctx, tx, tenant.NewID()); err != nil {
					return err
				}
			}
			return nil
		})
		dispatch(t, e)
		o.awaitStatus(t, events*delivery.MaxSubscriptions, delivery.StatusPending)
		require.Empty(t, v.requests(), "a paused subscription only gathers")
	})
}

// An event of an object does not overtake an earlier one that failed; events of other objects do.
func TestOrderPerObject(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		invoice, other := tenant.NewID(), tenant.NewID()
		failing := true
		v := newReceiver(t, func(_ int, r request) int {
			if failing && r.event.Data.ID == invoice {
				return http.StatusInternalServerError
			}
			return http.StatusOK
		})
		o := newOffice(t, e)
		o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, invoice, invoice, invoice, other)
		got := v.await(t, 2)
		require.ElementsMatch(t, []tenant.ID{invoice, other}, []tenant.ID{got[0].event.Data.ID, got[1].event.Data.ID})
		v.stays(t, 2)
		o.awaitFailures(t, 1)
		v.mu.Lock()
		failing = false
		v.mu.Unlock()
		o.due(t)
		rows := o.awaitStatus(t, 4, delivery.StatusDelivered)
		got = v.await(t, 5)
		for i, r := range got[2:] {
			require.Equal(t, rows[i].EventID.String(), r.event.ID, "in the order of events")
		}

		// An old one holds up nobody.
		v.mu.Lock()
		failing = true
		v.mu.Unlock()
		o.issue(t, invoice)
		v.await(t, 6)
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			past := clock.At(tx.Now().Add(-delivery.OrderingHold - time.Hour))
			_, err := tenant.Exec(ctx, tx, "UPDATE webhook_deliveries SET created_at = ? WHERE company_id = @company AND status = 'pending'", past)
			return err
		})
		o.issue(t, invoice)
		v.await(t, 7)
	})
}

// B-170 and B-178: what a server that died had claimed is sent again, under the same id and with the same bytes.
func TestClaimOfADeadServerRunsOut(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		failing := true
		v := newReceiver(t, func(int, request) int {
			if failing {
				return http.StatusBadGateway
			}
			return http.StatusOK
		})
		o := newOffice(t, e)
		o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, tenant.NewID())
		o.awaitFailures(t, 1)
		claimed := func(ago time.Duration) {
			o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, `UPDATE webhook_deliveries SET claim = ?, claimed_at = ?, next_attempt_at = @now
					WHERE company_id = @company`, tenant.NewID(), clock.At(tx.Now().Add(-ago)))
				return err
			})
		}
		claimed(delivery.ClaimLife / 2)
		v.stays(t, 1)
		v.mu.Lock()
		failing = false
		v.mu.Unlock()
		claimed(delivery.ClaimLife + time.Second)
		got := v.await(t, 2)
		requireSame(t, got[0], got[1])
		o.awaitStatus(t, 1, delivery.StatusDelivered)
	})
}

func TestRetries(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		v := newReceiver(t, func(int, request) int { return http.StatusServiceUnavailable })
		o := newOffice(t, e)
		s, _ := o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, tenant.NewID())
		for n := 1; n < delivery.MaxAttempts; n++ {
			row := o.awaitFailures(t, n)
			require.Equal(t, delivery.StatusPending, row.Status)
			require.Equal(t, "the receiver answered 503", *row.LastError)
			require.True(t, row.NextAttemptAt.After(row.CreatedAt.Time))
			o.due(t)
		}
		row := o.awaitStatus(t, 1, delivery.StatusFailed)[0]
		require.Equal(t, delivery.MaxAttempts, row.Attempts)
		got := v.await(t, delivery.MaxAttempts)
		for _, r := range got[1:] {
			requireSame(t, got[0], r)
		}
		require.Equal(t, delivery.StateActive, o.subscription(t, s.ID).State, "it has not failed for long")
		require.NotNil(t, o.subscription(t, s.ID).FailingSince)
		v.stays(t, delivery.MaxAttempts)
	})
}

func TestSweep(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v := newOffice(t, e), newReceiver(t, nil)
		o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, ids(2)...)
		old := o.awaitStatus(t, 2, delivery.StatusDelivered)[0]
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			past := clock.At(tx.Now().Add(-delivery.Retention - time.Minute))
			if _, err := tenant.Exec(ctx, tx, "UPDATE webhook_deliveries SET created_at = ? WHERE company_id = @company AND id = ?", past, old.ID); err != nil {
				return err
			}
			_, err := tenant.Exec(ctx, tx, "UPDATE outbox_events SET fanned_out_at = ? WHERE company_id = @company AND id = ?", past, old.EventID)
			return err
		})
		require.NoError(t, delivery.NewDispatcher(e.System, o.policy).Sweep(t.Context()))
		left := o.deliveries(t)
		require.Len(t, left, 1)
		require.NotEqual(t, old.ID, left[0].ID)
		o.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			events, err := tenant.Query[tenant.ID](ctx, r, "SELECT id FROM outbox_events WHERE company_id = @company")
			require.NoError(t, err)
			require.Equal(t, []tenant.ID{left[0].EventID}, events)
			return nil
		})
	})
}
