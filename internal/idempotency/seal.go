package idempotency

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of sealing.
const (
	// youth is the age of a claim up to which its commit may have become visible just now: longer than a request runs.
	youth = workTimeout + 5*time.Second
	// sealTimeout bounds one write.
	sealTimeout = 5 * time.Second
)

// sealer makes what was read as committed stay, should the database die the next moment. InnoDB shows a commit to others
// before its log is on the disk, so a second sender could be told of an effect that a crash takes back. A write that is
// committed after the read takes the log along. One write serves all who wait when it begins.
type sealer struct {
	mu      sync.Mutex
	next    *seal
	running bool
	trusted trusted
}

// trusted are the claims, by their attempts, of which this server knows that they stay: it was told so by their commit or by a
// seal. They are forgotten when they are no longer young: those of before stands for up to one youth, those of now for two.
type trusted struct {
	mu          sync.Mutex
	now, before map[tenant.ID]struct{}
	turned      time.Time
}

func (t *trusted) add(attempt tenant.ID, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now == nil || at.Sub(t.turned) > youth {
		t.now, t.before, t.turned = map[tenant.ID]struct{}{}, t.now, at
	}
	t.now[attempt] = struct{}{}
}

func (t *trusted) has(attempt tenant.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, isNew := t.now[attempt]
	_, isOld := t.before[attempt]
	return isNew || isOld
}

// seal is one write.
type seal struct {
	write func(context.Context) error
	done  chan struct{}
	err   error
}

// keep returns when a write that began after this call is committed.
func (s *sealer) keep(ctx context.Context, write func(context.Context) error) error {
	s.mu.Lock()
	mine := s.next
	if mine == nil {
		mine = &seal{write: write, done: make(chan struct{})}
		s.next = mine
	}
	if !s.running {
		s.running = true
		go s.work(context.WithoutCancel(ctx))
	}
	s.mu.Unlock()
	select {
	case <-mine.done:
		return mine.err
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // wrapped by keepClaim
	}
}

// work writes as long as somebody waits.
func (s *sealer) work(ctx context.Context) {
	for {
		s.mu.Lock()
		mine := s.next
		s.next = nil
		s.running = mine != nil
		s.mu.Unlock()
		if mine == nil {
			return
		}
		limited, cancel := context.WithTimeout(ctx, sealTimeout)
		mine.err = mine.write(limited)
		cancel()
		close(mine.done)
	}
}

// keepClaim makes a committed claim stay before somebody is told of it. SQLite shows a commit only when it is on the disk.
// Error: unavailable.
func (r *Runner) keepClaim(ctx context.Context, c Call, found *claim) error {
	if r.store.Database().Dialect() == database.SQLite || found.JudgedAt.Sub(found.CreatedAt.Time) > youth || r.sealer.trusted.has(found.Attempt) {
		return nil
	}
	err := r.sealer.keep(ctx, func(ctx context.Context) error {
		return r.store.Mutate(ctx, c.Scope, func(ctx context.Context, tx tenant.Tx) error {
			// There and back: a write that changes nothing has no log.
			for _, step := range []int{1, -1} {
				_, err := tenant.Exec(ctx, tx, `UPDATE idempotency_keys SET replay_count = replay_count + ?
					WHERE company_id = @company AND idempotency_key = ?`, step, c.Key.Bytes())
				if err != nil {
					return fmt.Errorf("sealing a claim: %w", err)
				}
			}
			return nil
		})
	})
	if err != nil {
		return apperr.ErrUnavailable.New("Whether the first request stays could not be made sure of; send the same again.").Because(err)
	}
	r.sealer.trusted.add(found.Attempt, r.store.Clock().Now())
	return nil
}
