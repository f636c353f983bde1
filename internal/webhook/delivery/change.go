package delivery

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// UpdateInput changes what is given.
type UpdateInput struct {
	ID       tenant.ID
	URL      *string
	Events   []string
	IsActive *bool
}

// Update changes a subscription. Made active again, it gets at once what waited for it. Errors: validation, not_found.
func Update(ctx context.Context, tx tenant.Tx, p Policy, in UpdateInput) (*Subscription, error) {
	s, err := lock(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	before := s.line()
	if in.URL != nil {
		if err := p.checkURL(*in.URL); err != nil {
			return nil, err
		}
		s.URL = *in.URL
	}
	if in.Events != nil {
		if s.Events, err = checkEvents(in.Events); err != nil {
			return nil, err
		}
	}
	switch {
	case in.IsActive == nil:
	case !*in.IsActive:
		s.State, s.Reason, s.FailingSince = StateOff, nil, nil
	case s.State != StateActive:
		s.State, s.Reason, s.FailingSince = StateActive, nil, nil
		if err := hurry(ctx, tx, s.ID); err != nil {
			return nil, err
		}
	}
	s.UpdatedAt = tx.Now()
	if err := tenant.Update(ctx, tx, s, "url", "events", "state", "reason", "failing_since", "updated_at"); err != nil {
		return nil, err //nolint:wrapcheck // says what was updated
	}
	return s, s.record(ctx, tx, "updated", before)
}

// hurry makes due now what waits for a subscription: the pauses of its failures are history.
func hurry(ctx context.Context, tx tenant.Tx, subscription tenant.ID) error {
	_, err := tenant.Exec(ctx, tx, `UPDATE webhook_deliveries SET next_attempt_at = @now
		WHERE company_id = @company AND subscription_id = ? AND status = 'pending' AND next_attempt_at > @now`, subscription)
	if err != nil {
		return fmt.Errorf("making deliveries due: %w", err)
	}
	return nil
}

// Delete ends a subscription and what waited for it; its secret is wiped, its deliveries stay in the list. Error:
// not_found.
func Delete(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	s, err := lock(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := tenant.HoldAgainstShared(ctx, tx, s.TableName(), id); err != nil {
		return err //nolint:wrapcheck // says what failed
	}
	before := s.line()
	s.State, s.Reason, s.UpdatedAt = stateDeleted, nil, tx.Now()
	s.Secret, s.PreviousSecret, s.PreviousUntil = nil, nil, nil
	if err := tenant.Update(ctx, tx, s, "state", "reason", "secret", "previous_secret", "previous_until", "updated_at"); err != nil {
		return err //nolint:wrapcheck // says what was updated
	}
	if err := cancel(ctx, tx, id, "subscription deleted"); err != nil {
		return err
	}
	return s.record(ctx, tx, "deleted", before)
}

// cancel ends what waits for a subscription. An attempt under way runs to its end and changes nothing any more.
func cancel(ctx context.Context, tx tenant.Tx, subscription tenant.ID, reason string) error {
	_, err := tenant.Exec(ctx, tx, `UPDATE webhook_deliveries SET status = 'cancelled', last_error = ?, claim = NULL, claimed_at = NULL
		WHERE company_id = @company AND subscription_id = ? AND status = 'pending'`, reason, subscription)
	if err != nil {
		return fmt.Errorf("cancelling deliveries: %w", err)
	}
	return nil
}

// RotateSecret gives a subscription a new secret, shown once. The old one signs beside it for SecretOverlap, so that the
// receiver can change over without losing an event; one before that ends at once. Errors: not_found, webhook.no_key.
func RotateSecret(ctx context.Context, tx tenant.Tx, p Policy, id tenant.ID) (*Subscription, string, error) {
	if p.Vault == nil {
		return nil, "", noKey()
	}
	s, err := lock(ctx, tx, id)
	if err != nil {
		return nil, "", err
	}
	secret, until := newSecret(), clock.At(tx.Now().Add(SecretOverlap))
	s.PreviousSecret, s.PreviousUntil = s.Secret, &until
	s.Secret, s.UpdatedAt = p.Vault.Seal(secret, tx.Company().ID, s.ID), tx.Now()
	if err := tenant.Update(ctx, tx, s, "secret", "previous_secret", "previous_until", "updated_at"); err != nil {
		return nil, "", err //nolint:wrapcheck // says what was updated
	}
	return s, secret, s.record(ctx, tx, "secret_rotated", s.line())
}

// Test publishes an event for one subscription, so that its receiver can be tried out. Errors: not_found,
// webhook.subscription_not_active.
func Test(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Subscription, error) {
	s, err := lock(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if s.State != StateActive {
		return nil, notActive(s)
	}
	event := webhook.Event{Type: webhook.SubscriptionTested, ObjectType: webhook.SubscriptionObject, ObjectID: s.ID}
	if err := webhook.Publish(ctx, tx, event); err != nil {
		return nil, err //nolint:wrapcheck // says what was published
	}
	return s, s.record(ctx, tx, "tested", nil)
}

func notActive(s *Subscription) error {
	return ErrNotActive.New("The subscription is %s and sends nothing; update it with isActive true first.", s.State)
}
