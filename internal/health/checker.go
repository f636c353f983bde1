package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// Bounds of a report.
const (
	// timeout is how long the database may take to answer all checks.
	timeout = 3 * time.Second
	// remembered is how long a report stands: readiness is asked without a token, and must not be a way to load the database.
	remembered = time.Second
	// OutboxStuck is how long an event may wait to be handed out. A dispatcher looks twice a second, so an event that old
	// means that none works.
	OutboxStuck = 5 * time.Minute
	// SweeperStuck is how long an expired key may stay. Nothing depends on it but the size of the table.
	SweeperStuck = time.Hour
)

// Checker reports on one server.
type Checker struct {
	system   tenant.System
	draining atomic.Bool

	mu     sync.Mutex
	last   Report
	lastAt time.Time
}

// NewChecker reports on the server that stands on system.
func NewChecker(system tenant.System) *Checker { return &Checker{system: system} }

// Drain makes every report from now on Unavailable, so that balancers send requests elsewhere before the server stops.
func (c *Checker) Drain() { c.draining.Store(true) }

// Report looks, or tells what it found less than a second ago.
func (c *Checker) Report(ctx context.Context) Report {
	if c.draining.Load() {
		return reportOf(Check{Name: drainingCheck, State: Failing, Detail: drainingMessage})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.system.Store().Clock().Now()
	if !c.lastAt.IsZero() && now.Sub(c.lastAt) < remembered {
		return c.last
	}
	// What is found is for others too, so a caller that hangs up does not spoil it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	c.last = c.look(ctx)
	c.lastAt = c.system.Store().Clock().Now()
	return c.last
}

func (c *Checker) look(ctx context.Context) Report {
	db := c.system.Store().Database()
	if err := db.Ping(ctx); err != nil {
		return reportOf(failing(ctx, "database", "the database does not answer", err))
	}
	checks := []Check{{Name: "database", State: OK}, migrations(ctx, db), writable(ctx, db)}
	if checks[1].State == OK {
		checks = append(checks, c.outbox(ctx), c.sweeper(ctx))
		checks = append(checks, c.replica(ctx)...)
	}
	return reportOf(checks...)
}

// failing keeps the cause for the log: it may hold an address.
func failing(ctx context.Context, name, detail string, err error) Check {
	slog.WarnContext(ctx, "not ready", "check", name, "error", err)
	return Check{Name: name, State: Failing, Detail: detail}
}

var errPending = errors.New("a migration of this server is pending")

func migrations(ctx context.Context, db *database.DB) Check {
	pending, err := db.Pending(ctx)
	switch {
	case err != nil:
		return failing(ctx, "migrations", "the version of the schema could not be read", err)
	case pending:
		return failing(ctx, "migrations", "the schema is behind this server; run: server migrate up", errPending)
	}
	return Check{Name: "migrations", State: OK}
}

func writable(ctx context.Context, db *database.DB) Check {
	err := db.Writable(ctx)
	switch {
	case errors.Is(err, database.ErrReadOnly):
		return failing(ctx, "writable", "the database is read-only; see docs/runbooks/database-read-only.md", err)
	case err != nil:
		return failing(ctx, "writable", "whether the database can be written could not be found out", err)
	}
	return Check{Name: "writable", State: OK}
}

func (c *Checker) outbox(ctx context.Context) Check {
	backlog, err := delivery.MeasureBacklog(ctx, c.system)
	return late(ctx, "outbox", backlog.Waiting, OutboxStuck, "events wait to be handed out since %s; see docs/runbooks/stuck-outbox.md", err)
}

func (c *Checker) sweeper(ctx context.Context) Check {
	lag, err := idempotency.SweepLag(ctx, c.system)
	return late(ctx, "sweeper", lag, SweeperStuck, "expired keys are %s behind; see docs/runbooks/first-hour.md", err)
}

// late never fails a server: what cannot be measured is reported like what is late.
func late(ctx context.Context, name string, lag, bound time.Duration, detail string, err error) Check {
	switch {
	case err != nil:
		slog.WarnContext(ctx, "not measured", "check", name, "error", err)
		return Check{Name: name, State: Degraded, Detail: "it could not be measured"}
	case lag > bound:
		return Check{Name: name, State: Degraded, Detail: fmt.Sprintf(detail, lag.Truncate(time.Second))}
	}
	return Check{Name: name, State: OK}
}

// replica is about the replica of reports, where there is one: without it the primary answers them.
func (c *Checker) replica(ctx context.Context) []Check {
	trouble, isSet := c.system.Store().ReplicaTrouble(ctx)
	switch {
	case !isSet:
		return nil
	case trouble != "":
		return []Check{{Name: "replica", State: Degraded, Detail: "reports are answered by the primary: " + trouble + "; see docs/runbooks/replica.md"}}
	}
	return []Check{{Name: "replica", State: OK}}
}
