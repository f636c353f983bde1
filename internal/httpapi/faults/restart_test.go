package faults_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
)

// TestRestartedServers stops servers one by one as an operator does, and starts them again: what they had begun they finish, and
// none of it is answered 5xx. A connection that the kernel had taken and the server had not is reset, and its call sent again.
func TestRestartedServers(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		r := newRig(t, e, e, fleet(e, "VIENKART_DRAIN_DELAY=100ms")...)
		r.underLoad(3, func() {
			d := r.any()
			d.server.Stop(t)
			r.open(d)
		})
		require.Zero(t, r.unavailable.Load(), "calls answered 5xx")
	})
}
