package letter

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// settle writes down how an attempt ended. It changes nothing for a claim that a server has lost to another one.
func (m *Postman) settle(ctx context.Context, scope tenant.Scope, l Letter, end error) error {
	now, err := m.system.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	after := l
	after.LastError, after.NextAttemptAt = nil, now
	if end == nil {
		after.Status, after.EndedAt = StatusSent, &now
	} else {
		after.fail(end, now)
		slog.WarnContext(ctx, "a letter was not sent", "company", l.CompanyID, "letter", l.ID, "attempt", l.Attempts, "willTryAgain", after.Status == StatusQueued,
			"error", end)
	}
	err = m.system.Store().Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		result, err := tenant.Exec(ctx, tx, `UPDATE sales_letters SET status = ?, failures = ?, next_attempt_at = ?, last_error = ?, ended_at = ?,
			claim = NULL, claimed_at = NULL WHERE company_id = @company AND id = ? AND claim = ?`,
			after.Status, after.Failures, after.NextAttemptAt, after.LastError, after.EndedAt, l.ID, *l.Claim)
		if err != nil {
			return err //nolint:wrapcheck // the caller says what for
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err //nolint:wrapcheck // no driver fails here
		}
		return after.tell(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("settling a letter: %w", err)
	}
	return nil
}

// fail counts a failure: the letter waits for its next attempt, or is given up.
func (l *Letter) fail(end error, now clock.Time) {
	why := explain(end)
	l.Failures++
	l.LastError = &why
	if pause, again := pauseAfter(l.Failures); again && !isFinal(end) {
		l.NextAttemptAt = clock.At(now.Add(pause))
		return
	}
	l.Status, l.EndedAt = StatusFailed, &now
}

// tell leaves a trace of a letter that has ended, and tells the company's programs of one that was sent.
func (l Letter) tell(ctx context.Context, tx tenant.Tx) error {
	switch l.Status {
	case StatusQueued:
		return nil
	case StatusFailed:
		return record(ctx, tx, "sale_invoice.send_failed", l)
	case StatusSent:
	}
	err := webhook.Publish(ctx, tx, webhook.Event{Type: "sale_invoice.sent", ObjectType: entity, ObjectID: l.InvoiceID})
	if err != nil {
		return err //nolint:wrapcheck // says what was published
	}
	return record(ctx, tx, "sale_invoice.sent", l)
}
