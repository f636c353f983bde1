// Package memory holds in the process what many requests would read again.
//
// Owns: a bounded map for many goroutines.
//
// Does not own: how long a value is true. Whoever puts one in takes it out, or puts in only what is committed and never changes.
//
// Invariants: no map outgrows its bound.
package memory

import "sync"

// maxValues bounds a map; past it the map starts anew.
const maxValues = 10_000

// Map holds values per key and forgets all of them when it is full. The zero Map is empty.
type Map[K comparable, V any] struct {
	mu     sync.RWMutex
	values map[K]V
}

// Get gives the value of a key, if it is there.
func (m *Map[K, V]) Get(k K) (V, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.values[k]
	return v, ok
}

// Put remembers the value of a key.
func (m *Map[K, V]) Put(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil || len(m.values) >= maxValues {
		m.values = map[K]V{}
	}
	m.values[k] = v
}

// Forget drops the value of a key.
func (m *Map[K, V]) Forget(k K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, k)
}
