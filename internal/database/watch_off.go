//go:build !faults

package database

import (
	"database/sql"
	"database/sql/driver"
)

// watch does nothing in a release build.
func watch(c driver.Connector) driver.Connector { return c }

// watchFile does nothing in a release build.
func watchFile(pool *sql.DB, _ string) *sql.DB { return pool }
