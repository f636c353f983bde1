package tenant

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/vienkart/vienkart/internal/clock"
)

// maxSightings bounds what is remembered between two flushes; past it the rest is forgotten, since "last used" is a hint
// and no record.
const maxSightings = 10_000

// sighting is a key or a session that was used.
type sighting struct {
	company ID // zero for a session
	id      ID
}

// sightings remember in memory when keys and sessions were used last: a write on every request would cost more than the
// request.
type sightings struct {
	mu   sync.Mutex
	last map[sighting]clock.Time
}

func (s *sightings) note(seen sighting, at clock.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = map[sighting]clock.Time{}
	}
	if _, known := s.last[seen]; known || len(s.last) < maxSightings {
		s.last[seen] = at
	}
}

func (s *sightings) take() map[sighting]clock.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := maps.Clone(s.last)
	clear(s.last)
	return taken
}

// FlushSightings writes when keys and sessions were used last, since the flush before. Call it about once a minute.
func FlushSightings(ctx context.Context, y System) error {
	var errs []error
	for seen, at := range y.store.sightings.take() {
		var err error
		if seen.company.IsZero() {
			_, err = SystemExec(ctx, y, "UPDATE sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?", at, seen.id, at)
		} else {
			_, err = SystemExec(ctx, y, `UPDATE api_keys SET last_used_at = ? WHERE company_id = ? AND id = ?
				AND (last_used_at IS NULL OR last_used_at < ?)`, at, seen.company, seen.id, at)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("writing when a key was used: %w", err))
		}
	}
	return errors.Join(errs...)
}
