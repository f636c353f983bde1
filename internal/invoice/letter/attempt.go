package letter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/fault"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
)

// attempt sends a letter once if no other server is at it.
func (m *Postman) attempt(ctx context.Context, at place, now clock.Time) error {
	if err := ctx.Err(); err != nil {
		return err //nolint:wrapcheck // the server stops
	}
	// From the claim on, the work is brought to its end even when the server is stopping: a claim that is given up half-way
	// holds the letter until it runs out, and a letter cut off half-way may have come.
	ctx = context.WithoutCancel(ctx)
	claim, err := m.claim(ctx, at, now)
	if err != nil || claim.IsZero() {
		return err
	}
	scope, err := m.system.Scope(ctx, at.CompanyID, actor)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	l, end := m.send(ctx, scope, at.ID, claim)
	if l == nil {
		return end
	}
	fault.Point(ctx, fault.LetterAfterSend)
	for try := 1; ; try++ {
		err := m.settle(ctx, scope, *l, end)
		if err == nil || try == settleTries {
			return err
		}
		time.Sleep(settlePause)
	}
}

// claim takes a letter, or gives the zero id when it is not to be had: ended, put off or taken meanwhile.
func (m *Postman) claim(ctx context.Context, at place, now clock.Time) (tenant.ID, error) {
	claim := tenant.NewID()
	result, err := tenant.SystemExec(ctx, m.system, `UPDATE sales_letters SET claim = ?, claimed_at = @now, attempts = attempts + 1
		WHERE company_id = ? AND id = ? AND status = 'queued' AND next_attempt_at <= @now AND (claimed_at IS NULL OR claimed_at < ?)`,
		claim, at.CompanyID, at.ID, claimsBefore(now))
	if err != nil {
		return tenant.ID{}, fmt.Errorf("claiming a letter: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return tenant.ID{}, err //nolint:wrapcheck // no driver fails here
	}
	return claim, nil
}

// send writes and sends a claimed letter. Without a letter nothing was sent, and the claim runs out.
func (m *Postman) send(ctx context.Context, scope tenant.Scope, id, claim tenant.ID) (*Letter, error) {
	var l *Letter
	var written mail.Letter
	err := m.system.Store().Snapshot(ctx, scope, func(ctx context.Context, r tenant.ReadTx) (err error) {
		if l, err = tenant.First[Letter](ctx, r, "id = ? AND claim = ?", id, claim); err != nil || l == nil {
			return err //nolint:wrapcheck // says what was read
		}
		written, err = l.compose(ctx, r)
		return err
	})
	if err != nil || l == nil {
		return l, err //nolint:wrapcheck // says what was read
	}
	return l, m.mailer.Deliver(ctx, written) //nolint:wrapcheck // says what failed
}

// compose writes the letter from its document as it stands: one that was cancelled since goes out no more.
func (l Letter) compose(ctx context.Context, r tenant.Reader) (mail.Letter, error) {
	p, err := sendable(ctx, r, l.InvoiceID)
	if err != nil {
		return mail.Letter{}, err
	}
	pdf, err := document.Render(p, l.Locale)
	if err != nil {
		return mail.Letter{}, err //nolint:wrapcheck // a refusal as it stands
	}
	return l.write(p, pdf), nil
}

// isFinal reports an end after which no attempt can help.
func isFinal(end error) bool {
	return mail.IsPermanent(end) || errors.Is(end, invoice.ErrCancelled) || errors.Is(end, document.ErrUnprintable)
}

// explain says why an attempt failed, to the people of the company.
func explain(end error) string {
	text := "the server could not make the letter"
	if refusal, ok := errors.AsType[*apperr.Error](end); ok {
		text = refusal.Message()
	} else if reason, ok := mail.Reason(end); ok {
		text = reason
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), maxErrorLength)])
}
