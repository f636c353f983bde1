package tenant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/vienkart/vienkart/internal/database"
)

// text is SQL written in the program. Its name is not exported, so a caller can pass an untyped constant and nothing
// built at run time. Beside ? it knows:
//
//	@company    the company of the handle; required
//	@now        the database's clock
//	@forupdate  an exclusive row lock, where the engine has them; LockWhere alone takes it
//	@forshare   a shared row lock, where the engine has them; see HoldShared
type text string

// prepared is a text with its words replaced for one dialect.
type prepared struct {
	sql     string
	company []int // positions of @company among the arguments
	locks   bool  // holds @forupdate
}

var preparedTexts sync.Map // of preparedKey to prepared

// preparedKey is all that the result depends on.
type preparedKey struct {
	dialect  database.Dialect
	forShare string
	text     text
}

func prepare(db *database.DB, t text) prepared {
	forUpdate, forShare := db.LockWords()
	key := preparedKey{db.Dialect(), forShare, t}
	if p, ok := preparedTexts.Load(key); ok {
		return p.(prepared) //nolint:errcheck,forcetypeassert // only this function stores here
	}
	now := "UTC_TIMESTAMP(6)"
	if db.Dialect() == database.SQLite {
		now = "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')"
	}
	s := strings.NewReplacer("@now", now, "@forupdate", forUpdate, "@forshare", forShare).Replace(string(t))
	p := prepared{locks: strings.Contains(string(t), "@forupdate")}
	var out strings.Builder
	arguments := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '?':
			arguments++
			out.WriteByte('?')
		case strings.HasPrefix(s[i:], "@company"):
			p.company = append(p.company, arguments)
			arguments++
			out.WriteByte('?')
			i += len("@company") - 1
		default:
			out.WriteByte(s[i])
		}
	}
	p.sql = out.String()
	preparedTexts.Store(key, p)
	return p
}

func (h *handle) prepare(t text, args []any) (string, []any) {
	p := prepare(h.db, t)
	if len(p.company) == 0 {
		panic("tenant: SQL does not name @company: " + string(t))
	}
	all := make([]any, 0, len(args)+len(p.company))
	next := 0
	for _, position := range p.company {
		for len(all) < position {
			all = append(all, args[next])
			next++
		}
		all = append(all, h.scope.s.company.ID)
	}
	return p.sql, append(all, args[next:]...)
}

// Exec runs a statement that must name @company.
func Exec(ctx context.Context, tx Tx, t text, args ...any) (sql.Result, error) {
	h := tx.handle()
	query, all := h.prepare(t, args)
	return h.sql.ExecContext(ctx, query, all...) //nolint:wrapcheck // callers say what they were doing
}

// ExecLater is Exec for a statement whose outcome nobody waits for: it travels with the next one.
func ExecLater(ctx context.Context, tx Tx, t text, args ...any) error {
	h := tx.handle()
	query, all := h.prepare(t, args)
	return h.sql.Later(ctx, query, all...) //nolint:wrapcheck // callers say what they were doing
}

// ExecLists is Exec for a statement that takes lists, as in IN ?.
func ExecLists(ctx context.Context, tx Tx, t text, args ...any) error {
	h := tx.handle()
	query, all := h.prepare(t, args)
	return h.orm.WithContext(ctx).Exec(query, all...).Error //nolint:wrapcheck // callers say what they were doing
}

// ExecNoWait is Exec that fails at once with a busy lock where the engine can do that.
func ExecNoWait(ctx context.Context, tx Tx, t text, args ...any) (sql.Result, error) {
	h := tx.handle()
	query, all := h.prepare(t, args)
	return h.sql.ExecContext(ctx, h.db.NoWait()+query, all...) //nolint:wrapcheck // callers say what they were doing
}

// ExecNoWaitLater is ExecNoWait for a statement whose outcome nobody waits for.
func ExecNoWaitLater(ctx context.Context, tx Tx, t text, args ...any) error {
	h := tx.handle()
	query, all := h.prepare(t, args)
	return h.sql.Later(ctx, h.db.NoWait()+query, all...) //nolint:wrapcheck // callers say what they were doing
}

// Query runs a query that must name @company and reads its rows into T: a struct whose fields carry gorm column names,
// or a scalar.
func Query[T any](ctx context.Context, r Reader, t text, args ...any) ([]T, error) {
	h := r.handle()
	if prepare(h.db, t).locks {
		panic("tenant: a query that locks rows goes through LockWhere: " + string(t))
	}
	return query[T](ctx, h, t, args)
}

func query[T any](ctx context.Context, h *handle, t text, args []any) ([]T, error) {
	query, all := h.prepare(t, args)
	rows := []T{}
	if err := h.orm.WithContext(ctx).Raw(query, all...).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("querying: %w", err)
	}
	return rows, nil
}

// QueryOne is Query for a query that answers one row, or none: then it returns nil.
func QueryOne[T any](ctx context.Context, r Reader, t text, args ...any) (*T, error) {
	rows, err := Query[T](ctx, r, t, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// Increment runs an UPDATE of one row that marks with @previous(column) the value to return as it was before, in one
// round trip on every engine. Error: sql.ErrNoRows when no row matched.
func Increment(ctx context.Context, tx Tx, t text, args ...any) (int64, error) {
	h := tx.handle()
	query, all := h.prepare(t, args)
	before, column, after := cutPrevious(query)
	if h.db.Dialect() == database.SQLite {
		var previous int64
		err := h.sql.QueryRow(ctx, before+column+after+" RETURNING "+column+" - 1", all, []any{&previous})
		return previous, err //nolint:wrapcheck // callers say what they were doing
	}
	result, err := h.sql.ExecContext(ctx, before+"LAST_INSERT_ID("+column+")"+after, all...)
	if err != nil {
		return 0, err //nolint:wrapcheck // callers say what they were doing
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return 0, errors.Join(err, sql.ErrNoRows)
	}
	return result.LastInsertId() //nolint:wrapcheck // callers say what they were doing
}

func cutPrevious(query string) (before, column, after string) {
	before, rest, _ := strings.Cut(query, "@previous(")
	column, after, found := strings.Cut(rest, ")")
	if !found {
		panic("tenant: Increment without @previous(column): " + query)
	}
	return before, column, after
}

// ReadUncommitted runs a point query that also sees rows of open transactions, outside any transaction. What it shows
// may still be rolled back. SQLite has no such read and answers with committed rows.
func ReadUncommitted[T any](ctx context.Context, s *Store, scope Scope, t text, args ...any) (*T, error) {
	pool := s.db.Dirty()
	if pool == nil {
		pool = s.db.Reader()
	}
	return readOne[T](ctx, s, pool, scope, t, args)
}

// ReadCommitted runs a point query that sees committed rows, outside any transaction: one round trip.
func ReadCommitted[T any](ctx context.Context, s *Store, scope Scope, t text, args ...any) (*T, error) {
	return readOne[T](ctx, s, s.db.Reader(), scope, t, args)
}

func readOne[T any](ctx context.Context, s *Store, pool *sql.DB, scope Scope, t text, args []any) (*T, error) {
	scope.must()
	h := &handle{scope: scope, db: s.db}
	query, all := h.prepare(t, args)
	var rows []T
	err := onceMore(func() error {
		rows = []T{}
		return s.db.ORM(ctx, pool).Raw(query, all...).Scan(&rows).Error //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return nil, fmt.Errorf("querying: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	return &rows[0], nil
}
