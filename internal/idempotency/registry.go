package idempotency

import (
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// registry remembers what this process is running. On SQLite, where one process owns the file, it is the whole answer
// to "is it running?"; on MySQL it closes the moment between looking a key up and claiming it, for twins that meet in
// one server.
type registry struct {
	mu      sync.Mutex
	running map[scopedKey]first
}

type scopedKey struct {
	company tenant.ID
	key     Key
}

// first is the request a key was first used by.
type first struct {
	fingerprint Fingerprint
	request     Request
	requestID   string
	at          time.Time
}

func newRegistry() *registry { return &registry{running: map[scopedKey]first{}} }

// enter registers a request, or returns the one that runs under the key already.
func (r *registry) enter(k scopedKey, f first) (leave func(), running *first) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if other, ok := r.running[k]; ok {
		return nil, &other
	}
	r.running[k] = f
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.running, k)
	}, nil
}
