package delivery

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// settle writes down how an attempt ended. It changes nothing for a claim that has been lost: to a cancellation, or to a
// server that took the delivery over.
func (d *Dispatcher) settle(ctx context.Context, c *claimed, end outcome) error {
	if end.fault == "" {
		return d.settleSuccess(ctx, c)
	}
	return d.settleFailure(ctx, c, end)
}

func (d *Dispatcher) settleSuccess(ctx context.Context, c *claimed) error {
	_, err := tenant.SystemExec(ctx, d.system, `UPDATE webhook_deliveries
		SET status = 'delivered', delivered_at = @now, last_error = NULL, claim = NULL, claimed_at = NULL
		WHERE company_id = ? AND id = ? AND claim = ?`, c.CompanyID, c.ID, c.Claim)
	if err != nil {
		return fmt.Errorf("settling a delivery: %w", err)
	}
	if c.FailingSince == nil {
		return nil
	}
	_, err = tenant.SystemExec(ctx, d.system, "UPDATE webhook_subscriptions SET failing_since = NULL WHERE company_id = ? AND id = ?",
		c.CompanyID, c.SubscriptionID)
	if err != nil {
		return fmt.Errorf("noting that a subscription works again: %w", err)
	}
	return nil
}

func (d *Dispatcher) settleFailure(ctx context.Context, c *claimed, end outcome) error {
	now, err := d.system.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	if c.FailingSince == nil {
		_, err := tenant.SystemExec(ctx, d.system, `UPDATE webhook_subscriptions SET failing_since = ?
			WHERE company_id = ? AND id = ? AND failing_since IS NULL AND state = 'active'`, now, c.CompanyID, c.SubscriptionID)
		if err != nil {
			return fmt.Errorf("noting that a subscription fails: %w", err)
		}
	}
	status, next := StatusPending, now
	pause, again := pauseAfter(c.Failures+1, end.retryAfter)
	if again && !c.IsRedelivery && !end.gone {
		next = clock.At(now.Add(pause))
	} else {
		status = StatusFailed
	}
	_, err = tenant.SystemExec(ctx, d.system, `UPDATE webhook_deliveries
		SET status = ?, failures = failures + 1, next_attempt_at = ?, last_error = ?, claim = NULL, claimed_at = NULL
		WHERE company_id = ? AND id = ? AND claim = ?`, status, next, shorten(end.fault), c.CompanyID, c.ID, c.Claim)
	if err != nil {
		return fmt.Errorf("settling a delivery: %w", err)
	}
	switch {
	case end.gone:
		return d.stop(ctx, c, StateGone, "The receiver answered 410 Gone; events that waited for it were dropped.")
	case c.FailingSince != nil && now.Sub(c.FailingSince.Time) >= LastingFailure:
		return d.stop(ctx, c, StatePaused, "Every attempt since "+c.FailingSince.Format("2006-01-02 15:04")+" UTC failed, at last: "+end.fault+
			". Events gather until the subscription is active again.")
	}
	return nil
}

func shorten(s string) string {
	if len(s) <= maxErrorLength {
		return s
	}
	return s[:maxErrorLength]
}

// stop ends the sending to a subscription and tells the tenant: on the subscription, in the audit log, and by an event
// to its other subscriptions.
func (d *Dispatcher) stop(ctx context.Context, c *claimed, state State, reason string) error {
	scope, err := d.system.Scope(ctx, c.CompanyID, actor)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	isStopped := false
	err = d.system.Store().Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		s, err := tenant.Lock[Subscription](ctx, tx, c.SubscriptionID)
		if err != nil || s.State != StateActive {
			return err //nolint:wrapcheck // says what was read
		}
		before := s.line()
		reason := shorten(reason)
		s.State, s.Reason, s.UpdatedAt = state, &reason, tx.Now()
		if err := tenant.Update(ctx, tx, s, "state", "reason", "updated_at"); err != nil {
			return err //nolint:wrapcheck // says what was updated
		}
		if state == StateGone {
			if err := cancel(ctx, tx, s.ID, "the receiver answered 410 Gone"); err != nil {
				return err
			}
		}
		if err := s.record(ctx, tx, "stopped", before); err != nil {
			return err
		}
		isStopped = true
		event := webhook.Event{Type: webhook.SubscriptionStopped, ObjectType: webhook.SubscriptionObject, ObjectID: s.ID}
		return webhook.Publish(ctx, tx, event) //nolint:wrapcheck // says what was published
	})
	if err != nil {
		return fmt.Errorf("stopping a subscription: %w", err)
	}
	if isStopped {
		slog.WarnContext(ctx, "webhook subscription stopped", "company", c.CompanyID, "subscription", c.SubscriptionID, "state", state, "reason", reason)
	}
	return nil
}
