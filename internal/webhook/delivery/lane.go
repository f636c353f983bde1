package delivery

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// lane is a subscription with something due.
type lane struct {
	CompanyID    tenant.ID
	ID           tenant.ID
	FailingSince *clock.Time
}

// startLanes looks for subscriptions with something due and serves each by itself, so that a slow receiver holds up
// nobody else.
func (d *Dispatcher) startLanes(ctx context.Context) error {
	now, err := d.system.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	due, err := tenant.SystemQuery[lane](ctx, d.system, `SELECT s.company_id, s.id, s.failing_since FROM webhook_subscriptions s
		WHERE s.state = 'active' AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.company_id = s.company_id
			AND d.subscription_id = s.id AND d.status = 'pending' AND d.next_attempt_at <= ?
			AND (d.claimed_at IS NULL OR d.claimed_at < ?))`, now, claimsBefore(now))
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	for _, l := range due {
		d.mu.Lock()
		isServed := d.lanes[l.ID]
		d.lanes[l.ID] = true
		d.mu.Unlock()
		if isServed {
			continue
		}
		d.work.Go(func() {
			defer func() {
				d.mu.Lock()
				delete(d.lanes, l.ID)
				d.mu.Unlock()
			}()
			complain(ctx, "due deliveries not sent", d.serve(ctx, l))
		})
	}
	return nil
}

// claimsBefore is the moment before which a claim is of a server that died.
func claimsBefore(now clock.Time) clock.Time { return clock.At(now.Add(-claimLife)) }

// serve sends what is due to one subscription until nothing is left that this server may send.
func (d *Dispatcher) serve(ctx context.Context, l lane) error {
	width := laneWidth
	if l.FailingSince != nil {
		width = failingLaneWidth
	}
	for ctx.Err() == nil {
		now, err := d.system.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		due, err := d.pick(ctx, l, now)
		if err != nil || len(due) == 0 {
			return err
		}
		if !d.sendAll(ctx, l.CompanyID, due, now, width) {
			return nil // another server has them
		}
	}
	return nil
}

// pick chooses what may be sent now: of each object only its earliest event that waits, unless that one is so old that
// it holds up the others no longer, or somebody asked for it.
func (d *Dispatcher) pick(ctx context.Context, l lane, now clock.Time) ([]tenant.ID, error) {
	ids, err := tenant.SystemQuery[tenant.ID](ctx, d.system, `SELECT d.id FROM webhook_deliveries d
		WHERE d.company_id = ? AND d.subscription_id = ? AND d.status = 'pending' AND d.next_attempt_at <= ?
		AND (d.claimed_at IS NULL OR d.claimed_at < ?)
		AND (d.is_redelivery = 1 OR NOT EXISTS (SELECT 1 FROM webhook_deliveries p
			WHERE p.company_id = d.company_id AND p.subscription_id = d.subscription_id AND p.object_id = d.object_id
			AND p.event_id < d.event_id AND p.status = 'pending' AND p.is_redelivery = 0 AND p.created_at > ?))
		ORDER BY d.event_id LIMIT ?`,
		l.CompanyID, l.ID, now, claimsBefore(now), clock.At(now.Add(-OrderingHold)), laneBatch)
	return ids, err //nolint:wrapcheck // says what was read
}

// sendAll attempts deliveries side by side and reports whether any of them was this server's to send.
func (d *Dispatcher) sendAll(ctx context.Context, company tenant.ID, due []tenant.ID, now clock.Time, width int) bool {
	var sent atomic.Bool
	var wait sync.WaitGroup
	places := make(chan struct{}, width)
	for _, id := range due {
		places <- struct{}{}
		d.slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-d.slots; <-places }()
			isOurs, err := d.attempt(ctx, company, id, now)
			complain(ctx, "delivery not attempted", err)
			if isOurs {
				sent.Store(true)
			}
		})
	}
	wait.Wait()
	return sent.Load()
}
