package idempotency_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// tally counts what it is told.
type tally struct {
	mu   sync.Mutex
	told map[string]int
}

func (c *tally) add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told[what]++
}

func (c *tally) Ended(e idempotency.Ending) { c.add(string(e)) }
func (c *tally) TookOver()                  { c.add("took over") }
func (c *tally) RanAgain()                  { c.add("ran again") }

func TestObserver(t *testing.T) {
	t.Parallel()
	b := newBundle(t, testkit.SQLite(t), time.Hour)
	told := &tally{told: map[string]int{}}
	b.runner.Observe(told)
	run := func(k, body string, after ...func(context.Context, tenant.Tx) error) {
		_, _ = b.runner.Run(t.Context(), b.call(t, k, body, after...))
	}
	refusals := 1
	run("K1", `{"a":1}`)
	run("K1", `{"a":1}`)
	run("K1", `{"a":2}`)
	run("K2", `{}`, func(context.Context, tenant.Tx) error { return errLocked.New("locked") })
	run("K2", `{}`)
	run("K3", `{}`, func(ctx context.Context, tx tenant.Tx) error {
		if refusals--; refusals < 0 {
			return nil
		}
		_, err := tenant.Exec(ctx, tx, `INSERT INTO audit_log (company_id, id, actor_type, actor_id, action, entity, request_id, created_at)
			SELECT company_id, id, actor_type, actor_id, action, entity, request_id, created_at FROM audit_log WHERE company_id = @company`)
		return err
	})
	release := b.held(t, "K4", `{}`)
	run("K4", `{}`)
	_, err := release()
	require.NoError(t, err)
	unprotected := b.call(t, "K5", `{}`)
	unprotected.Key = idempotency.Key{}
	_, err = b.runner.Run(t.Context(), unprotected)
	require.NoError(t, err)
	require.Equal(t, map[string]int{
		"executed": 4, "replayed": 1, "reuse": 1, "failed": 1, "in_progress": 1, "took over": 1, "ran again": 1,
	}, told.told)
}
