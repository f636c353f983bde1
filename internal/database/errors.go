package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/go-sql-driver/mysql"
	sqlitedriver "modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// MySQL error numbers that decide what happens next. TiDB and Galera report their conflicts with the same ones, TiDB
// adds two of its own.
const (
	mysqlDuplicate       = 1062
	mysqlLockWait        = 1205
	mysqlDeadlock        = 1213
	mysqlTooManyConns    = 1040
	mysqlShutdown        = 1053
	mysqlReadOnly        = 1290
	mysqlReadOnlyTx      = 1792
	mysqlWSREPNotReady   = 1047
	mysqlStatementKilled = 1317
	mysqlIsReferenced    = 1451
	mysqlNoReference     = 1452
	tidbWriteConflict    = 9007
	tidbRetryable        = 8022
)

// DuplicateIndex reports whether err is the violation of a unique index, and which.
func (db *DB) DuplicateIndex(err error) (string, bool) {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok && m.Number == mysqlDuplicate {
		// Duplicate entry '...' for key 'table.index': the value may hold quotes, the name cannot.
		text := strings.TrimSuffix(m.Message, "'")
		text = text[strings.LastIndexByte(text, '\'')+1:]
		return text[strings.LastIndexByte(text, '.')+1:], true
	}
	if s, ok := errors.AsType[*sqlitedriver.Error](err); ok && isSQLiteUnique(s.Code()) {
		text := s.Error()
		if _, columns, found := strings.Cut(text, "UNIQUE constraint failed: "); found {
			columns, _, _ = strings.Cut(columns, " (")
			return db.indexes[columns], true
		}
		return "", true
	}
	return "", false
}

func isSQLiteUnique(code int) bool {
	return code == sqlitelib.SQLITE_CONSTRAINT_UNIQUE || code == sqlitelib.SQLITE_CONSTRAINT_PRIMARYKEY
}

// IsLockBusy reports a row or file that another transaction holds. On MySQL the transaction keeps its earlier writes
// after it, so the caller must roll back.
func IsLockBusy(err error) bool {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return m.Number == mysqlLockWait
	}
	if s, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		primary := s.Code() & 0xff
		return primary == sqlitelib.SQLITE_BUSY || primary == sqlitelib.SQLITE_LOCKED
	}
	return false
}

// IsTransient reports a conflict after which the same transaction, run again from its start, may succeed.
func IsTransient(err error) bool {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch m.Number {
		case mysqlDeadlock, mysqlLockWait, tidbWriteConflict, tidbRetryable:
			return true
		}
		return false
	}
	return IsLockBusy(err)
}

// IsLostReference reports a row that refers to another, which a transaction beside this one deleted after it was read; or
// the deletion of a row that got a reference meanwhile. Run again, the transaction sees it and says so. On SQLite, where
// writers follow one another, it is a fault of the program.
func IsLostReference(err error) bool {
	m, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (m.Number == mysqlNoReference || m.Number == mysqlIsReferenced)
}

// IsUnavailable reports that the engine cannot serve now: no free connection, a lost one, a server going down or
// read-only. What the lost connection was doing may or may not have happened.
func IsUnavailable(err error) bool {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch m.Number {
		case mysqlTooManyConns, mysqlShutdown, mysqlReadOnly, mysqlReadOnlyTx, mysqlWSREPNotReady, mysqlStatementKilled:
			return true
		}
		return false
	}
	if s, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		switch s.Code() & 0xff {
		case sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR, sqlitelib.SQLITE_READONLY, sqlitelib.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}
