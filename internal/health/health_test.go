package health_test

import (
	"database/sql"
	"sync"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/health"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// hand is a clock that a test moves.
type hand struct {
	mu sync.Mutex
	t  time.Time
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.t
}

func (h *hand) advance(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.t = h.t.Add(d)
}

// bench is a checker whose second a test counts.
type bench struct {
	*health.Checker
	clock *hand
}

func newBench(db *database.DB) *bench {
	c := &hand{t: time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)}
	return &bench{health.NewChecker(tenant.NewSystem(tenant.NewStore(db, c))), c}
}

// look asks anew.
func (b *bench) look(t *testing.T) health.Report {
	t.Helper()
	b.clock.advance(time.Second)
	return b.Report(t.Context())
}

func states(r health.Report) map[string]health.State {
	found := map[string]health.State{}
	for _, c := range r.Checks {
		found[c.Name] = c.State
	}
	return found
}

var allWell = map[string]health.State{
	"database": health.OK, "migrations": health.OK, "writable": health.OK, "outbox": health.OK, "sweeper": health.OK,
}

func exec(t *testing.T, db *database.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.Writer().ExecContext(t.Context(), statement, args...)
	require.NoError(t, err)
}

func TestLateWorkDegrades(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBench(e.DB)
		require.Equal(t, allWell, states(b.look(t)))
		company, event, key := e.Company(t).Scope.Company().ID, tenant.NewID(), []byte("k")
		old := clock.At(clock.System{}.Now().Add(-health.SweeperStuck - time.Minute))
		exec(t, e.DB, `INSERT INTO outbox_events (company_id, id, event_type, object_type, object_id, payload, created_at)
			VALUES (?, ?, 'a', 'b', ?, ?, ?)`, company, event, event, key, old)
		require.Equal(t, health.OK, states(b.Report(t.Context()))["outbox"], "a report is remembered for a second")
		r := b.look(t)
		require.Equal(t, health.Degraded, states(r)["outbox"])
		require.Equal(t, health.ReadyDegraded, r.Status)
		require.True(t, r.Serves(), "the API works")
		exec(t, e.DB, "UPDATE outbox_events SET fanned_out_at = ? WHERE company_id = ? AND id = ?", old, company, event)
		exec(t, e.DB, `INSERT INTO idempotency_keys (company_id, idempotency_key, state, fingerprint, method, route, media_type, query, request,
			request_id, actor, attempt, replay_count, created_at, expires_at) VALUES (?, ?, 'failed', ?, '', '', '', '', ?, '', '', ?, 0, ?, ?)`,
			company, key, make([]byte, 32), key, event, old, old)
		r = b.look(t)
		require.Equal(t, health.OK, states(r)["outbox"])
		require.Equal(t, health.Degraded, states(r)["sweeper"])
		exec(t, e.DB, "DELETE FROM idempotency_keys WHERE company_id = ?", company)
		require.Equal(t, health.Ready, b.look(t).Status)
	})
}

func TestPendingMigrationIsNotReady(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	b := newBench(e.DB)
	exec(t, e.DB, "DELETE FROM goose_db_version WHERE version_id > 1")
	r := b.look(t)
	require.False(t, r.Serves())
	require.Equal(t, health.Failing, states(r)["migrations"])
	require.NotContains(t, states(r), "outbox", "what stands on the schema is not asked")
}

func TestReadOnlySQLiteIsNotReady(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	b := newBench(e.DB)
	exec(t, e.DB, "PRAGMA query_only = 1")
	r := b.look(t)
	require.False(t, r.Serves())
	require.Equal(t, health.Failing, states(r)["writable"])
	exec(t, e.DB, "PRAGMA query_only = 0")
	require.Equal(t, allWell, states(b.look(t)))
}

func TestBusyWriterIsReady(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	tx, err := e.DB.Writer().BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, allWell, states(newBench(e.DB).look(t)))
	require.NoError(t, tx.Rollback())
}

func TestReadOnlyMySQLIsNotReady(t *testing.T) {
	t.Parallel()
	server := mysqltest.Own(t)
	fresh := server.FreshDatabase(t)
	admin, err := database.Open(t.Context(), fresh.AdminURL, database.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, admin.Close()) })
	_, err = admin.Migrate(t.Context())
	require.NoError(t, err)
	require.NoError(t, admin.Grant(t.Context(), fresh.AppUser))
	db, err := database.Open(t.Context(), fresh.AppURL, database.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	root, err := sql.Open("mysql", server.DSN)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	b := newBench(db)
	require.Equal(t, allWell, states(b.look(t)))
	_, err = root.ExecContext(t.Context(), "SET GLOBAL read_only = 1")
	require.NoError(t, err)
	r := b.look(t)
	require.False(t, r.Serves())
	require.Equal(t, health.Failing, states(r)["writable"])
	_, err = root.ExecContext(t.Context(), "SET GLOBAL read_only = 0")
	require.NoError(t, err)
	require.Equal(t, allWell, states(b.look(t)))
}

func TestLostDatabaseIsNotReady(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	db, err := database.Open(t.Context(), e.URL, database.Options{})
	require.NoError(t, err)
	b := newBench(db)
	require.NoError(t, db.Close())
	r := b.look(t)
	require.False(t, r.Serves())
	require.Equal(t, map[string]health.State{"database": health.Failing}, states(r))
	require.NotContains(t, r.Checks[0].Detail, "sql", "the cause is for the log")
}

func TestDrainingIsNotReady(t *testing.T) {
	t.Parallel()
	b := newBench(testkit.SQLite(t).DB)
	require.True(t, b.look(t).Serves())
	b.Drain()
	require.False(t, b.Report(t.Context()).Serves(), "at once, whatever is remembered")
}
