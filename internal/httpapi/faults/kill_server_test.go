package faults_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit"
)

// TestKilledServers kills servers with kill -9 in the middle of whatever they do, and starts them again.
func TestKilledServers(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		r := newRig(t, e, e, fleet(e)...)
		r.underLoad(4, func() {
			d := r.any()
			d.server.Kill()
			r.open(d)
		})
	})
}
