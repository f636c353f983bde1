package faults_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

const (
	// fewestStatements is less than any of the mutations has, of texts where several travel together.
	fewestStatements = 2
	mostStatements   = 100
)

// TestKilledAtEveryStatement kills the server before each statement of a mutation, and once between its commit and its answer:
// authentication, look-up of the key, claim, work, stored answer, commit. The retry finds all of the effect or makes it.
func TestKilledAtEveryStatement(t *testing.T) {
	t.Parallel()
	for _, k := range []kind{posted, issued, matched} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
				r := newRig(t, e, e, plain)
				for nth := 1; r.killAt(k, nth); nth++ {
					require.Less(t, nth, mostStatements)
				}
				require.Greater(t, r.injected, fewestStatements)
				r.finish()
			})
		})
	}
}

// killAt sends one mutation that kills its server before a statement, and again to the next server. It reports whether
// the mutation has that many statements.
func (r *rig) killAt(k kind, nth int) bool {
	r.t.Helper()
	s := r.sender(0)
	s.isSteady = true
	d := s.ready(k, fmt.Sprintf("statement %d", nth))
	r.model.ask(d)
	before := r.company.RowCounts(r.t)
	server := r.doors[0].server
	a, err := s.call(paths[d.kind], d.request, process.Key(d.key), process.Fault(fmt.Sprintf("kill-statement=%d", nth)))
	if err == nil {
		require.Equal(r.t, 200, a.Status, "%s", a.Body)
		r.model.acknowledge(d, string(a.Body))
		return false
	}
	server.WaitEnd(r.t)
	left := r.company.RowCounts(r.t)
	r.open(r.doors[0])
	again, _ := s.send(d)
	isReplay := again.Header.Get("Idempotent-Replayed") == "true"
	require.Equal(r.t, fmt.Sprint(before) != fmt.Sprint(left), isReplay, "%q: what is left of it and what the retry is", d.key)
	r.injected++
	return true
}

// ready does what comes before a mutation and gives it.
func (s *sender) ready(k kind, mark string) *deed {
	s.rig.t.Helper()
	st := story{mark: mark, partner: s.rig.partner, account: s.rig.account}
	if k == posted {
		return st.post(0)
	}
	draft, ok := s.do(st.draft())
	require.True(s.rig.t, ok)
	invoice := draft.ID(s.rig.t)
	if k == issued {
		return st.issue(invoice)
	}
	_, isIssued := s.do(st.issue(invoice))
	_, isImported := s.do(st.importLine())
	require.True(s.rig.t, isIssued && isImported)
	return st.match(s.line(mark), invoice)
}
