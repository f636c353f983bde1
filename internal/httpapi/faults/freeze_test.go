package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// frozenFor is longer than a statement waits for a lock.
const frozenFor = 6 * time.Second

// TestFrozenServer freezes a server before the commit of an invoice: it holds the claim and the series. Another server goes on as
// far as the locks let it; then the first wakes up and commits, as if no time had passed.
func TestFrozenServer(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	r := newRig(t, e, e, plain, plain)
	r.underLoad(1, func() { r.freeze(frozenFor, nil) })
	require.Positive(t, r.failed.Load(), "nobody noticed")
}

// TestFrozenServerLosesItsLocks freezes a server for longer than the database lets a transaction be idle: the locks are free
// again, the other server issues, and what the first one does when it wakes up comes to nothing.
func TestFrozenServerLosesItsLocks(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, _ := behindProxy(t, e, "wait_timeout=2")
	r := newRig(t, e, behind, plain, plain)
	r.underLoad(1, func() {
		r.freeze(frozenFor, func(d *deed) {
			s := r.sender(1)
			s.isSteady = true
			a, ok := s.send(d)
			require.True(t, ok)
			require.Empty(t, a.Header.Get("Idempotent-Replayed"), "the frozen server had not committed")
		})
	})
}

// freeze sends an invoice to the first server, which freezes before the commit, and wakes it up again. Meanwhile may use the
// other one.
func (r *rig) freeze(d time.Duration, meanwhile func(*deed)) {
	r.t.Helper()
	s := r.sender(1)
	s.isSteady = true
	st := story{mark: "frozen " + time.Duration(r.injected).String(), partner: r.partner, account: r.account}
	draft, ok := s.do(st.draft())
	require.True(r.t, ok)
	invoice := st.issue(draft.ID(r.t))
	r.model.ask(invoice)
	frozen := make(chan struct{})
	go func() {
		defer close(frozen)
		a, err := r.client.At(r.address(0)).Try(r.t, paths[issued], invoice.request, process.Key(invoice.key), process.Fault("freeze-before-commit"))
		if err == nil && a.Status == 200 {
			r.model.acknowledge(invoice, string(a.Body))
		}
	}()
	end := time.After(d)
	if meanwhile != nil {
		meanwhile(invoice)
	}
	<-end
	r.doors[0].server.Thaw(r.t)
	<-frozen
	s.send(invoice)
}
