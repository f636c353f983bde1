package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// complete stores the files and ends the job, in one transaction: before its commit nobody sees a file, after it everybody sees
// them all.
func (w *Worker) complete(ctx context.Context, c *claimed, made production) error {
	// The transaction holds the job's row; a whole lease is ample for it.
	if err := w.renew(ctx, c, lastPercent); err != nil {
		return ignoreLost(err)
	}
	warnings, err := encodeWarnings(made.warnings)
	if err != nil {
		return err
	}
	err = w.System.Store().Mutate(ctx, c.scope, func(ctx context.Context, tx tenant.Tx) error {
		result, err := tenant.Exec(ctx, tx, `UPDATE export_jobs SET status = 'completed', progress = 100, owner = NULL, lease_until = NULL,
			finished_at = ?, warnings = ? WHERE company_id = @company AND id = ? AND owner = ? AND status = 'running'`,
			tx.Now(), warnings, c.ID, c.owner)
		if err != nil {
			return fmt.Errorf("completing an export job: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, errLost)
		}
		for _, p := range made.products {
			if err := p.store(ctx, tx); err != nil {
				return err
			}
		}
		return announce(ctx, tx, c.ID, "report.completed", "report_job.completed", nil)
	})
	return ignoreLost(err)
}

// lastPercent is the progress of a job whose files wait to be stored.
const lastPercent = 99

// store writes a file with its bytes, or as one more name for those of an earlier file.
func (p product) store(ctx context.Context, tx tenant.Tx) error {
	f := p.file
	f.CreatedAt = tx.Now()
	if p.same == nil {
		return f.store(ctx, tx, p.content)
	}
	f.ContentID, f.SizeBytes, f.SHA256 = p.same.ContentID, p.same.SizeBytes, p.same.SHA256
	return tenant.Insert(ctx, tx, &f) //nolint:wrapcheck // says what was stored
}

// fail ends a job without a file and keeps the reason.
func (w *Worker) fail(ctx context.Context, c *claimed, reason *apperr.Error) error {
	err := w.System.Store().Mutate(ctx, c.scope, func(ctx context.Context, tx tenant.Tx) error {
		const maxMessage = 1000 // the width of the column, in characters
		message := []rune(explain(reason))
		result, err := tenant.Exec(ctx, tx, `UPDATE export_jobs SET status = 'failed', owner = NULL, lease_until = NULL, finished_at = ?,
			error_code = ?, error_message = ? WHERE company_id = @company AND id = ? AND owner = ? AND status = 'running'`,
			tx.Now(), reason.Code().Name(), string(message[:min(len(message), maxMessage)]), c.ID, c.owner)
		if err != nil {
			return fmt.Errorf("failing an export job: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, errLost)
		}
		return announce(ctx, tx, c.ID, "report.failed", "report_job.failed", failureView{reason.Code().Name(), explain(reason)})
	})
	return ignoreLost(err)
}

// explain is the message of a refusal with the faults of fields, which a job has no place for.
func explain(reason *apperr.Error) string {
	message := reason.Message()
	fields := reason.Fields()
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		message += " " + path + ": " + strings.Join(fields[path], ", ") + "."
	}
	return message
}

// failureView is why a job failed, in the audit log.
type failureView struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// announce tells the end of a job to the audit log and to those who listen.
func announce(ctx context.Context, tx tenant.Tx, job tenant.ID, event, action string, after any) error {
	err := audit.Record(ctx, tx, audit.Entry{Action: action, Entity: entity, EntityID: job.String(), After: after})
	if err != nil {
		return fmt.Errorf("recording the end of an export job: %w", err)
	}
	err = webhook.Publish(ctx, tx, webhook.Event{Type: event, ObjectType: "report", ObjectID: job})
	if err != nil {
		return fmt.Errorf("telling the end of an export job: %w", err)
	}
	return nil
}

// ignoreLost makes nothing of a job that was cancelled or taken over meanwhile: whoever did so has seen to it.
func ignoreLost(err error) error {
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}
