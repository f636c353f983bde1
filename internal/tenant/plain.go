package tenant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// The statements of this file go past the mapper: they are those that every posting runs, and the mapper's reflection
// costs more there than the database's answer.

// QueryRow reads one row into dest and reports whether there is one. The SQL must name @company.
func QueryRow(ctx context.Context, r Reader, t text, args []any, dest ...any) (bool, error) {
	h := r.handle()
	query, all := h.prepare(t, args)
	return scanned(h.sql.QueryRowContext(ctx, query, all...), dest)
}

// scanned reads a row that may be missing.
func scanned(row *sql.Row, dest []any) (bool, error) {
	err := row.Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("querying: %w", err)
	}
	return true, nil
}

// InsertRows stores rows in one statement: head is "INSERT INTO table (columns) VALUES", tuple is one row of placeholders
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
	_, err := h.sql.ExecContext(ctx, query.String(), all...)
	return err //nolint:wrapcheck // callers say what they were doing
}

// PeekRow is QueryRow outside any transaction that also sees rows of open transactions, where the engine can show them.
func PeekRow(ctx context.Context, s *Store, scope Scope, t text, args []any, dest ...any) (bool, error) {
	pool := s.db.Dirty()
	if pool == nil {
		pool = s.db.Reader()
	}
	h := &handle{scope: scope, db: s.db}
	query, all := h.prepare(t, args)
	return scanned(pool.QueryRowContext(ctx, query, all...), dest)
}
