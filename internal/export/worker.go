package export

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Times and limits of a worker unless it is given others.
const (
	DefaultPoll  = time.Second
	DefaultLease = 30 * time.Second
	// maxRun bounds a job: its snapshot keeps the database from purging old versions of rows.
	maxRun      = 10 * time.Minute
	maxAttempts = 3
	// renewals is how often the lease is renewed before it would pass, so that one late renewal costs nothing.
	renewals = 4
	// releaseTimeout bounds what a worker that is told to stop still does.
	releaseTimeout = 2 * time.Second
)

// actor is how the worker's deeds are signed in the audit log.
const actor = "export-worker"

// Worker makes the files of jobs, of every company, one job after the other. Any number of workers may run, in one server or in
// many.
type Worker struct {
	System  tenant.System
	Reports Reports
	// Poll is how long an idle worker waits before it looks again; Lease is how long a job stays with a worker that gives no sign
	// of life. Zero takes the defaults.
	Poll  time.Duration
	Lease time.Duration
}

// Run works until the context ends. A job under way is then given back, for another worker to begin anew.
func (w *Worker) Run(ctx context.Context) {
	poll := w.Poll
	if poll == 0 {
		poll = DefaultPoll
	}
	for ctx.Err() == nil {
		worked, err := w.RunOnce(ctx)
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "export job not done", "error", err)
		}
		if worked && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(poll):
		}
	}
}

// RunOnce works on one job, if there is one to work on. An error means that the job was neither completed nor failed: it is taken
// up again when its lease has passed.
func (w *Worker) RunOnce(ctx context.Context) (worked bool, err error) {
	c, err := w.claim(ctx)
	if err != nil || c == nil {
		return false, err
	}
	scope, err := w.System.Scope(ctx, c.CompanyID, actor)
	if err != nil {
		return true, fmt.Errorf("entering the company of a job: %w", err)
	}
	c.scope = scope
	if c.Attempts > maxAttempts {
		return true, w.fail(ctx, c, ErrExhausted.New("%d attempts at the job failed; tell support its id.", maxAttempts))
	}
	job, err := w.load(ctx, c)
	if err != nil {
		return true, err
	}
	made, err := w.make(ctx, c, job)
	switch {
	case errors.Is(err, errLost):
		return true, nil
	case ctx.Err() != nil:
		w.release(ctx, c)
		return true, ctx.Err() //nolint:wrapcheck // the worker was told to stop
	case errors.Is(err, context.DeadlineExceeded):
		return true, w.fail(ctx, c, ErrTimeout.New("The files were not ready after %s; narrow the days.", maxRun))
	case err != nil:
		if refusal, ok := errors.AsType[*apperr.Error](err); ok && refusal.Kind() != apperr.Internal && refusal.Kind() != apperr.Unavailable {
			return true, w.fail(ctx, c, refusal)
		}
		return true, fmt.Errorf("making the files of the job %s, attempt %d: %w", c.ID, c.Attempts, err)
	}
	return true, w.complete(ctx, c, made)
}

func (w *Worker) load(ctx context.Context, c *claimed) (Job, error) {
	var job *Job
	err := w.System.Store().Snapshot(ctx, c.scope, func(ctx context.Context, r tenant.ReadTx) (err error) {
		job, err = tenant.Get[Job](ctx, r, c.ID)
		return err
	})
	if err != nil {
		return Job{}, fmt.Errorf("reading the job: %w", err)
	}
	return *job, nil
}

// make produces the files of a job while its lease is kept.
func (w *Worker) make(ctx context.Context, c *claimed, job Job) (made production, err error) {
	ctx, end := context.WithTimeout(ctx, maxRun)
	defer end()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var keeping sync.WaitGroup
	f := &fan{ctx: ctx}
	keeping.Go(func() { w.keep(ctx, c, f.progress, stop) })
	defer keeping.Wait()
	defer stop(nil)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	made, err = w.produce(ctx, c, job, f)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		// What the report makes of an ended context says less than why it ended.
		return production{}, cause
	}
	return made, err
}
