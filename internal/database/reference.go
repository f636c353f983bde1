package database

import (
	"errors"

	"github.com/go-sql-driver/mysql"
	sqlitedriver "modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// mysqlReferenced is the number of a deletion that a foreign key forbids.
const mysqlReferenced = 1451

// IsReferenced reports that a row could not be deleted because another refers to it.
func IsReferenced(err error) bool {
	if m, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return m.Number == mysqlReferenced
	}
	if s, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		return s.Code() == sqlitelib.SQLITE_CONSTRAINT_FOREIGNKEY
	}
	return false
}
