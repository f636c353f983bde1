//go:build unix

package replica_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/health"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// requireUnfit checks that a server that has just started answers by the primary, and says why.
func requireUnfit(t *testing.T, w *world, replicaURL, reason string) {
	t.Helper()
	s := w.server(t, replicaURL)
	b := w.books(t, s)
	lines := logged(t, func() {
		for range 3 {
			b.requireReport(t, s)
		}
	})
	require.Equal(t, map[tenant.ReplicaUse]int{tenant.ReplicaUnfit: 3}, s.uses.take())
	require.Equal(t, 1, strings.Count(lines, "the replica is not used"), "one line, not one for each report:\n%s", lines)
	state, detail := s.health(t)
	require.Equal(t, health.Degraded, state)
	require.Contains(t, detail, reason)
	require.NotContains(t, detail, "127.0.0.1", "readiness is asked without a token")
}

func testThePrimaryItself(t *testing.T, w *world) {
	s := w.server(t, w.engine.URL)
	b := w.books(t, s)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take())
	state, detail := s.health(t)
	require.Equal(t, health.OK, state, detail)
}

func testTakesWrites(t *testing.T, w *world) {
	w.OnReplica(t, "SET GLOBAL read_only = OFF")
	defer w.OnReplica(t, "SET GLOBAL read_only = ON")
	requireUnfit(t, w, w.ReplicaURL(w.engine.URL), "it takes writes")
}

// testOtherSchema: between a migration of the primary and its arrival the replica is not used.
func testOtherSchema(t *testing.T, w *world) {
	w.Follow(t)
	w.Stop(t)
	defer w.Start(t)
	_, err := w.engine.Admin.Writer().ExecContext(t.Context(),
		"INSERT INTO goose_db_version (version_id, is_applied) SELECT MAX(version_id) + 1, 1 FROM goose_db_version")
	require.NoError(t, err)
	requireUnfit(t, w, w.ReplicaURL(w.engine.URL), "its schema is not that of the primary")
	w.Start(t)
	w.Follow(t)
	s := w.follower(t)
	b := w.books(t, s)
	w.Follow(t)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take(), "the migration arrived")
}

func testWrongClock(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	w.Follow(t)
	s.clock.move(time.Hour)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUnfit), s.uses.take())
	_, detail := s.health(t)
	require.Contains(t, detail, "the clock of this server is wrong")
}

func testRefused(t *testing.T, w *world) {
	_, rest, _ := strings.Cut(w.ReplicaURL(w.engine.URL), "@")
	requireUnfit(t, w, "mysql://nobody:wrong@"+rest, "it does not answer")
}

// testSilent: a replica whose packets get lost holds nobody up for long, before a report or under it.
func testSilent(t *testing.T, w *world) {
	p := proxy.Start(t, w.Replica.Address())
	s := w.server(t, w.through(t, p.Address()))
	b := w.books(t, s)
	w.Follow(t)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take())
	p.Set(proxy.BlackHole())
	b.Client = b.Within(15 * time.Second)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaBroke), s.uses.take())
	b.requireReport(t, s)
	b.requireReport(t, s)
	require.Equal(t, map[tenant.ReplicaUse]int{tenant.ReplicaUnfit: 2}, s.uses.take())
}

// testKilled: the report that meets the end of the replica is answered, so are those after it, and the replica is used again
// when it is back.
func testKilled(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	w.Follow(t)
	b.requireReport(t, s)
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take())
	require.NoError(t, w.Replica.Kill())
	lines := logged(t, func() {
		for range 3 {
			b.requireReport(t, s)
			b.post(t)
		}
		state, detail := s.health(t)
		require.Equal(t, health.Degraded, state, detail)
	})
	require.Equal(t, map[tenant.ReplicaUse]int{tenant.ReplicaBroke: 1, tenant.ReplicaUnfit: 2}, s.uses.take())
	require.Equal(t, 1, strings.Count(lines, "the replica is not used"), lines)
	require.NoError(t, w.Replica.Restart(t.Context()))
	w.Start(t) // nothing where it begins by itself
	w.Follow(t)
	s.clock.move(11 * time.Second)
	require.Contains(t, logged(t, func() { b.requireReport(t, s) }), "the replica answers reports")
	require.Equal(t, once(tenant.ReplicaUsed), s.uses.take())
	state, detail := s.health(t)
	require.Equal(t, health.OK, state, detail)
}

// testKilledUnderReport: the work runs once more, on the primary, when the replica ends in the middle.
func testKilledUnderReport(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	w.Follow(t)
	runs, err := read(s, b, func() { require.NoError(t, w.Replica.Kill()) })
	require.NoError(t, err)
	require.Equal(t, 2, runs)
	require.Equal(t, once(tenant.ReplicaBroke), s.uses.take())
	require.NoError(t, w.Replica.Restart(t.Context()))
}

// testKilledUnderExport: a file that was half made from the replica has every row once.
func testKilledUnderExport(t *testing.T, w *world) {
	s := w.follower(t)
	b := w.books(t, s)
	b.OK(t, "/v1/reports/jobs/create", body{"reportType": "general-journal", "params": january}, nil)
	w.Follow(t)
	journal := httpapi.ReportExports("test")["general-journal"]
	produce, runs := journal.Produce, 0
	journal.Produce = func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, out export.Writer) error {
		if err := produce(ctx, r, params, out); err != nil {
			return err
		}
		if runs++; runs > 1 {
			return nil
		}
		require.NoError(t, w.Replica.Kill())
		_, err := tenant.QueryRow(ctx, r, "SELECT id FROM partners WHERE company_id = @company", nil, new(tenant.ID))
		return err
	}
	worker := &export.Worker{System: tenant.NewSystem(s.store), Reports: export.Reports{"general-journal": journal}}
	w.requireFile(t, b, worker, 1)
	require.Equal(t, 2, runs)
	require.Equal(t, once(tenant.ReplicaBroke), s.uses.take())
	require.NoError(t, w.Replica.Restart(t.Context()))
}

// testProcess: the setting is enough, also while the replica is down at the start.
func testProcess(t *testing.T, w *world) {
	p := proxy.Start(t, w.Replica.Address())
	p.Set(proxy.Refuse())
	s := process.Start(t, w.engine, "VIENKART_DATABASE_REPLICA_URL="+w.through(t, p.Address()))
	c, _ := s.Company(t, w.engine)
	c.OK(t, trialBalance, january, nil)
	require.Contains(t, s.Log(), "the replica is not used, the primary answers reports")
	ready, err := http.Get(s.URL + "/readyz") //nolint:noctx // it answers at once
	require.NoError(t, err)
	defer func() { require.NoError(t, ready.Body.Close()) }()
	require.Equal(t, http.StatusOK, ready.StatusCode)
	p.Reset()
	p.Set(proxy.Pass())
	require.Eventually(t, func() bool {
		c.OK(t, trialBalance, january, nil)
		return strings.Contains(s.Log(), "the replica answers reports")
	}, 30*time.Second, time.Second, "it is looked at again")
}
