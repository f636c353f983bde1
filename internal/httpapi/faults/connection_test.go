package faults_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
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

// TestReadsAreRepeated cuts the line under what stands before any effect: authentication, the look-up of the key, the beginning of
// the transaction. No client notices.
func TestReadsAreRepeated(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "")
	r := newRig(t, e, behind, plain)
	s := r.sender(0)
	for _, statement := range []string{"LEFT JOIN chart_versions", "LEFT JOIN idempotency_keys", "START TRANSACTION"} {
		const rounds = 10 // work in the background reads too, and then it is its line that is cut
		for range rounds {
			line.Set(proxy.CutAnswerTo(statement).Then(proxy.Pass()))
			d := story{mark: statement + strconv.Itoa(r.injected)}.post(0)
			r.model.ask(d)
			_, ok := s.send(d)
			require.True(t, ok)
			r.injected++
		}
	}
	require.Zero(t, r.failed.Load(), "calls that failed")
	r.finish()
}

// TestSilentDatabase lets the database say nothing any more: a call is answered before its client loses patience.
func TestSilentDatabase(t *testing.T) {
	t.Parallel()
	const longest = 10 * time.Second
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "")
	r := newRig(t, e, behind, plain)
	d := story{mark: "silence"}.post(0)
	r.model.ask(d)
	line.Set(proxy.BlackHole())
	a := r.client.Within(longest).Post(t, paths[d.kind], d.request, process.Key(d.key))
	require.Equal(t, http.StatusServiceUnavailable, a.Status, "%s", a.Body)
	require.Equal(t, "same_key", a.Refusal(t).RetryWith)
	line.Set(proxy.Pass())
	line.Reset()
	r.injected++
	_, ok := r.sender(0).send(d)
	require.True(t, ok)
	r.finish()
}
