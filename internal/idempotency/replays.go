package idempotency

import (
	"context"
	"fmt"
	"sync"

	"github.com/vienkart/vienkart/internal/tenant"
)

// replayCounter counts replays in memory and adds them to the claims now and then: a replay is a read, and a write for
// each would make it as dear as the first request. What a killed server had not added yet is lost; no promise rests on it.
type replayCounter struct {
	mu     sync.Mutex
	counts map[scopedKey]int64
}

func newReplayCounter() *replayCounter { return &replayCounter{counts: map[scopedKey]int64{}} }

func (c *replayCounter) add(k scopedKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[k]++
}

func (c *replayCounter) pending(k scopedKey) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[k]
}

func (c *replayCounter) take() map[scopedKey]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.counts
	c.counts = map[scopedKey]int64{}
	return taken
}

// FlushReplays adds the replays counted since the last flush to their claims.
func (r *Runner) FlushReplays(ctx context.Context, system tenant.System) error {
	for k, n := range r.replays.take() {
		_, err := tenant.SystemExec(ctx, system, `UPDATE idempotency_keys SET replay_count = replay_count + ?
			WHERE company_id = ? AND idempotency_key = ? AND state = ?`, n, k.company, k.key.Bytes(), stateDone)
		if err != nil {
			return fmt.Errorf("counting replays: %w", err)
		}
	}
	return nil
}
