package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// Names of engines.
const (
	mariaDB = "mariadb"
	sqlite  = "sqlite"
)

// durable are the settings of a server that loses nothing: the figures of a faster one would promise too much. SQLite gets what the
// product gives it, which syncs every commit.
var durable = []string{
	"--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=1", "--log-bin=binlog", "--server-id=1", "--sync-binlog=1",
	"--binlog-format=ROW", "--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G",
}

// engine makes databases.
type engine struct {
	name   string
	folder string
	mysql  *mysqltest.Server // nil on SQLite
	pid    string            // of the server, empty where there is none of this machine
	made   int
}

func startEngine(ctx context.Context, name, folder string) (*engine, error) {
	e := &engine{name: name, folder: folder}
	switch name {
	case sqlite:
		return e, nil
	case mariaDB:
	default:
		return nil, fmt.Errorf("%q is no engine; there are %s and %s", name, mariaDB, sqlite)
	}
	var err error
	if e.mysql, err = mysqltest.StartWith(ctx, durable...); err != nil {
		return nil, fmt.Errorf("starting the database: %w", err)
	}
	e.pid = databasePID()
	return e, nil
}

// databasePID is the database server below a supervisor that this process started last.
func databasePID() string {
	supervisors, err := exec.Command("pgrep", "-d,", "-P", strconv.Itoa(os.Getpid())).Output()
	if err != nil {
		return ""
	}
	out, err := exec.Command("pgrep", "-n", "-P", strings.TrimSpace(string(supervisors)), "-x", "mariadbd|mysqld").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (e *engine) stop() error {
	if e == nil || e.mysql == nil {
		return nil
	}
	return e.mysql.Stop()
}

// empty makes a database without a schema: the address of the server, and an open one that may do everything.
func (e *engine) empty(ctx context.Context) (address string, admin *database.DB, user string, err error) {
	if e.mysql == nil {
		e.made++
		address = "sqlite:" + filepath.Join(e.folder, fmt.Sprintf("database%d", e.made), "vienkart.db")
		admin, err = database.Open(ctx, address, database.Options{})
		return address, admin, "", err
	}
	fresh, err := e.mysql.LastingDatabase(ctx)
	if err != nil {
		return "", nil, "", err
	}
	admin, err = database.Open(ctx, fresh.AdminURL, database.Options{})
	return fresh.AppURL, admin, fresh.AppUser, err
}

// database makes one with the schema.
func (e *engine) database(ctx context.Context) (address string, admin *database.DB, err error) {
	address, admin, user, err := e.empty(ctx)
	if err != nil {
		return "", nil, err
	}
	if _, err = admin.Migrate(ctx); err == nil && user != "" {
		err = admin.Grant(ctx, user)
	}
	if err != nil {
		return "", nil, errors.Join(err, admin.Close())
	}
	return address, admin, nil
}

// status is a counter of the database server; zero where there is none.
func (e *engine) status(ctx context.Context, db *sql.DB, name string) (int64, error) {
	if e.mysql == nil {
		return 0, nil
	}
	var told string
	var n int64
	if err := db.QueryRowContext(ctx, "SHOW GLOBAL STATUS WHERE variable_name = ?", name).Scan(&told, &n); err != nil {
		return 0, fmt.Errorf("reading %s: %w", name, err)
	}
	return n, nil
}
