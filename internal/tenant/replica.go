package tenant

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
)

// ReplicaUse says what came of a snapshot that a replica may give.
type ReplicaUse string

// The uses. Of all but the first the primary answers.
const (
	// ReplicaUsed is a snapshot of the replica.
	ReplicaUsed ReplicaUse = "used"
	// ReplicaBehind is a replica that lacks something of the company, or is not known to have everything.
	ReplicaBehind ReplicaUse = "behind"
	// ReplicaUnfit is a replica that is not asked at all.
	ReplicaUnfit ReplicaUse = "unfit"
	// ReplicaBroke is a replica that failed while it was being read.
	ReplicaBroke ReplicaUse = "broke"
)

// ReplicaUses lists them.
func ReplicaUses() []ReplicaUse {
	return []ReplicaUse{ReplicaUsed, ReplicaBehind, ReplicaUnfit, ReplicaBroke}
}

// ReplicaObserver is told of each snapshot that a replica may give.
type ReplicaObserver interface{ ReadReport(use ReplicaUse) }

// Bounds of a replica.
const (
	// replicaPatience is how long a replica may take to answer what is asked before a report; then the primary answers.
	replicaPatience = 2 * time.Second
	// lookEvery is how long stands what was found of a replica.
	lookEvery = 10 * time.Second
	// lateAfter is how long a replica may lack what the primary had before somebody should know.
	lateAfter = time.Minute
	// maxClockError is how wrong the clock of this server may be; see recentWindow.
	maxClockError = time.Minute
)

// replica is a copy of the database with what is known of it.
type replica struct {
	source   *database.Replica
	store    *Store
	observer ReplicaObserver

	mu       sync.Mutex
	lookedAt time.Time
	looking  bool
	fault    *database.ReplicaError // nil when it may be used
	late     bool
	// mark is what the primary had at markedAt and the replica is still to show.
	mark     clock.Time
	markedAt time.Time
}

// UseReplica makes reports come from a replica. It is for the start of a server.
func (s *Store) UseReplica(r *database.Replica, o ReplicaObserver) {
	s.replica = &replica{source: r, store: s, observer: o, fault: &database.ReplicaError{Reason: "it has not been asked yet"}}
}

// ReplicaTrouble is what is wrong with the replica, or empty. Without a replica isSet is false.
func (s *Store) ReplicaTrouble(ctx context.Context) (trouble string, isSet bool) {
	if s.replica == nil {
		return "", false
	}
	if fault := s.replica.standing(ctx); fault != nil {
		return fault.Reason, true
	}
	s.replica.mu.Lock()
	defer s.replica.mu.Unlock()
	if s.replica.late {
		return "it is more than " + lateAfter.String() + " behind", true
	}
	return "", true
}

// standing is why the replica is not used, or nil. Who finds that nobody looked lately looks; others take what was found before.
func (r *replica) standing(ctx context.Context) *database.ReplicaError {
	r.mu.Lock()
	now := r.store.clock.Now()
	if r.looking || (!r.lookedAt.IsZero() && now.Sub(r.lookedAt) < lookEvery) {
		defer r.mu.Unlock()
		return r.fault
	}
	r.looking = true
	mark, markedAt, known := r.mark, r.markedAt, r.fault
	r.mu.Unlock()

	// What is found is for others too, so a caller that hangs up does not spoil it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), replicaPatience)
	defer cancel()
	fault := r.look(ctx)
	late := false
	if fault == nil {
		mark, markedAt, late = r.follow(ctx, mark, markedAt, now)
	}
	r.tell(ctx, known, fault)

	r.mu.Lock()
	defer r.mu.Unlock()
	r.looking, r.lookedAt = false, r.store.clock.Now()
	r.fault, r.late, r.mark, r.markedAt = fault, late, mark, markedAt
	return fault
}

// tell logs a change, once.
func (r *replica) tell(ctx context.Context, before, after *database.ReplicaError) {
	switch {
	case after == nil && before != nil:
		slog.InfoContext(ctx, "the replica answers reports")
	case after != nil && (before == nil || before.Reason != after.Reason):
		slog.ErrorContext(ctx, "the replica is not used, the primary answers reports", "error", after)
	}
}

// look asks the replica what it is, and the primary how right the clock of this server is.
func (r *replica) look(ctx context.Context) *database.ReplicaError {
	if err := r.source.Check(ctx); err != nil {
		if fault, ok := errors.AsType[*database.ReplicaError](err); ok {
			return fault
		}
		return &database.ReplicaError{Reason: "it could not be judged", Cause: err}
	}
	theirs, err := System{r.store}.DatabaseNow(ctx)
	if err != nil {
		return &database.ReplicaError{Reason: "it cannot be compared with the primary", Cause: err}
	}
	if wrong := r.store.clock.Now().Sub(theirs.Time).Abs(); wrong > maxClockError {
		return &database.ReplicaError{Reason: "the clock of this server is wrong", Cause: fmt.Errorf("by %s", wrong)}
	}
	return nil
}

// follow measures how late the replica is, over all companies: the keys of mutations come with their end, which grows. It is late
// when it still lacks what the primary had long ago; a moment's delay after a quiet night is none.
func (r *replica) follow(ctx context.Context, mark clock.Time, markedAt, now time.Time) (clock.Time, time.Time, bool) {
	const newest = "SELECT MAX(expires_at) FROM idempotency_keys"
	var ours, theirs clock.Time
	err := r.source.Probe().QueryRowContext(ctx, newest).Scan(&theirs)
	if err == nil {
		err = r.store.db.Reader().QueryRowContext(ctx, newest).Scan(&ours)
	}
	if err != nil {
		return mark, markedAt, false // the next report finds out more
	}
	if theirs.Before(mark.Time) && theirs.Before(ours.Time) {
		return mark, markedAt, now.Sub(markedAt) > lateAfter
	}
	return ours, now, false
}
