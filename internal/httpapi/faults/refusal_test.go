package faults_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// refused are the recorded refusals by operation, with how often each was met.
const refused = `SELECT operation, SUM(occurrences) FROM idempotency_rejections WHERE company_id = ? GROUP BY operation`

// TestKilledAtARefusal kills the server before and after it records a refused duplicate (R60): what the client was told of is
// recorded, so one that was killed before has told nothing.
func TestKilledAtARefusal(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		r := newRig(t, e, e, plain)
		for name, refuse := range refusals(r) {
			path, request, key, status := refuse(name)
			send := func(headers ...process.Header) (process.Answer, error) {
				return r.client.At(r.address(0)).Try(t, path, request, append(headers, process.Key(key))...)
			}
			met := count(t, r.company, refused)[path]
			for _, moment := range []string{"before-record", "after-record"} {
				server := r.doors[0].server
				_, err := send(process.Fault("kill-" + moment))
				require.Error(t, err)
				server.WaitEnd(t)
				r.open(r.doors[0])
				r.injected++
			}
			require.Equal(t, met+1, count(t, r.company, refused)[path], "%s: killed once before it was recorded, and once after", name)
			a, err := send()
			require.NoError(t, err)
			require.Equal(t, status, a.Status, "%s: %s", name, a.Body)
			require.Equal(t, "never", a.Refusal(t).RetryWith)
			require.Equal(t, met+2, count(t, r.company, refused)[path], "%s: recorded before it is answered", name)
		}
		r.finish()
	})
}

// refusals are requests that are refused for good. Each makes what it collides with.
func refusals(r *rig) map[string]func(string) (path string, request body, key string, status int) {
	return map[string]func(string) (string, body, string, int){
		"key of another request": func(mark string) (string, body, string, int) {
			s := r.sender(0)
			s.isSteady = true
			d := story{mark: mark, partner: r.partner, account: r.account}.post(0)
			s.do(d)
			other := maps.Clone(d.request)
			other["date"] = "2026-02-11"
			return paths[posted], other, d.key, http.StatusUnprocessableEntity
		},
		"document that is there": func(mark string) (string, body, string, int) {
			const path = "/v1/purchases/invoices/create"
			request := body{
				"partnerId": r.partner, "documentNumber": "A-1", "documentDate": day,
				"lines": []body{{"description": "x", "unitPriceExclVat": price, "vatRatePercent": "21"}},
			}
			r.client.At(r.address(0)).OK(r.t, path, request, nil, process.Key("first "+mark))
			return path, request, "second " + mark, http.StatusConflict
		},
	}
}

// TestRefusalsThatCannotBeRecorded are not told: the client sends again, and is told when the record is there.
func TestRefusalsThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	r := newRig(t, e, e, plain)
	path, request, key, status := refusals(r)["key of another request"]("x")
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
	require.Positive(t, count(t, r.company, refused)[path], fmt.Sprint(key))
	r.injected++
	r.finish()
}
