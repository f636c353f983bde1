package tenant

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/vienkart/vienkart/internal/database"
)

// AuditCounterBits are the low bits of an id in the audit log, which a counter fills; above them are milliseconds.
const AuditCounterBits = 12

// What every mutation leaves is a line in the audit log, so the log tells whether a replica has everything of a company. Its
// newest line alone does not: a transaction that began before it may have committed after it, and the replica follows commits. So
// all lines are counted that are not older than the newest one by more than a transaction can last.
const (
	// recentWindow covers a request of 30 seconds whose server then froze for the two minutes that the database lets it and
	// whose commit took as long as a commit may, and leaves more than six minutes for clocks of servers that differ.
	recentWindow = 10 * time.Minute
	// maxRecent bounds the count. A company that wrote more lines in a window is read from the primary.
	maxRecent = 20_000
)

// traces are the lines that a replica must have, with the id of the newest.
type traces struct {
	last  int64
	count int
}

// ReportSnapshot is Snapshot for work that reads much: of the replica, if there is one that has everything the company committed
// before the call, else of the primary. The work may run twice, the second time after the replica failed, so it begins anew.
func (s *Store) ReportSnapshot(ctx context.Context, scope Scope, fn func(context.Context, ReadTx) error) error {
	if s.replica == nil {
		return s.Snapshot(ctx, scope, fn)
	}
	use, err := s.replica.snapshot(ctx, scope, fn)
	s.replica.observer.ReadReport(use)
	if use == ReplicaUsed {
		return err
	}
	return s.Snapshot(ctx, scope, fn)
}

// snapshot runs fn on the replica where that is right. Its error is the answer when the replica was used.
func (r *replica) snapshot(ctx context.Context, scope Scope, fn func(context.Context, ReadTx) error) (ReplicaUse, error) {
	if r.standing(ctx) != nil {
		return ReplicaUnfit, nil
	}
	wanted, err := r.store.recent(ctx, scope)
	if err != nil || wanted.count == 0 || wanted.count > maxRecent {
		return ReplicaBehind, err
	}
	asking, cancel := context.WithTimeout(ctx, replicaPatience)
	defer cancel()
	tx, err := r.source.BeginSnapshot(asking)
	if err != nil {
		return r.broke(ctx, err)
	}
	defer tx.Rollback(ctx)
	read := ReadTx{r.store.bind(ctx, scope, tx)}
	// The first query, so it sees the moment that all others see.
	has, err := wanted.areIn(asking, read)
	if err != nil {
		return r.broke(ctx, err)
	}
	if !has {
		return ReplicaBehind, nil
	}
	if err = fn(ctx, read); database.IsFault(err) {
		return r.broke(ctx, err)
	}
	return ReplicaUsed, err
}

// broke notes that the replica failed under a report, so that the next one looks first. A caller that is gone or out of time
// needs no other answer.
func (r *replica) broke(ctx context.Context, err error) (ReplicaUse, error) {
	if ctx.Err() != nil {
		return ReplicaUsed, err
	}
	slog.WarnContext(ctx, "the replica failed under a report, the primary answers it", "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookedAt = time.Time{}
	return ReplicaBroke, err
}

// window is recentWindow in ids.
func window() int64 { return recentWindow.Milliseconds() << AuditCounterBits }

// recent asks the primary what it has of the company.
func (s *Store) recent(ctx context.Context, scope Scope) (traces, error) {
	var found traces
	_, err := CommittedRow(ctx, s, scope, `SELECT COALESCE(MAX(id), 0), COUNT(*) FROM (SELECT id FROM audit_log
		WHERE company_id = @company AND id >= (SELECT MAX(id) FROM audit_log WHERE company_id = @company) - ? LIMIT ?) AS recent`,
		[]any{window(), maxRecent + 1}, &found.last, &found.count)
	if err != nil {
		return traces{}, fmt.Errorf("asking for the newest changes of the company: %w", err)
	}
	return found, nil
}

// areIn reports whether a snapshot of the replica has the lines.
func (w traces) areIn(ctx context.Context, r ReadTx) (bool, error) {
	var count int
	_, err := QueryRow(ctx, r, `SELECT COUNT(*) FROM (SELECT id FROM audit_log WHERE company_id = @company AND id BETWEEN ? AND ?
		LIMIT ?) AS recent`, []any{w.last - window(), w.last, maxRecent + 1}, &count)
	if err != nil {
		return false, fmt.Errorf("asking the replica for the newest changes of the company: %w", err)
	}
	return count == w.count, nil
}
