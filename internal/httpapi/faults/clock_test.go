package faults_test

import (
	"fmt"
	"testing"

	"github.com/vienkart/vienkart/internal/testkit"
)

// mostWrong is how many hours a server's clock is wrong at most, either way: far more than a key lives here.
const mostWrong = 12

// TestWrongClocks gives each server a clock of its own, hours away from the others', and a life of keys of one hour. What counts
// is the database's clock (R40): no key expires early, none is swept.
func TestWrongClocks(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		r := newRig(t, e, e, fleet(e, "VIENKART_IDEMPOTENCY_TTL=1h")...)
		r.underLoad(3, func() {
			d := r.any()
			d.server.Stop(t)
			d.environment = append(d.environment[:1:1], fmt.Sprintf("VIENKART_FAULT_CLOCK=%dh", r.random.IntN(2*mostWrong+1)-mostWrong))
			r.open(d)
		})
	})
}
