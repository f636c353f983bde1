package export

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Status is where a job is.
type Status string

// The states. A job leaves the last three never.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
)

// Job is a row of export_jobs.
type Job struct {
	tenant.Row
	ReportType string
	Params     string
	Formats    string
	Status     Status
	// Progress is in per cent.
	Progress int
	Attempts int
	// Owner is the attempt that works on it, which nobody may take over before LeaseUntil by the database's clock.
	Owner        *tenant.ID
	LeaseUntil   clock.Time
	ErrorCode    *string
	ErrorMessage *string
	// Warnings are texts in JSON, of a completed job whose files lack something.
	Warnings   *string
	CreatedAt  clock.Time
	StartedAt  clock.Time
	FinishedAt clock.Time
}

// TableName names the table for the mapper.
func (Job) TableName() string { return "export_jobs" }

// Limits of jobs.
const (
	maxOpenJobs = 20   // of one company, so that it cannot keep every worker from the others
	maxParams   = 4096 // characters
)

// CreateInput asks for a job.
type CreateInput struct {
	ReportType string
	Params     jsontext.Value
	Formats    []Format
}

// Create stores a job for any worker. Errors: export.unknown_report, export.unknown_format, export.too_many_jobs, and those of
// the parameters.
func Create(ctx context.Context, tx tenant.Tx, reports Reports, in CreateInput) (*Job, error) {
	report, err := reports.find(in.ReportType)
	if err != nil {
		return nil, err
	}
	formats := unique(in.Formats)
	if len(formats) == 0 {
		formats = report.Formats[:1]
	}
	for _, f := range formats {
		if !slices.Contains(report.Formats, f) {
			return nil, ErrUnknownFormat.New("%s is not made as %s; its formats are %s.", in.ReportType, f, joinFormats(report.Formats)).
				Field("formats", "has %s, which the report is not made in", f)
		}
	}
	prepared, err := report.Prepare(in.Params, tx.Today())
	if err != nil {
		return nil, err
	}
	if len(prepared.Params) > maxParams {
		return nil, apperr.Invalid("params", "are longer than %d characters", maxParams)
	}
	open, err := tenant.Count[Job](ctx, tx, "status IN ('queued', 'running')")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was counted
	}
	if open >= maxOpenJobs {
		return nil, ErrTooManyJobs.New("The company has %d unfinished export jobs; wait for one to end, or cancel one.", open)
	}
	job := &Job{
		ReportType: in.ReportType, Params: string(prepared.Params), Formats: joinFormats(formats), Status: Queued, CreatedAt: tx.Now(),
	}
	if err := tenant.Insert(ctx, tx, job); err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	return job, job.record(ctx, tx, "report_job.created")
}

// Cancel ends a job that has not ended. Its worker notices between two rows and stores nothing.
// Errors: not_found, export.finished.
func Cancel(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Job, error) {
	job, err := tenant.Lock[Job](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if job.Status != Queued && job.Status != Running {
		return nil, ErrFinished.New("The export job is %s already; there is nothing to cancel.", job.Status)
	}
	job.Status, job.Owner, job.LeaseUntil, job.FinishedAt = Cancelled, nil, clock.Time{}, tx.Now()
	if err := tenant.Update(ctx, tx, job, "status", "owner", "lease_until", "finished_at"); err != nil {
		return nil, err //nolint:wrapcheck // says what was updated
	}
	return job, job.record(ctx, tx, "report_job.cancelled")
}

// jobView is a job in the audit log.
type jobView struct {
	ID         tenant.ID      `json:"id"`
	ReportType string         `json:"reportType"`
	Params     jsontext.Value `json:"params"`
	Formats    []Format       `json:"formats"`
	Status     Status         `json:"status"`
}

func (j *Job) record(ctx context.Context, tx tenant.Tx, action string) error {
	err := audit.Record(ctx, tx, audit.Entry{
		Action: action, Entity: entity, EntityID: j.ID.String(),
		After: jobView{j.ID, j.ReportType, jsontext.Value(j.Params), splitFormats(j.Formats), j.Status},
	})
	if err != nil {
		return fmt.Errorf("recording %s: %w", action, err)
	}
	return nil
}

// entity is what jobs are called in the audit log, in events and by files.
const entity = "report_job"
