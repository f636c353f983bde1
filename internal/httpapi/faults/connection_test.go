package faults_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// behindProxy is the engine as servers see it through a line that breaks when told. The parameters are those of the driver.
func behindProxy(t *testing.T, e *testkit.Engine, parameters string) (*testkit.Engine, *proxy.Proxy) {
	t.Helper()
	address, err := url.Parse(e.URL)
	require.NoError(t, err)
	line := proxy.Start(t, address.Host)
	address.Host, address.RawQuery = line.Address(), parameters
	behind := *e
	behind.URL = address.String()
	return &behind, line
}

// TestLostConnections breaks the line between two servers and the database: after so many bytes of a request or of a reply, at
// once, for a while, or by swallowing what comes.
func TestLostConnections(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "")
	r := newRig(t, e, behind, plain, plain)
	during := func(rule proxy.Rule, d time.Duration) {
		line.Set(rule)
		time.Sleep(d)
		line.Set(proxy.Pass())
	}
	faults := []func(){
		func() { line.Set(proxy.CutRepliesAfter(r.random.Int64N(4000)).Then(proxy.Pass())) },
		func() { line.Set(proxy.CutRequestsAfter(r.random.Int64N(8000)).Then(proxy.Pass())) },
		line.Reset,
		func() { during(proxy.Refuse(), 200*time.Millisecond) },
		func() { during(proxy.Delay(20*time.Millisecond), 500*time.Millisecond) },
		func() { during(proxy.BlackHole(), 500*time.Millisecond); line.Reset() },
	}
	next := 0
	r.underLoad(2*len(faults), func() {
		faults[next%len(faults)]()
		next++
	})
	require.Positive(t, r.failed.Load(), "nobody noticed")
}
