package tenant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// The statements of this file go past the mapper: they are those that every posting runs, and the mapper's reflection
// costs more there than the database's answer.

// QueryRow reads one row into dest and reports whether there is one. The SQL must name @company.
func QueryRow(ctx context.Context, r Reader, t text, args []any, dest ...any) (bool, error) {
	h := r.handle()
	query, all := h.prepare(t, args)
	return scanned(h.sql.QueryRow(ctx, query, all, dest))
}

// scanned tells a row that is missing from one that could not be read.
func scanned(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("querying: %w", err)
	}
	return true, nil
}

// InsertRows stores rows in one statement, which is kept for later: head is "INSERT INTO table (columns) VALUES", tuple is one row of placeholders
// that must name @company.
func InsertRows(ctx context.Context, tx Tx, head, tuple text, rows [][]any) error {
	h := tx.handle()
	var query strings.Builder
	query.WriteString(string(head))
	all := make([]any, 0, len(rows)*(len(rows[0])+1))
	for i, row := range rows {
		if i > 0 {
			query.WriteByte(',')
		}
		one, args := h.prepare(tuple, row)
		query.WriteByte(' ')
		query.WriteString(one)
		all = append(all, args...)
	}
	return h.sql.Later(ctx, query.String(), all...) //nolint:wrapcheck // callers say what they were doing
}

// insertion is the statement that stores rows, from what the mapper knows of their type.
func insertion[T any, P owned[T]](ctx context.Context, h *handle, rows []P) (string, []any, error) {
	mapped := gorm.Statement{DB: h.orm}
	if err := mapped.Parse(rows[0]); err != nil {
		return "", nil, fmt.Errorf("mapping: %w", err)
	}
	columns := slices.DeleteFunc(slices.Clone(mapped.Schema.DBNames), func(column string) bool {
		return !mapped.Schema.FieldsByDBName[column].Creatable // one that only queries fill
	})
	var query strings.Builder
	fmt.Fprintf(&query, "INSERT INTO %s (%s) VALUES ", mapped.Schema.Table, strings.Join(columns, ", "))
	tuple := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
	query.WriteString(tuple + strings.Repeat(", "+tuple, len(rows)-1))
	args := make([]any, 0, len(rows)*len(columns))
	for _, row := range rows {
		value := reflect.ValueOf(row).Elem()
		for _, column := range columns {
			v, _ := mapped.Schema.FieldsByDBName[column].ValueOf(ctx, value)
			args = append(args, v)
		}
	}
	return query.String(), args, nil
}

// CommittedRow is QueryRow outside any transaction.
func CommittedRow(ctx context.Context, s *Store, scope Scope, t text, args []any, dest ...any) (bool, error) {
	return s.rowFrom(ctx, s.db.Reader(), scope, t, args, dest)
}

// PeekRow is QueryRow outside any transaction that also sees rows of open transactions, where the engine can show them.
func PeekRow(ctx context.Context, s *Store, scope Scope, t text, args []any, dest ...any) (bool, error) {
	pool := s.db.Dirty()
	if pool == nil {
		pool = s.db.Reader()
	}
	return s.rowFrom(ctx, pool, scope, t, args, dest)
}

func (s *Store) rowFrom(ctx context.Context, pool *sql.DB, scope Scope, t text, args, dest []any) (bool, error) {
	scope.must()
	h := &handle{scope: scope, db: s.db}
	query, all := h.prepare(t, args)
	return peeked(ctx, pool, query, all, dest)
}

// peeked reads a row outside any transaction.
func peeked(ctx context.Context, pool *sql.DB, query string, args, dest []any) (found bool, err error) {
	err = onceMore(func() (err error) {
		found, err = scanned(pool.QueryRowContext(ctx, query, args...).Scan(dest...))
		return err
	})
	return found, err
}
