package export

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of jobs.
var (
	ErrUnknownReport = apperr.Define("export.unknown_report", apperr.Rule, "There is no export of this report; the message lists those there are.")
	ErrUnknownFormat = apperr.Define("export.unknown_format", apperr.Rule, "The report cannot be made in this format; the message lists its formats.")
	ErrTooManyJobs   = apperr.Define("export.too_many_jobs", apperr.Conflict, "The company has as many unfinished export jobs as it may; wait for one or cancel one.")
	ErrFinished      = apperr.Define("export.finished", apperr.Conflict, "The export job has ended and cannot be cancelled any more.")
)

// Errors that end a job. They are shown by the job, not by a request.
var (
	ErrTooLarge  = apperr.Define("export.too_large", apperr.Rule, "The file would be larger than a file may be; narrow the days or choose csv.")
	ErrTimeout   = apperr.Define("export.timeout", apperr.Rule, "The file took longer than a job may take; narrow the days.")
	ErrExhausted = apperr.Define("export.attempts_exhausted", apperr.Rule, "Every attempt at the job failed; tell support the id of the job.")
	errCancelled = apperr.Define("export.cancelled", apperr.Conflict, "The export job was cancelled.")
)
