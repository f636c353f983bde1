package export

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// errLost ends an attempt whose job is with somebody else, or with nobody any more.
var errLost = errors.New("the job is no longer with this attempt")

// claimed is a job that an attempt owns.
type claimed struct {
	CompanyID tenant.ID
	ID        tenant.ID
	// Attempts counts this one too.
	Attempts int
	JudgedAt clock.Time
	owner    tenant.ID
	scope    tenant.Scope
}

// candidates is how many due jobs are looked at in one go: when another worker was quicker with the first, the next one is tried.
const candidates = 10

// claim takes the job that has waited the longest and is with nobody, or whose lease has passed. The engines have no common way
// to skip locked rows, so a claim is a conditional update of one row, and the loser of a race takes the next job.
func (w *Worker) claim(ctx context.Context) (*claimed, error) {
	due, err := tenant.SystemQuery[claimed](ctx, w.System, `SELECT company_id, id, attempts, @now AS judged_at FROM export_jobs
		WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= @now) ORDER BY created_at, id LIMIT ?`, candidates)
	if err != nil {
		return nil, fmt.Errorf("looking for export jobs: %w", err)
	}
	for _, c := range due {
		c.owner = tenant.NewID()
		result, err := tenant.SystemExec(ctx, w.System, `UPDATE export_jobs SET status = 'running', owner = ?, lease_until = ?,
			attempts = attempts + 1, progress = 0, started_at = COALESCE(started_at, ?)
			WHERE company_id = ? AND id = ? AND attempts = ? AND (status = 'queued' OR (status = 'running' AND lease_until <= @now))`,
			c.owner, w.leaseFrom(c.JudgedAt), clock.At(w.System.Store().Clock().Now()), c.CompanyID, c.ID, c.Attempts)
		if err != nil {
			return nil, fmt.Errorf("claiming an export job: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil {
			return nil, fmt.Errorf("claiming an export job: %w", err)
		} else if n == 1 {
			c.Attempts++
			return &c, nil
		}
	}
	return nil, nil //nolint:nilnil // none is an answer, not an error
}

func (w *Worker) lease() time.Duration {
	if w.Lease == 0 {
		return DefaultLease
	}
	return w.Lease
}

func (w *Worker) leaseFrom(now clock.Time) clock.Time { return clock.At(now.Add(w.lease())) }

// keep renews the lease until the context ends, and ends it when the job was cancelled or is with somebody else.
func (w *Worker) keep(ctx context.Context, c *claimed, progress func() int, stop context.CancelCauseFunc) {
	ticker := time.NewTicker(min(w.lease()/renewals, time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := w.renew(ctx, c, progress())
		switch {
		case errors.Is(err, errLost):
			stop(err)
			return
		case err != nil && ctx.Err() == nil:
			// The next renewal may succeed; if none does, the commit will find the job with somebody else.
			slog.WarnContext(ctx, "export lease not renewed", "job", c.ID.String(), "error", err)
		}
	}
}

// renew moves the end of the lease away. Error: errLost.
func (w *Worker) renew(ctx context.Context, c *claimed, progress int) error {
	now, err := w.System.DatabaseNow(ctx)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	result, err := tenant.SystemExec(ctx, w.System, `UPDATE export_jobs SET lease_until = ?, progress = ?
		WHERE company_id = ? AND id = ? AND owner = ? AND status = 'running'`, w.leaseFrom(now), progress, c.CompanyID, c.ID, c.owner)
	if err != nil {
		return fmt.Errorf("renewing the lease: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, errLost)
	}
	return nil
}

// release gives a job back when the worker is told to stop; the attempt does not count.
func (w *Worker) release(ctx context.Context, c *claimed) {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer end()
	_, err := tenant.SystemExec(ctx, w.System, `UPDATE export_jobs SET status = 'queued', owner = NULL, lease_until = NULL, progress = 0,
		attempts = attempts - 1 WHERE company_id = ? AND id = ? AND owner = ? AND status = 'running'`, c.CompanyID, c.ID, c.owner)
	if err != nil {
		slog.WarnContext(ctx, "export job not given back; another worker takes it when its lease has passed", "error", err)
	}
}
