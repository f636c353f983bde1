//go:build unix

package galera_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

const (
	senders = 4
	// stage is how long the load runs before, during and after an outage.
	stage = 4 * time.Second
	// recovery bounds the wait for a server to serve again.
	recovery = time.Minute
	pause    = 100 * time.Millisecond
)

// TestOutages takes the node of the second server away in every way, under load, and brings it back: what was acknowledged is
// there, once, and on every node.
func TestOutages(t *testing.T) { //nolint:paralleltest // the cluster is as much as the machine can bear
	w := newWorld(t)
	for _, outage := range []struct { //nolint:paralleltest // shares the cluster
		name        string
		begin, back func(*testing.T, *world)
	}{
		{
			"NodeKilled",
			func(t *testing.T, w *world) { w.cluster.Nodes[1].Kill(t) },
			func(t *testing.T, w *world) { w.cluster.Nodes[1].Start(t) },
		},
		{
			"NodeCutOff",
			func(t *testing.T, w *world) {
				w.cluster.Nodes[1].Isolate(t)
				w.cluster.Nodes[1].AwaitCutOff(t)
				requireRefusing(t, w)
			},
			func(t *testing.T, w *world) { w.cluster.Nodes[1].Rejoin(t) },
		},
		{
			"NodeFrozen",
			func(t *testing.T, w *world) { w.cluster.Nodes[1].Freeze(t) },
			func(t *testing.T, w *world) { w.cluster.Nodes[1].Thaw(t) },
		},
	} {
		t.Run(outage.name, func(t *testing.T) {
			l := startLoad(t, w)
			time.Sleep(stage)
			before := l.acknowledged()
			outage.begin(t, w)
			require.Eventually(t, func() bool { return l.acknowledged() > before+senders }, recovery, pause, "the others go on")
			time.Sleep(stage)
			outage.back(t, w)
			w.cluster.Nodes[1].AwaitSynced(t)
			awaitServing(t, w)
			time.Sleep(stage)
			l.stop()
			l.requireOnce(t)
			w.requireInOrder(t)
		})
	}
}

// requireRefusing: a server whose node is cut off neither reads nor writes, says so, and tells balancers.
func requireRefusing(t *testing.T, w *world) {
	t.Helper()
	c := w.company(t)[1]
	a := c.Post(t, postEntry, entry("2026-03-01", "1.00"), process.Key("refused"))
	require.Equal(t, http.StatusServiceUnavailable, a.Status, "%s", a.Body)
	require.Equal(t, "same_key", a.Refusal(t).RetryWith)
	require.Eventually(t, func() bool { return ready(t, w.servers[1]) == http.StatusServiceUnavailable }, recovery, pause)
	require.Equal(t, http.StatusOK, ready(t, w.servers[0]))
}

func awaitServing(t *testing.T, w *world) {
	t.Helper()
	require.Eventually(t, func() bool { return ready(t, w.servers[1]) == http.StatusOK }, recovery, pause, "the server of the node serves again")
}

func ready(t *testing.T, s *process.Server) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/readyz", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// load is a crowd of clients that follow what answers tell them: after 503 they send the same under the same key, to the other
// server.
type load struct {
	clients []*process.Client
	count   atomic.Int64
	ended   chan struct{}
	wait    sync.WaitGroup

	mu      sync.Mutex
	answers map[string]process.Answer // by key
	faults  []string
}

func startLoad(t *testing.T, w *world) *load {
	t.Helper()
	l := &load{clients: w.company(t), ended: make(chan struct{}), answers: map[string]process.Answer{}}
	for i := range senders {
		l.wait.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-l.ended:
					return
				default:
					l.send(t, i, fmt.Sprintf("K%d-%d", i, n))
				}
			}
		})
	}
	t.Cleanup(l.stop)
	return l
}

func (l *load) acknowledged() int64 { return l.count.Load() }

func (l *load) stop() {
	select {
	case <-l.ended:
	default:
		close(l.ended)
	}
	l.wait.Wait()
}

// send repeats one request until it has an answer that is no invitation to repeat it.
func (l *load) send(t *testing.T, sender int, key string) {
	for try := sender; ; try++ {
		a, err := l.clients[try%2].Try(t, postEntry, entry("2026-03-01", "1.00"), process.Key(key))
		switch {
		case err != nil:
			l.fault(key + ": " + err.Error())
			return
		case a.Status == http.StatusOK:
			l.mu.Lock()
			l.answers[key] = a
			l.mu.Unlock()
			l.count.Add(1)
			return
		case a.Status == http.StatusServiceUnavailable || a.Status == http.StatusConflict:
			if r := a.Refusal(t); r.RetryWith != "same_key" {
				l.fault(key + ": " + string(a.Body))
				return
			}
			time.Sleep(pause)
		default:
			l.fault(fmt.Sprint(key, ": ", a.Status, " ", string(a.Body)))
			return
		}
	}
}

func (l *load) fault(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, text)
}

// requireOnce checks that each acknowledged request has its one effect, and that both servers say so.
func (l *load) requireOnce(t *testing.T) {
	t.Helper()
	require.Empty(t, l.faults)
	ids := map[string]bool{}
	i := 0
	for key, a := range l.answers {
		ids[a.ID(t)] = true
		if i++; i%10 == 0 { // a sample: each is two requests
			for _, c := range l.clients {
				again := c.Insist(t, postEntry, entry("2026-03-01", "1.00"), process.Key(key))
				require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"), key)
				require.Equal(t, string(a.Body), string(again.Body))
			}
		}
	}
	require.Len(t, ids, len(l.answers))
	for _, c := range l.clients {
		require.Equal(t, len(l.answers), total(t, c, listEntries))
	}
	t.Logf("%d requests acknowledged", len(l.answers))
}
