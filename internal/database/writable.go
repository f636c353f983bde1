package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	sqlitedriver "modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// ErrReadOnly says that the engine reads and does not write.
var ErrReadOnly = errors.New("the database is read-only")

// writerPatience is how long Writable waits for SQLite's one writer. One that is busy for longer is writing, which is
// the answer.
const writerPatience = 300 * time.Millisecond

// Writable finds out whether the engine takes writes, and leaves nothing behind. MySQL says so itself; SQLite, which
// learns that from the file, gets a write that is rolled back. A full disk shows only when something is committed.
// Error: ErrReadOnly.
func (db *DB) Writable(ctx context.Context) error {
	if db.dialect == SQLite {
		return db.tryWrite(ctx)
	}
	// The variables of all engines: none has all of them, and asking for one that is missing would be an error.
	rows, err := db.reader.QueryContext(ctx, `SHOW GLOBAL VARIABLES WHERE variable_name IN
		('read_only', 'super_read_only', 'innodb_read_only', 'transaction_read_only', 'tidb_restricted_read_only', 'tidb_super_read_only')
		AND value NOT IN ('OFF', '0')`)
	if err != nil {
		return fmt.Errorf("asking whether the database is read-only: %w", err)
	}
	defer func() { _ = rows.Close() }()
	if rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return fmt.Errorf("reading whether the database is read-only: %w", err)
		}
		return fmt.Errorf("%w: %s is %s", ErrReadOnly, name, value)
	}
	return rows.Err() //nolint:wrapcheck // the caller says what was asked
}

func (db *DB) tryWrite(ctx context.Context) error {
	patient, cancel := context.WithTimeout(ctx, writerPatience)
	defer cancel()
	conn, err := db.writer.Conn(patient)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return nil
		}
		return fmt.Errorf("reaching the writer: %w", err)
	}
	defer func() { _ = conn.Close() }()
	tx, err := conn.BeginTx(ctx, nil)
	if err == nil {
		_, err = tx.ExecContext(ctx, "PRAGMA user_version = 1")
		_ = tx.Rollback()
	}
	if s, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		switch s.Code() & 0xff {
		case sqlitelib.SQLITE_READONLY:
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		case sqlitelib.SQLITE_BUSY:
			return nil // another process writes, such as a migration
		}
	}
	if err != nil {
		return fmt.Errorf("trying to write: %w", err)
	}
	return nil
}
