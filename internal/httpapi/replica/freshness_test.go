//go:build unix

package replica_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/health"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestReplica has one primary and one replica for all its tests, which follow one another: each leaves the replica following.
func TestReplica(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct { //nolint:paralleltest // see above
		name string
		test func(*testing.T, *world)
	}{
		{"EveryReport", testEveryReport},
		{"OwnWrites", testOwnWrites},
		{"LateCommit", testLateCommit},
		{"Load", testLoad},
		{"ManyLines", testManyLines},
		{"Export", testExport},
		{"Lag", testLag},
		{"ThePrimaryItself", testThePrimaryItself},
		{"TakesWrites", testTakesWrites},
		{"OtherSchema", testOtherSchema},
		{"WrongClock", testWrongClock},
		{"Refused", testRefused},
		{"Silent", testSilent},
		{"Process", testProcess},
		{"Killed", testKilled},
		{"KilledUnderReport", testKilledUnderReport},
		{"KilledUnderExport", testKilledUnderExport},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, w) })
	}
}

// requests are those of the operations that a replica may answer.
var requests = map[string]body{
	"/v1/reports/gl-detail":              {"accountCode": "2710", "fromDate": "2026-01-01", "toDate": "2026-01-31"},
	"/v1/reports/vat-summary":            january,
	"/v1/reports/vat-detail":             january,
	"/v1/reports/partner-balances":       {"asOf": "2026-01-31"},
	"/v1/reports/debt-aging":             {"asOf": "2026-01-31"},
	"/v1/reports/monthly-summary":        {"asOf": "2026-01-31"},
	"/v1/reports/size-category":          {"year": 2026},
	"/v1/declarations/lt/fr0600/compute": {"year": 2026, "month": 1},
	"/v1/declarations/vat/tie-out":       {"year": 2026, "month": 1},
	"/v1/declarations/lt/isaf/generate":  {"year": 2026, "month": 1},
	"/v1/declarations/lt/saft/generate":  january,
	"/v1/reports/trial-balance":          january,
	"/v1/reports/general-journal":        january,
	"/v1/reports/eu-purchases":           january,
	"/v1/reports/financial-statements":   january,
	"/v1/reports/cash-flow":              january,
}

// testEveryReport: the replica gives the answers of the primary, and no other query asks it.
func testEveryReport(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	w.Follow(t)
	s.uses.take()
	asked := 0
	for _, o := range httpapi.Operations() {
		request, isReport := requests[o.Path]
		require.Equal(t, isReport, o.Report, o.Path)
		if !isReport {
			continue
		}
		asked++
		a := b.Post(t, o.Path, request)
		require.Equal(t, http.StatusOK, a.Status, "%s: %s", o.Path, a.Body)
		require.Equal(t, once(tenant.ReplicaUsed), s.uses.take(), o.Path)
	}
	require.Len(t, requests, asked)
	for _, path := range []string{"/v1/ledger/journal/transactions/list", "/v1/account/companies/profile", "/v1/reports/jobs/list"} {
		b.OK(t, path, body{}, nil)
	}
	b.OK(t, "/v1/idempotency/keys/get", body{"key": "post 1"}, nil)
	b.OK(t, postEntry, entry("one euro"), nil, process.Key("post 1")) // a replay
	require.Empty(t, s.uses.take())
}

// testOwnWrites: what one server posted is in the report of another, whatever the replica lacks; a company that did nothing is
// read from a replica that stands still.
func testOwnWrites(t *testing.T, w *world) {
	first, second := w.follower(t), w.follower(t)
	busy, quiet := w.books(t, first), w.books(t, first)
	w.Follow(t)
	w.Stop(t)
	defer w.Start(t)
	busy.post(t)
	second.uses.take()
	busy.requireReport(t, second)
	require.Equal(t, once(tenant.ReplicaBehind), second.uses.take())
	quiet.requireReport(t, second)
	require.Equal(t, once(tenant.ReplicaUsed), second.uses.take())

	// A change that books nothing is one, too: a report shows names.
	quiet.OK(t, "/v1/partners/create", body{"name": "UAB Nauja"}, nil)
	quiet.requireReport(t, second)
	require.Equal(t, once(tenant.ReplicaBehind), second.uses.take())

	w.Start(t)
	w.Follow(t)
	busy.requireReport(t, second)
	require.Equal(t, once(tenant.ReplicaUsed), second.uses.take())
}

// testLateCommit: a transaction that began before the newest line of the log and committed after it counts.
func testLateCommit(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	slow, err := w.engine.Store.Begin(t.Context(), b.company.Scope)
	require.NoError(t, err)
	amount := money.New(100, money.EUR)
	_, err = ledger.Post(t.Context(), slow.Tx, ledger.Posting{
		Date: date.New(2026, time.January, 20), Description: "slow",
		Lines: []ledger.Line{{AccountCode: "2710", Debit: amount}, {AccountCode: "3011", Credit: amount}},
	})
	require.NoError(t, err)
	require.NoError(t, audit.Record(t.Context(), slow.Tx, audit.Entry{Action: "a.b", Entity: "a"}))
	b.post(t)
	w.Follow(t)
	w.Stop(t)
	defer w.Start(t)
	s.uses.take()
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take())
	require.NoError(t, slow.Commit(t.Context()))
	b.posted++
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaBehind), s.uses.take())
}

// testLoad: under writers on two servers every report has at least what was acknowledged before it was asked for.
func testLoad(t *testing.T, w *world) {
	servers := []*server{w.follower(t), w.follower(t)}
	b := w.books(t, servers[0])
	for _, s := range servers {
		s.health(t) // looks, which one report alone would wait for
	}
	var acknowledged atomic.Int64
	acknowledged.Add(1)
	now := clock.System{}.Now
	ends := now().Add(4 * time.Second)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			writer, reader := b.At(servers[i%2].url), b.At(servers[(i+1)%2].url)
			for n := 0; now().Before(ends); n++ {
				writer.Insist(t, postEntry, entry("load"), process.Key("load "+strconv.Itoa(i)+" "+strconv.Itoa(n)))
				atLeast := acknowledged.Add(1)
				euros, err := strconv.ParseInt(strings.TrimSuffix(debit(t, reader), ".00"), 10, 64)
				if err != nil || euros < atLeast {
					t.Errorf("a report has %d of %d postings (%v)", euros, atLeast, err)
				}
			}
		})
	}
	group.Wait()
	found := servers[0].uses.take()
	t.Logf("%d postings, reports of one server: %v", acknowledged.Load(), found)
	require.Zero(t, found[tenant.ReplicaUnfit]+found[tenant.ReplicaBroke])
	w.Follow(t)
	b.posted = int(acknowledged.Load())
	b.requireReport(t, servers[0])
	require.Equal(t, once(tenant.ReplicaUsed), servers[0].uses.take())
}

// testManyLines: the look at the log is bounded, and reads no more of it than its end.
func testManyLines(t *testing.T, w *world) {
	const hour, atOnce = 3_600_000 << tenant.AuditCounterBits, 990
	s := w.follower(t)
	b := w.books(t, s)
	company := b.company.Scope.Company().ID
	newest := 0
	require.NoError(t, w.engine.Admin.Reader().QueryRowContext(t.Context(), "SELECT MAX(id) FROM audit_log WHERE company_id = ?", company).Scan(&newest))
	insert := func(before int) {
		t.Helper()
		_, err := w.engine.Admin.Writer().ExecContext(t.Context(), `INSERT INTO audit_log
			(company_id, id, actor_type, actor_id, action, entity, request_id, created_at)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			SELECT ?, ? - i, 'system', 'test', 'a.b', 'a', 'r', UTC_TIMESTAMP(6) FROM n`, atOnce, company, before)
		require.NoError(t, err)
	}
	s.uses.take()
	w.Follow(t)
	w.Stop(t)
	insert(newest - hour)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take(), "what is old is not looked at")
	w.Start(t)
	for i := range 21 {
		insert(newest - (i+1)*atOnce)
	}
	w.Follow(t)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaBehind), s.uses.take())
}

// testExport: files are made from the replica, and from the primary while it lags.
func testExport(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	worker := &export.Worker{System: tenant.NewSystem(s.store), Reports: httpapi.ReportExports("test")}
	order := func(key string) {
		t.Helper()
		b.OK(t, "/v1/reports/jobs/create", body{"reportType": "general-journal", "params": january}, nil, process.Key(key))
	}
	s.uses.take()
	order("first")
	w.Follow(t)
	w.requireFile(t, b, worker, 1)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take())
	w.Stop(t)
	defer w.Start(t)
	b.post(t)
	order("second")
	w.requireFile(t, b, worker, 2)
	require.Equal(t, once(tenant.ReplicaBehind), s.uses.take())
}

// requireFile lets a worker make a file, which must have a number of rows.
func (w *world) requireFile(t *testing.T, b *books, worker *export.Worker, rows int) {
	t.Helper()
	worked, err := worker.RunOnce(t.Context())
	require.NoError(t, err)
	require.True(t, worked)
	var found int
	require.NoError(t, w.engine.Admin.Reader().QueryRowContext(t.Context(), `SELECT JSON_EXTRACT(watermark, '$.rows') FROM export_files
		WHERE company_id = ? ORDER BY created_at DESC LIMIT 1`, b.company.Scope.Company().ID).Scan(&found))
	require.Equal(t, rows, found)
}

// testLag: readiness says that a replica is late once it is for long.
func testLag(t *testing.T, w *world) {
	s := w.follower(t)
	s.clock.move(-50 * time.Second)
	b := w.books(t, s)
	w.Follow(t)
	requireState := func(want health.State, why string) {
		t.Helper()
		state, detail := s.health(t)
		require.Equal(t, want, state, "%s: %s", why, detail)
		s.clock.move(11 * time.Second)
	}
	requireState(health.OK, "it follows")
	w.Stop(t)
	defer w.Start(t)
	requireState(health.OK, "nothing happened that it lacks")
	b.post(t)
	requireState(health.OK, "it may be on its way")
	s.clock.move(55 * time.Second)
	requireState(health.Degraded, "it lacks what is long ago")
	w.Start(t)
	w.Follow(t)
	requireState(health.OK, "it followed")
}
