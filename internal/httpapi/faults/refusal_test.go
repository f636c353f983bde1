package faults_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// refused are the recorded refusals by reason, with how often each was met.
const refused = `SELECT reason, SUM(occurrences) FROM idempotency_rejections WHERE company_id = ? GROUP BY reason`

// TestKilledAtARefusal kills the server before and after it records a refused duplicate (R60): what the client was told of is
// recorded, so one that was killed before has told nothing.
func TestKilledAtARefusal(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		r := newRig(t, e, e, plain)
		for reason, refuse := range refusals(r) {
			path, request, key, status := refuse()
			send := func(headers ...process.Header) (process.Answer, error) {
				return r.client.At(r.address(0)).Try(t, path, request, append(headers, process.Key(key))...)
			}
			met := count(t, r.company, refused)[reason]
			for _, moment := range []string{"before-record", "after-record"} {
				server := r.doors[0].server
				_, err := send(process.Fault("kill-" + moment))
				require.Error(t, err)
				server.WaitEnd(t)
				r.open(r.doors[0])
				r.injected++
			}
			require.Equal(t, met+1, count(t, r.company, refused)[reason], "%s: killed once before it was recorded, and once after", reason)
			a, err := send()
			require.NoError(t, err)
			require.Equal(t, status, a.Status, "%s: %s", reason, a.Body)
			require.Equal(t, "never", a.Refusal(t).RetryWith)
			require.Equal(t, met+2, count(t, r.company, refused)[reason], "%s: recorded before it is answered", reason)
		}
		r.finish()
	})
}

// The reasons of refusals.
const (
	keyReuse  = "key_reuse"
	duplicate = "duplicate"
	inFlight  = "in_progress"
)

// refusals are requests that are refused for good, by the reason. Each makes what it collides with, by one sender alone: its twin
// would be refused too.
func refusals(r *rig) map[string]func() (path string, request body, key string, status int) {
	return map[string]func() (string, body, string, int){
		keyReuse: func() (string, body, string, int) {
			s := r.sender(0)
			s.isSteady = true
			d := story{mark: keyReuse}.post(0)
			r.model.ask(d)
			s.send(d)
			other := maps.Clone(d.request)
			other["date"] = "2026-02-11"
			return paths[posted], other, d.key, http.StatusUnprocessableEntity
		},
		duplicate: func() (string, body, string, int) {
			const path = "/v1/purchases/invoices/create"
			request := body{
				"partnerId": r.partner, "documentNumber": "A-1", "documentDate": day,
				"lines": []body{{"description": "x", "unitPriceExclVat": price, "vatRatePercent": "21"}},
			}
			r.client.At(r.address(0)).OK(r.t, path, request, nil, process.Key("the first document"))
			return path, request, "the second document", http.StatusConflict
		},
	}
}

// TestConnectionLostWhileARefusalIsRecorded cuts the line under the commit of a record. Whether it came through or not, a request
// that is told of its refusal is counted once, and one that is not told is sent again.
func TestConnectionLostWhileARefusalIsRecorded(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "readTimeout=1s")
	r := newRig(t, e, behind, plain)
	for reason, refuse := range refusals(r) {
		path, request, key, status := refuse()
		for name, rule := range map[string]proxy.Rule{
			"never arrives": proxy.CutBefore(commit), "is done, and its answer cut": proxy.CutAnswerTo(commit),
			"is done, and its answer lost": proxy.LoseAnswerTo(commit),
		} {
			met := count(t, r.company, refused)[reason]
			line.Set(rule.Then(proxy.Pass()))
			r.injected++
			a := r.client.Within(patience).Post(t, path, request, process.Key(key))
			for a.Status == http.StatusServiceUnavailable {
				require.Equal(t, "same_key", a.Refusal(t).RetryWith)
				r.failed.Add(1)
				a = r.client.Within(patience).Post(t, path, request, process.Key(key))
			}
			require.Equal(t, status, a.Status, "%s: %s", reason, a.Body)
			require.Equal(t, met+1, count(t, r.company, refused)[reason], "%s, when the commit of its record %s", reason, name)
		}
	}
	r.finish()
}

// TestConnectionLostWhileATwinIsRecorded does the same to a twin, whose record is written beside its answer.
func TestConnectionLostWhileATwinIsRecorded(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "readTimeout=1s")
	r := newRig(t, e, behind, plain)
	for i, rule := range []proxy.Rule{proxy.CutAnswerTo(commit), proxy.LoseAnswerTo(commit)} {
		d := story{mark: inFlight}.post(i)
		r.model.ask(d)
		first := make(chan struct{})
		go func() {
			defer close(first)
			a, err := r.client.At(r.address(0)).Within(patience).Try(t, paths[d.kind], d.request, process.Key(d.key), process.Fault("hold-before-commit=3s"))
			if err == nil && a.Status == http.StatusOK {
				r.model.acknowledge(d, string(a.Body))
			}
		}()
		require.Eventually(t, func() bool { return r.isClaimed(d.key) }, patience, pause)
		line.Set(rule.Then(proxy.Pass()))
		r.injected++
		a := r.client.At(r.address(0)).Post(t, paths[d.kind], d.request, process.Key(d.key))
		require.Equal(t, http.StatusConflict, a.Status, "%s", a.Body)
		<-first
		r.doors[0].server.Stop(t) // with all that it has to record
		r.open(r.doors[0])
		require.Equal(t, i+1, count(t, r.company, refused)[inFlight])
	}
	r.finish()
}

// isClaimed reports that the first request under a key has come to its claim, committed or not.
func (r *rig) isClaimed(key string) bool {
	var n int
	err := r.engine.Admin.Dirty().QueryRowContext(r.t.Context(),
		"SELECT COUNT(*) FROM idempotency_keys WHERE company_id = ? AND idempotency_key = ?", r.company.Scope.Company().ID, key).Scan(&n)
	require.NoError(r.t, err)
	return n == 1
}

// TestRefusalsThatCannotBeRecorded are not told: the client sends again, and is told when the record is there.
func TestRefusalsThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	r := newRig(t, e, e, plain)
	path, request, key, status := refusals(r)[keyReuse]()
	_, err := e.Admin.Writer().ExecContext(t.Context(), `CREATE TRIGGER full BEFORE INSERT ON idempotency_rejections
		BEGIN SELECT RAISE(ABORT, 'no room'); END`)
	require.NoError(t, err)
	send := func() process.Answer { return r.client.Within(patience).Post(t, path, request, process.Key(key)) }
	a := send()
	require.Equal(t, http.StatusServiceUnavailable, a.Status, "%s", a.Body)
	require.Equal(t, "same_key", a.Refusal(t).RetryWith)
	_, err = e.Admin.Writer().ExecContext(t.Context(), "DROP TRIGGER full")
	require.NoError(t, err)
	require.Equal(t, status, send().Status)
	require.Equal(t, map[string]int{keyReuse: 1}, count(t, r.company, refused))
	r.injected++
	r.finish()
}
