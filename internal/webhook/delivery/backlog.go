package delivery

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Backlog is how old the oldest work of the dispatchers is, of all companies together; zero where there is none.
type Backlog struct {
	// Waiting is the age of the oldest event whose deliveries are not written: more than seconds means that no dispatcher
	// works.
	Waiting time.Duration
	// Undelivered is the age of the oldest delivery that an active subscription has not got. A receiver that is down makes
	// it grow for days.
	Undelivered time.Duration
}

type backlogAge struct {
	Oldest   clock.Time
	JudgedAt clock.Time
}

// MeasureBacklog reads the backlog by the database's clock. It reads the pending rows alone.
func MeasureBacklog(ctx context.Context, system tenant.System) (Backlog, error) {
	waiting, err := tenant.SystemQuery[backlogAge](ctx, system, `SELECT created_at AS oldest, @now AS judged_at FROM outbox_events
		WHERE fanned_out_at IS NULL ORDER BY id LIMIT 1`)
	if err != nil {
		return Backlog{}, err //nolint:wrapcheck // says what was read
	}
	undelivered, err := tenant.SystemQuery[backlogAge](ctx, system, `SELECT MIN(d.created_at) AS oldest, @now AS judged_at
		FROM webhook_subscriptions s JOIN webhook_deliveries d ON d.company_id = s.company_id AND d.subscription_id = s.id
		AND d.status = 'pending' WHERE s.state = 'active'`)
	return Backlog{Waiting: age(waiting), Undelivered: age(undelivered)}, err //nolint:wrapcheck // says what was read
}

// age is never negative: an event bears the clock of the server that wrote it.
func age(rows []backlogAge) time.Duration {
	if len(rows) == 0 || rows[0].Oldest.IsZero() {
		return 0
	}
	return max(0, rows[0].JudgedAt.Sub(rows[0].Oldest.Time))
}
