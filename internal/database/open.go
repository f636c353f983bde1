package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Dialect is the family of SQL an engine speaks.
type Dialect uint8

// The dialects. MariaDB, MySQL and TiDB speak one.
const (
	SQLite Dialect = iota
	MySQL
)

func (d Dialect) String() string {
	if d == SQLite {
		return "sqlite"
	}
	return "mysql"
}

// AcquireTimeout bounds the wait for a connection; past it the caller answers 503 rather than queue without end.
const AcquireTimeout = 5 * time.Second

// Options size the pool.
type Options struct {
	// MaxConnections is the size of the writing pool on MySQL; 0 takes DefaultConnections. A small pool beats a large
	// one: 16 connections were measured at 1.5 times the rate of 64.
	MaxConnections int
}

// DefaultConnections is the writing pool's size on MySQL.
const DefaultConnections = 16

// DB is an open engine. Writes go through Writer, snapshots through Reader; Dirty reads uncommitted claims on MySQL
// and is nil on SQLite.
type DB struct {
	dialect Dialect
	writer  *sql.DB
	reader  *sql.DB
	dirty   *sql.DB
	patient *sql.DB
	orm     *gorm.DB
	engine  engine            // MySQL: what speaks the dialect
	indexes map[string]string // SQLite: "table.col, table.col" -> unique index name
	path    string            // SQLite: the file
	owned   *os.File          // SQLite: the lock of the serving process
}

// Open connects to the engine that the address names: "sqlite:PATH" or "mysql://user:password@host:port/database".
func Open(ctx context.Context, address string, opts Options) (*DB, error) {
	var db *DB
	var err error
	switch {
	case strings.HasPrefix(address, "sqlite:"):
		db, err = openSQLite(ctx, strings.TrimPrefix(address, "sqlite:"))
	case strings.HasPrefix(address, "mysql:"):
		db, err = openMySQL(ctx, address, opts)
	default:
		return nil, fmt.Errorf("the database address must start with sqlite: or mysql://, got %q", scheme(address))
	}
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	return db, nil
}

// scheme is the part of an address that is safe to print: what follows may hold a password.
func scheme(address string) string {
	before, _, found := strings.Cut(address, ":")
	if !found {
		return "no scheme"
	}
	return before + ":..."
}

func newGORM(dialector gorm.Dialector) (*gorm.DB, error) {
	orm, err := gorm.Open(dialector, &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		Logger:                 logger.NewSlogLogger(slog.Default(), logger.Config{LogLevel: logger.Silent}),
	})
	if err != nil {
		return nil, fmt.Errorf("starting the mapper: %w", err)
	}
	return orm, nil
}

// Dialect is the engine's SQL family.
func (db *DB) Dialect() Dialect { return db.dialect }

// NoWait is the prefix that makes a write fail at once on a locked row; empty where the engine has none.
func (db *DB) NoWait() string {
	if db.dialect == SQLite {
		return ""
	}
	return db.engine.noWait()
}

// InsertWaits reports that a write on a row that another transaction inserted waits for that transaction.
func (db *DB) InsertWaits() bool { return db.dialect == MySQL && db.NoWait() == "" }

// SeesBusyByLocking reports that only a try to lock a row at once (FOR UPDATE NOWAIT) tells whether an open transaction wrote it:
// the engine shows no uncommitted rows, and its writes wait.
func (db *DB) SeesBusyByLocking() bool { return db.dialect == MySQL && db.engine.seesBusyByLocking() }

// LocksStayOnNode reports that several nodes write and a lock holds on its node alone: what it keeps others from must be written
// down, so that the transactions meet at commit.
func (db *DB) LocksStayOnNode() bool { return db.dialect == MySQL && db.engine == engineGalera }

// LockWords are the ends of queries that hold their rows exclusively and shared. SQLite has none: the one writer holds the file,
// so a lock on a row has nothing to add.
func (db *DB) LockWords() (forUpdate, forShare string) {
	if db.dialect == SQLite {
		return "", ""
	}
	return "FOR UPDATE", db.engine.shareLock()
}

// ORM binds the mapper to a connection or transaction.
func (db *DB) ORM(ctx context.Context, pool gorm.ConnPool) *gorm.DB {
	session := db.orm.Session(&gorm.Session{NewDB: true, Context: ctx, SkipHooks: true})
	session.Statement.ConnPool = pool
	return session
}

// Writer is the pool for transactions that write.
func (db *DB) Writer() *sql.DB { return db.writer }

// Patient is the pool for work that writes and may take its time over one statement: migrations and restores.
func (db *DB) Patient() *sql.DB { return db.patient }

// Reader is the pool for snapshots.
func (db *DB) Reader() *sql.DB { return db.reader }

// Dirty is the pool whose sessions read uncommitted rows, or nil on SQLite.
func (db *DB) Dirty() *sql.DB { return db.dirty }

// Acquire takes a connection from a pool, waiting at most AcquireTimeout.
func Acquire(ctx context.Context, pool *sql.DB) (*sql.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, AcquireTimeout)
	defer cancel()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("acquiring a connection: %w", err)
	}
	return conn, nil
}

// Ping asks the engine whether it answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("reaching the database: %w", err)
	}
	return nil
}

// Close ends every connection.
func (db *DB) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{db.writer, db.reader, db.dirty, db.patient} {
		if pool != nil { // closing the same one twice does nothing
			errs = append(errs, pool.Close())
		}
	}
	if db.owned != nil {
		errs = append(errs, db.owned.Close())
	}
	return errors.Join(errs...)
}
