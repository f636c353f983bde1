package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Unguarded runs a function that changes rows of tables that only grow, in one transaction of the operator in a company. It
// needs the migrating user; on SQLite the guards of the tables are lifted and put back in the same transaction, so that nobody
// ever sees them missing.
func Unguarded(
	ctx context.Context, y tenant.System, scope tenant.Scope, tables []string, fn func(context.Context, tenant.Tx) error,
) error {
	begun, tx, err := y.BeginAs(ctx, scope)
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	guards, err := lift(ctx, tx, y.Store().Database().Dialect() == database.SQLite, tables)
	if err == nil {
		err = fn(ctx, begun.Tx)
	}
	if err == nil {
		err = putBack(ctx, tx, guards)
	}
	if err != nil {
		begun.Rollback(ctx)
		return err
	}
	return begun.Commit(ctx) //nolint:wrapcheck // the commit says what it is
}

// lift drops the guards of tables that only grow, and gives the statements that make them again. On MySQL rights are the guard.
func lift(ctx context.Context, tx *database.Tx, isSQLite bool, tables []string) ([]string, error) {
	if !isSQLite {
		return nil, nil
	}
	// What is removed is overwritten in the file, too.
	if _, err := tx.ExecContext(ctx, "PRAGMA secure_delete = ON"); err != nil {
		return nil, fmt.Errorf("preparing the session: %w", err)
	}
	rows, err := tx.QueryContext(ctx, "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("listing guards: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var names, statements []string
	for rows.Next() {
		var name, table, statement string
		if err := rows.Scan(&name, &table, &statement); err != nil {
			return nil, fmt.Errorf("reading a guard: %w", err)
		}
		if slices.Contains(tables, table) {
			names, statements = append(names, name), append(statements, statement)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, fmt.Errorf("listing guards: %w", err)
	}
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, "DROP TRIGGER "+quoted([]string{name})); err != nil {
			return nil, fmt.Errorf("lifting a guard: %w", err)
		}
	}
	return statements, nil
}

func putBack(ctx context.Context, tx *database.Tx, guards []string) error {
	for _, guard := range guards {
		if _, err := tx.ExecContext(ctx, guard); err != nil {
			return fmt.Errorf("putting a guard back: %w", err)
		}
	}
	return nil
}
