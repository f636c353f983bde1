package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// querier is a pool or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// SchemaVersion is the number of the last migration applied, as a pool or a snapshot sees it.
func (db *DB) SchemaVersion(ctx context.Context, q querier) (int64, error) {
	var applied sql.NullInt64
	if err := q.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version WHERE is_applied").Scan(&applied); err != nil {
		return 0, fmt.Errorf("reading the version of the schema: %w", err)
	}
	if applied.Int64 == 0 {
		return 0, errors.New("the database has no schema; run: server migrate up")
	}
	return applied.Int64, nil
}
