package export

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Backlog is what the workers of all companies have done and have to do.
type Backlog struct {
	// Jobs counts the jobs in each state; every state is there.
	Jobs map[Status]int64
	// Waiting is how long the oldest queued job has waited; zero when none does.
	Waiting time.Duration
}

// MeasureBacklog reads the backlog.
func MeasureBacklog(ctx context.Context, system tenant.System) (Backlog, error) {
	b := Backlog{Jobs: map[Status]int64{Queued: 0, Running: 0, Completed: 0, Failed: 0, Cancelled: 0}}
	counts, err := tenant.SystemQuery[struct {
		Status Status
		N      int64
	}](ctx, system, "SELECT status, COUNT(*) AS n FROM export_jobs GROUP BY status")
	if err != nil {
		return b, err //nolint:wrapcheck // says what was read
	}
	for _, c := range counts {
		b.Jobs[c.Status] = c.N
	}
	oldest, err := tenant.SystemQuery[struct{ Oldest, JudgedAt clock.Time }](ctx, system,
		"SELECT MIN(created_at) AS oldest, @now AS judged_at FROM export_jobs WHERE status = 'queued'")
	if err == nil && len(oldest) == 1 && !oldest[0].Oldest.IsZero() {
		b.Waiting = max(0, oldest[0].JudgedAt.Sub(oldest[0].Oldest.Time))
	}
	return b, err //nolint:wrapcheck // says what was read
}
