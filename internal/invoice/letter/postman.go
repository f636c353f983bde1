package letter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
)

// actor is who the audit log names for what the postman does.
const actor = "postman"

// Postman sends letters from one server. Any number of servers may run one each on the same database.
type Postman struct {
	system tenant.System
	mailer *mail.Mailer
}

// NewPostman prepares one; Run starts it.
func NewPostman(system tenant.System, m *mail.Mailer) *Postman { return &Postman{system, m} }

// Run sends what is due until ctx ends, then lets attempts under way finish. A server that sends no mail leaves the letters to
// others.
func (m *Postman) Run(ctx context.Context) {
	if !m.mailer.CanSend() {
		return
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		isMore, err := m.round(ctx)
		complain(ctx, "due letters not found", err)
		if isMore && err == nil {
			timer.Reset(0)
		} else {
			timer.Reset(pollEvery)
		}
	}
}

// complain logs what will be tried again.
func complain(ctx context.Context, what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		slog.WarnContext(ctx, "letters: "+what, "error", err)
	}
}

// place is where a letter is found.
type place struct {
	CompanyID tenant.ID
	ID        tenant.ID
}

// round sends a batch of what is due, and reports whether more may be. The letters of a deleted company wait for ever, as nothing
// of it goes on.
func (m *Postman) round(ctx context.Context) (isMore bool, err error) {
	now, err := m.system.DatabaseNow(ctx)
	if err != nil {
		return false, err
	}
	due, err := tenant.SystemQuery[place](ctx, m.system, `SELECT l.company_id, l.id FROM sales_letters l
		JOIN companies c ON c.id = l.company_id AND c.status <> 'deleted'
		WHERE l.status = 'queued' AND l.next_attempt_at <= ? AND (l.claimed_at IS NULL OR l.claimed_at < ?)
		ORDER BY l.next_attempt_at LIMIT ?`, now, claimsBefore(now), dueBatch)
	if err != nil {
		return false, fmt.Errorf("looking for due letters: %w", err)
	}
	var wait sync.WaitGroup
	places := make(chan struct{}, width)
	for _, at := range due {
		places <- struct{}{}
		wait.Go(func() {
			defer func() { <-places }()
			complain(ctx, "letter not attempted", m.attempt(ctx, at, now))
		})
	}
	wait.Wait()
	return len(due) == dueBatch, nil
}

// claimsBefore is the moment before which a claim is of a server that died.
func claimsBefore(now clock.Time) clock.Time { return clock.At(now.Add(-claimLife)) }
