package tenant

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
)

// System acts for the operator: it can list companies and walk the whole database, and opens a Tx per company to touch
// its rows. It is built in cmd/server and in tests alone.
type System struct{ store *Store }

// NewSystem wraps a store.
func NewSystem(store *Store) System { return System{store} }

// Store is the store it acts on.
func (y System) Store() *Store { return y.store }

// Scope is the operator as admin of a company.
func (y System) Scope(ctx context.Context, company ID, actor string) (Scope, error) {
	row, err := y.store.tenancy(ctx, company, bearer{}, nil)
	if err != nil {
		return Scope{}, err
	}
	if row == nil {
		return Scope{}, NotFound("company", company)
	}
	in := operator(row.Company, actor)
	in.s.chartVersion = row.ChartVersion
	return in, nil
}

// SystemQuery reads rows of any company; it is for verification and for the workers' lists of what is due.
func SystemQuery[T any](ctx context.Context, y System, t text, args ...any) ([]T, error) {
	var rows []T
	p := prepare(y.store.db, t)
	err := onceMore(func() error {
		rows = []T{}
		return y.store.db.ORM(ctx, y.store.db.Reader()).Raw(p.sql, args...).Scan(&rows).Error //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return nil, fmt.Errorf("querying: %w", err)
	}
	return rows, nil
}

// DatabaseNow is the database's clock, which all servers share.
func (y System) DatabaseNow(ctx context.Context) (clock.Time, error) {
	rows, err := SystemQuery[clock.Time](ctx, y, "SELECT @now")
	if err != nil {
		return clock.Time{}, fmt.Errorf("reading the clock of the database: %w", err)
	}
	return rows[0], nil
}

// SystemExec runs one statement in a transaction of its own; it is for workers whose rows belong to many companies.
func SystemExec(ctx context.Context, y System, t text, args ...any) (sql.Result, error) {
	conn, err := database.Acquire(ctx, y.store.db.Writer())
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	defer func() { _ = conn.Close() }()
	p := prepare(y.store.db, t)
	return conn.ExecContext(ctx, p.sql, args...) //nolint:wrapcheck // callers say what they were doing
}

// CreateCompany stores a company with what setUp adds, in one transaction, and gives the operator's scope in it: before
// the first company there is none to act in.
func (y System) CreateCompany(ctx context.Context, c Company, actor string, setUp func(context.Context, Tx) error) (Scope, error) {
	in := operator(c, actor)
	err := y.store.Mutate(ctx, in, func(ctx context.Context, tx Tx) error {
		if err := tx.handle().orm.WithContext(ctx).Create(&c).Error; err != nil {
			return fmt.Errorf("storing the company: %w", err)
		}
		if setUp == nil {
			return nil
		}
		return setUp(ctx, tx)
	})
	return in, err
}

func operator(c Company, actor string) Scope {
	return Scope{&scope{company: c, actor: Actor{Type: ActorSystem, ID: actor}, role: RoleAdmin, requestID: actor}}
}
