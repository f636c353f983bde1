package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// heldAtMost is how long a request may be held up on SQLite: the server gives up after five seconds.
const heldAtMost = 4 * time.Second

// twin is refused because the first request under its key runs.
func twin(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, postPath, c.running, entryBody, http.StatusConflict)
	return err
}

// hold has a request run for each company until release, under the key that twins use then.
func (h *house) hold(ctx context.Context, c *caller, companies []company) (release func() error, err error) {
	c.running = tenant.NewID().String()
	tx, err := h.admin.Writer().BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("beginning a transaction: %w", err)
	}
	if h.engine.mysql == nil {
		return holdWriter(ctx, c, companies, tx.Rollback)
	}
	// A running twin on another server is a claim that is not committed. It is like the claim of the replays but for its key.
	for _, to := range companies {
		_, err := tx.ExecContext(ctx, `INSERT INTO idempotency_keys (company_id, idempotency_key, state, fingerprint, method, route, query,
			media_type, request, request_id, actor, attempt, replay_count, created_at, expires_at)
			SELECT company_id, ?, 'running', fingerprint, method, route, query, media_type, request, request_id, actor, attempt, 0,
			created_at, expires_at FROM idempotency_keys WHERE company_id = ? AND idempotency_key = ?`,
			[]byte(c.running), to.id, []byte(replayKey))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("holding a key: %w", err), tx.Rollback())
		}
	}
	return tx.Rollback, nil
}

// holdWriter sends the first requests while another transaction has the only writer that SQLite knows: they wait, and end when it does.
func holdWriter(ctx context.Context, c *caller, companies []company, end func() error) (release func() error, err error) {
	first := newCaller(c.url, c.known, len(companies))
	failed := make([]error, len(companies))
	var wait sync.WaitGroup
	for i, to := range companies {
		wait.Go(func() {
			var answer []byte
			if answer, failed[i] = first.post(ctx, to, postPath, c.running, entryBody, http.StatusOK); failed[i] == nil {
				failed[i] = c.known.again(entry, answer)
			}
		})
	}
	time.Sleep(heldAtMost / 10) // until all have arrived
	return func() error {
		err := end()
		wait.Wait()
		first.close()
		return errors.Join(append(failed, err)...)
	}, nil
}
