package delivery_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// failing answers 500 to everything.
func failing(int, request) int { return http.StatusInternalServerError }

// B-180: deletion ends what waits.
func TestDeleteCancels(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v := newOffice(t, e), newReceiver(t, failing)
		s, _ := o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, ids(3)...)
		v.await(t, 3)
		o.awaitFailures(t, 1)
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return delivery.Delete(ctx, tx, s.ID) })
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := tenant.Exec(ctx, tx, "UPDATE webhook_deliveries SET next_attempt_at = @now WHERE company_id = @company")
			return err
		})
		o.issue(t, tenant.NewID())
		v.stays(t, 3)
		rows := o.deliveries(t)
		require.Len(t, rows, 3)
		for _, row := range rows {
			require.Equal(t, delivery.Status("cancelled"), row.Status)
			require.Equal(t, delivery.StatusFailed, row.Shown())
			require.Equal(t, "subscription deleted", *row.LastError)
		}
		gone := o.subscription(t, s.ID)
		require.Empty(t, gone.Secret, "the secret is wiped")
		o.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := delivery.List(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Empty(t, page.Rows)
			filter := tenant.Filter{Field: "status", Op: "eq", Value: []byte(`"failed"`)}
			failed, err := delivery.ListDeliveries(ctx, r, tenant.ListQuery{Filter: []tenant.Filter{filter}})
			require.NoError(t, err)
			require.Len(t, failed.Rows, 3)
			return nil
		})
		for _, again := range []func(ctx context.Context, tx tenant.Tx) error{
			func(ctx context.Context, tx tenant.Tx) error { return delivery.Delete(ctx, tx, s.ID) },
			func(ctx context.Context, tx tenant.Tx) error {
				_, err := delivery.Update(ctx, tx, o.policy, delivery.UpdateInput{ID: s.ID})
				return err
			},
			func(ctx context.Context, tx tenant.Tx) error {
				_, _, err := delivery.RotateSecret(ctx, tx, o.policy, s.ID)
				return err
			},
		} {
			require.ErrorIs(t, o.TryMutate(t.Context(), again), apperr.ErrNotFound)
		}
		err := o.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := delivery.Redeliver(ctx, tx, rows[0].ID)
			return err
		})
		require.ErrorIs(t, err, delivery.ErrNotActive)
	})
}

// B-174: two people press at once, and later again.
func TestRedeliver(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e)
		v := newReceiver(t, func(n int, _ request) int {
			if n == 2 {
				return http.StatusInternalServerError
			}
			return http.StatusOK
		})
		o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, tenant.NewID())
		row := o.awaitStatus(t, 1, delivery.StatusDelivered)[0]
		press := func() {
			var admins sync.WaitGroup
			for range 5 {
				admins.Go(func() {
					err := o.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
						_, err := delivery.Redeliver(ctx, tx, row.ID)
						return err
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			admins.Wait()
		}
		later := func() {
			o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, "UPDATE webhook_deliveries SET redelivered_at = ? WHERE company_id = @company", clock.At(tx.Now().Add(-time.Minute)))
				return err
			})
		}
		press()
		got := v.await(t, 2)
		requireSame(t, got[0], got[1])
		o.awaitStatus(t, 1, delivery.StatusDelivered)
		press()
		v.stays(t, 2)

		later()
		press()
		v.await(t, 3)
		failed := o.awaitStatus(t, 1, delivery.StatusFailed)[0]
		require.Equal(t, "the receiver answered 500", *failed.LastError)
		require.Equal(t, 3, failed.Attempts)
		v.stays(t, 3)
	})
}

func TestGoneEndsASubscription(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, notices := newOffice(t, e), newReceiver(t, nil)
		v := newReceiver(t, func(int, request) int { return http.StatusGone })
		s, _ := o.subscribe(t, v.URL)
		other, _ := o.subscribe(t, notices.URL, "webhook_subscription.stopped")
		dispatch(t, e)
		invoice := tenant.NewID()
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			return errors.Join(issue(ctx, tx, invoice), issue(ctx, tx, invoice))
		})
		notice := notices.await(t, 1)[0]
		require.Equal(t, "webhook_subscription.stopped", notice.event.Type)
		require.Equal(t, s.ID, notice.event.Data.ID)
		stopped := o.subscription(t, s.ID)
		require.Equal(t, delivery.StateGone, stopped.State)
		require.Contains(t, *stopped.Reason, "410 Gone")
		require.Equal(t, delivery.StateActive, o.subscription(t, other.ID).State)
		v.await(t, 1)
		o.issue(t, invoice)
		v.stays(t, 1)
		statuses := map[delivery.Status]int{}
		for _, d := range o.deliveries(t) {
			if d.SubscriptionID == s.ID {
				statuses[d.Status]++
			}
		}
		require.Equal(t, map[delivery.Status]int{delivery.StatusFailed: 1, "cancelled": 1}, statuses)
	})
}

func TestLastingFailurePauses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e)
		up := false
		v := newReceiver(t, func(int, request) int {
			if up {
				return http.StatusOK
			}
			return http.StatusInternalServerError
		})
		s, _ := o.subscribe(t, v.URL)
		dispatch(t, e)
		invoice := tenant.NewID()
		o.issue(t, invoice)
		o.awaitFailures(t, 1)
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			past := clock.At(tx.Now().Add(-delivery.LastingFailure - time.Hour))
			_, err := tenant.Exec(ctx, tx, "UPDATE webhook_subscriptions SET failing_since = ? WHERE company_id = @company", past)
			return err
		})
		o.due(t)
		require.Eventually(t, func() bool { return o.subscription(t, s.ID).State == delivery.StatePaused }, patience, glance)
		require.Contains(t, *o.subscription(t, s.ID).Reason, "the receiver answered 500")
		o.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			lines, err := tenant.Query[string](ctx, r, "SELECT actor_id FROM audit_log WHERE company_id = @company AND action = 'webhook_subscription.stopped'")
			require.NoError(t, err)
			require.Equal(t, []string{"webhook"}, lines)
			return nil
		})

		// Its events gather, and come in their order when it is active again.
		o.issue(t, invoice)
		o.due(t)
		v.stays(t, 2)
		v.mu.Lock()
		up = true
		v.mu.Unlock()
		yes := true
		resumed := o.update(t, delivery.UpdateInput{ID: s.ID, IsActive: &yes})
		require.Nil(t, resumed.Reason)
		require.Nil(t, resumed.FailingSince)
		rows := o.awaitStatus(t, 2, delivery.StatusDelivered)
		got := v.await(t, 4)
		require.Equal(t, rows[0].EventID.String(), got[2].event.ID)
		require.Equal(t, rows[1].EventID.String(), got[3].event.ID)
	})
}

func TestSwitchedOffMissesEvents(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v, all := newOffice(t, e), newReceiver(t, nil), newReceiver(t, nil)
		s, _ := o.subscribe(t, v.URL)
		o.subscribe(t, all.URL)
		dispatch(t, e)
		no, yes := false, true
		o.update(t, delivery.UpdateInput{ID: s.ID, IsActive: &no})
		err := o.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := delivery.Test(ctx, tx, s.ID)
			return err
		})
		require.ErrorIs(t, err, delivery.ErrNotActive)
		missed, sent := tenant.NewID(), tenant.NewID()
		o.issue(t, missed)
		all.await(t, 1)
		o.update(t, delivery.UpdateInput{ID: s.ID, IsActive: &yes})
		o.issue(t, sent)
		require.Equal(t, sent, v.await(t, 1)[0].event.Data.ID)

		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := delivery.Test(ctx, tx, s.ID)
			return err
		})
		require.Equal(t, "webhook_subscription.tested", v.await(t, 2)[1].event.Type)
		all.await(t, 2)
		all.stays(t, 2) // a test is for the tested subscription alone
	})
}

func TestRotateSecret(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, v := newOffice(t, e), newReceiver(t, nil)
		s, first := o.subscribe(t, v.URL)
		require.NotContains(t, string(s.Secret), first[:12])
		require.False(t, bytes.Contains(s.Secret, []byte("whsec_")), "it is sealed")
		dispatch(t, e)
		var second string
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
			_, second, err = delivery.RotateSecret(ctx, tx, o.policy, s.ID)
			return err
		})
		require.NotEqual(t, first, second)
		verify := func(secret string, r request) error {
			verifier, err := standardwebhooks.NewWebhook(secret)
			require.NoError(t, err)
			return verifier.Verify(r.body, r.header)
		}
		o.issue(t, tenant.NewID())
		both := v.await(t, 1)[0]
		require.Len(t, strings.Fields(both.header.Get("webhook-signature")), 2)
		require.NoError(t, verify(first, both))
		require.NoError(t, verify(second, both))

		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := tenant.Exec(ctx, tx, "UPDATE webhook_subscriptions SET previous_until = ? WHERE company_id = @company", clock.At(tx.Now().Add(-time.Second)))
			return err
		})
		o.issue(t, tenant.NewID())
		one := v.await(t, 2)[1]
		require.Error(t, verify(first, one), "the old secret is over")
		require.NoError(t, verify(second, one))
	})
}

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e)
		create := func(in delivery.CreateInput, p delivery.Policy) error {
			return o.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
				_, _, err := delivery.Create(ctx, tx, p, in)
				return err
			})
		}
		good := delivery.CreateInput{URL: "https://example.lt/hook", Events: []string{"*"}}
		require.ErrorIs(t, create(good, delivery.Policy{}), delivery.ErrNoKey)
		for range delivery.MaxSubscriptions {
			require.NoError(t, create(good, o.policy))
		}
		require.ErrorIs(t, create(good, o.policy), delivery.ErrTooMany)
	})
}

// Another company reaches nothing.
func TestOtherCompany(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o, stranger, v := newOffice(t, e), newOffice(t, e), newReceiver(t, nil)
		s, _ := o.subscribe(t, v.URL)
		dispatch(t, e)
		o.issue(t, tenant.NewID())
		row := o.awaitStatus(t, 1, delivery.StatusDelivered)[0]
		for name, reach := range map[string]func(context.Context, tenant.Tx) error{
			"update": func(ctx context.Context, tx tenant.Tx) error {
				_, err := delivery.Update(ctx, tx, o.policy, delivery.UpdateInput{ID: s.ID})
				return err
			},
			"delete": func(ctx context.Context, tx tenant.Tx) error { return delivery.Delete(ctx, tx, s.ID) },
			"rotate": func(ctx context.Context, tx tenant.Tx) error {
				_, _, err := delivery.RotateSecret(ctx, tx, o.policy, s.ID)
				return err
			},
			"test": func(ctx context.Context, tx tenant.Tx) error { _, err := delivery.Test(ctx, tx, s.ID); return err },
			"redeliver": func(ctx context.Context, tx tenant.Tx) error {
				_, err := delivery.Redeliver(ctx, tx, row.ID)
				return err
			},
		} {
			require.ErrorIs(t, stranger.TryMutate(t.Context(), reach), apperr.ErrNotFound, name)
		}
		stranger.issue(t, tenant.NewID())
		v.stays(t, 1)
	})
}
