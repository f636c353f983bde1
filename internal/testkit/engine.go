package testkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// Engine is one open database with the schema in place.
type Engine struct {
	Name   string
	URL    string // for a server process on the same database
	DB     *database.DB
	Store  *tenant.Store
	System tenant.System
	// Admin may do what the serving user may not, to put rows into states that only faults reach.
	Admin *database.DB
}

// EachEngine runs a test on SQLite and on MySQL, as parallel subtests.
func EachEngine(t *testing.T, test func(*testing.T, *Engine)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, SQLite(t))
	})
	t.Run("MySQL", func(t *testing.T) {
		t.Parallel()
		test(t, MySQL(t))
	})
}

// At is the same engine with a clock that stands still.
func (e *Engine) At(now time.Time) *Engine {
	pinned := *e
	pinned.Store = tenant.NewStore(e.DB, clock.Fixed{T: now})
	pinned.System = tenant.NewSystem(pinned.Store)
	return &pinned
}

func newEngine(name, url string, db, admin *database.DB) *Engine {
	store := tenant.NewStore(db, clock.System{})
	return &Engine{Name: name, URL: url, DB: db, Admin: admin, Store: store, System: tenant.NewSystem(store)}
}

// migrated is a SQLite file with the schema and nothing in it.
var migrated = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "vienkart-schema-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "schema.db")
	db, err := database.Open(context.Background(), "sqlite:"+path, database.Options{})
	if err != nil {
		return nil, fmt.Errorf("opening the schema: %w", err)
	}
	if _, err := db.Migrate(context.Background()); err != nil {
		return nil, fmt.Errorf("migrating the schema: %w", err)
	}
	if err := db.Close(); err != nil {
		return nil, fmt.Errorf("closing the schema: %w", err)
	}
	return os.ReadFile(path) //nolint:wrapcheck // the test fails with it as it is
})

// SQLite opens a fresh file.
func SQLite(t testing.TB) *Engine {
	t.Helper()
	return SQLiteIn(t, t.TempDir())
}

// SQLiteIn opens a fresh file in a folder.
func SQLiteIn(t testing.TB, folder string) *Engine {
	t.Helper()
	schema, err := migrated()
	require.NoError(t, err)
	path := filepath.Join(folder, "vienkart.db")
	require.NoError(t, os.WriteFile(path, schema, 0o600))
	db, err := database.Open(context.Background(), "sqlite:"+path, database.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return newEngine("SQLite", "sqlite:"+path, db, db)
}

// mysql is the database that all tests of the process share, each in companies of its own.
var mysql = sync.OnceValues(func() (*Engine, error) {
	server, err := mysqltest.SharedServer()
	if err != nil {
		return nil, fmt.Errorf("starting MySQL: %w", err)
	}
	return On(server)
})

// On makes a database with the schema on a server, which nobody drops, and opens it.
func On(server *mysqltest.Server) (*Engine, error) {
	fresh, err := server.LastingDatabase(context.Background())
	if err != nil {
		return nil, fmt.Errorf("making a database: %w", err)
	}
	return open(fresh)
}

// open gives a database the schema and opens it as migrator and as the serving user.
func open(fresh mysqltest.Database) (*Engine, error) {
	admin, err := database.Open(context.Background(), fresh.AdminURL, database.Options{})
	if err != nil {
		return nil, fmt.Errorf("opening as migrator: %w", err)
	}
	if _, err := admin.Migrate(context.Background()); err != nil {
		return nil, fmt.Errorf("migrating: %w", err)
	}
	if err := admin.Grant(context.Background(), fresh.AppUser); err != nil {
		return nil, fmt.Errorf("granting: %w", err)
	}
	db, err := database.Open(context.Background(), fresh.AppURL, database.Options{MaxConnections: 32})
	if err != nil {
		return nil, fmt.Errorf("opening as the serving user: %w", err)
	}
	return newEngine("MySQL", fresh.AppURL, db, admin), nil
}

// MySQL opens the shared database as the serving user. It skips or fails as mysqltest.Shared does.
func MySQL(t testing.TB) *Engine {
	t.Helper()
	mysqltest.Shared(t)
	e, err := mysql()
	require.NoError(t, err)
	copied := *e
	return &copied
}

// Apart opens a database of its own with the schema, as the serving user has it, until the test ends: of the engine with a name.
// The address of its migrator is the file itself on SQLite.
func Apart(t testing.TB, engine string) (e *Engine, adminURL string) {
	t.Helper()
	if engine == "SQLite" {
		e = SQLite(t)
		return e, e.URL
	}
	fresh := mysqltest.FreshDatabase(t)
	e, err := open(fresh)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(e.DB.Close(), e.Admin.Close())) })
	return e, fresh.AdminURL
}

// OnServer opens a fresh database of one server as the serving user, until the test ends.
func OnServer(t testing.TB, server *mysqltest.Server) *Engine {
	t.Helper()
	e, err := On(server)
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = e.DB.Close(), e.Admin.Close() })
	return e
}

// Company is a fresh tenant.
type Company struct {
	Scope  tenant.Scope
	Engine *Engine
}

// Company makes a tenant in Vilnius that keeps its books in euro.
func (e *Engine) Company(t testing.TB, change ...func(*tenant.Company)) *Company {
	t.Helper()
	now := clock.At(e.Store.Clock().Now())
	c := tenant.Company{
		ID: tenant.NewID(), Name: "UAB Bandymas", IsVATPayer: true, CountryCode: "LT", TimeZone: "Europe/Vilnius",
		BaseCurrency: money.EUR, DefaultInvoiceCurrency: money.EUR, Status: tenant.CompanyActive, CreatedAt: now, UpdatedAt: now,
	}
	for _, f := range change {
		f(&c)
	}
	scope, err := e.System.CreateCompany(t.Context(), c, "test", nil)
	require.NoError(t, err)
	return &Company{Scope: scope, Engine: e}
}

// TryMutate runs fn in a transaction of the company and returns its error.
func (c *Company) TryMutate(ctx context.Context, fn func(context.Context, tenant.Tx) error) error {
	scope := c.Scope
	if scope.Actor().Type == tenant.ActorSystem {
		// A fresh scope, as each request has: what it says of the company is remembered under its version. A caller that
		// the test signed in stays who it is, since what it may do is what is tested.
		var err error
		if scope, err = c.Engine.System.Scope(ctx, scope.Company().ID, "test"); err != nil {
			return err //nolint:wrapcheck // tests look at the error itself
		}
	}
	return c.Engine.Store.Mutate(ctx, scope, fn) //nolint:wrapcheck // tests look at the error itself
}

// Mutate runs fn in a transaction of the company, which must succeed.
func (c *Company) Mutate(t testing.TB, fn func(context.Context, tenant.Tx) error) {
	t.Helper()
	require.NoError(t, c.TryMutate(t.Context(), fn))
}

// Read runs fn on a snapshot of the company, which must succeed.
func (c *Company) Read(t testing.TB, fn func(context.Context, tenant.ReadTx) error) {
	t.Helper()
	require.NoError(t, c.Engine.Store.Snapshot(t.Context(), c.Scope, fn))
}

// RequireBalanced checks what must hold after every test: each transaction of the company balances in the base currency,
// and per foreign currency.
func (c *Company) RequireBalanced(t testing.TB) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		broken, err := tenant.Query[tenant.ID](ctx, r, `SELECT transaction_id FROM journal_entries WHERE company_id = @company
			AND currency <> ? GROUP BY transaction_id, currency HAVING SUM(debit_minor) <> SUM(credit_minor)
			UNION SELECT transaction_id FROM journal_entries WHERE company_id = @company
			GROUP BY transaction_id HAVING SUM(base_debit_minor) <> SUM(base_credit_minor)`,
			r.Company().BaseCurrency)
		require.NoError(t, err)
		require.Empty(t, broken, "transactions that do not balance")
		return nil
	})
}
