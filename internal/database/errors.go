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

// MySQL error numbers that decide what happens next. Galera reports a conflict of two nodes as a deadlock, mostly of the COMMIT;
// TiDB adds numbers of its own.
const (
	mysqlDuplicate     = 1062
	mysqlLockWait      = 1205
	mysqlLockNoWait    = 3572
	mysqlDeadlock      = 1213
	mysqlIsReferenced  = 1451
	mysqlNoReference   = 1452
	tidbWriteConflict  = 9007
	tidbRetryable      = 8022
	tidbNoRetryForLock = 8002
	tidbStaleWrite     = 8005
	tidbSchemaChanged  = 8028
)

// lost are the numbers that come with the end of the connection: MySQL says that it was idle for too long, MariaDB that it was
// killed, both that the server goes down.
var lost = map[uint16]bool{4031: true, 1927: true, 1053: true, 1077: true, 1080: true}

// unavailable are the numbers by which the engine says that it cannot serve now, besides those of lost.
var unavailable = map[uint16]bool{
	1040: true, 1203: true, 1226: true, // no further connection, in all or of this user
	1047: true,                         // a node of Galera that is not ready
	1317: true, 1969: true, 3024: true, // the statement was ended from outside
	1290: true, 1792: true, 1836: true, // read-only
	9001: true, 9002: true, 9003: true, 9004: true, 9005: true, 9010: true, // parts of TiDB that do not answer
	1037: true, 1038: true, 1041: true, 1206: true, // no memory, or none for locks
	1021: true, 1114: true, 1030: true, // no room: on the disk, in a table, or as the storage engine has it
	// No room for what a file of sorting, of a temporary table or of the binary log was to take: to make, write, read or lengthen it.
	1: true, 3: true, 14: true, 20: true, 1004: true, 1024: true, 1026: true, 1878: true,
	1180: true, 1181: true, // at a commit or a rollback
	1637: true, // for the undo log of one more transaction
	// An index said to be corrupt. MariaDB says so now and then of a sound table while the disk is full, and of a temporary table
	// that was cut short. One that is corrupt indeed stays so, and its refusals stand in the log as errors.
	1034: true, 1194: true,
}

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
		return m.Number == mysqlLockWait || m.Number == mysqlLockNoWait
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
		case mysqlDeadlock, mysqlLockWait, mysqlLockNoWait, tidbWriteConflict, tidbRetryable, tidbNoRetryForLock, tidbStaleWrite, tidbSchemaChanged:
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

// IsUnavailable reports that the engine cannot serve now: no free connection, a lost one, a full disk, a server going down
// or read-only. What the lost connection was doing may or may not have happened.
func IsUnavailable(err error) bool {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return unavailable[m.Number] || lost[m.Number]
	}
	if s, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		switch s.Code() & 0xff {
		case sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR, sqlitelib.SQLITE_NOMEM, sqlitelib.SQLITE_READONLY, sqlitelib.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	// A transaction is done before its time when the time of the request has run out.
	return isLostConnection(err) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.DeadlineExceeded)
}

// lostCommit is the error of a COMMIT that was sent and did not answer.
type lostCommit struct{ error }

func (e lostCommit) Unwrap() error { return e.error }

// IsOutcomeUnknown reports a COMMIT that did not answer. What it was to keep is there, or it is not, so only what may happen
// twice may be done again.
func IsOutcomeUnknown(err error) bool {
	_, ok := errors.AsType[lostCommit](err)
	return ok
}

// isLostConnection takes a stream of bytes that makes no sense for a lost connection: the driver closes it.
func isLostConnection(err error) bool {
	for _, end := range []error{
		driver.ErrBadConn, mysql.ErrInvalidConn, io.EOF, io.ErrUnexpectedEOF, mysql.ErrPktSync, mysql.ErrPktSyncMul, mysql.ErrMalformPkt, mysql.ErrBusyBuffer,
	} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}

// IsLost reports that the connection was lost under a statement, rather than that the engine refused it or took too long. A
// connection that broke while it lay in the pool often shows only then, so a read may be sent once more on another one.
func IsLost(err error) bool {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return lost[m.Number]
	}
	if n, ok := errors.AsType[net.Error](err); ok {
		return !n.Timeout()
	}
	return isLostConnection(err)
}
