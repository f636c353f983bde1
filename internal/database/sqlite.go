package database

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/libtnb/sqlite"
)

// sqliteReaders is the number of connections that read beside the one that writes.
const sqliteReaders = 8

// sqliteDSN opens in WAL mode, so that readers see a committed snapshot while one writer works. synchronous=FULL makes
// a commit durable before it is acknowledged.
func sqliteDSN(path, txlock string) string {
	q := url.Values{
		"_pragma": {
			"busy_timeout(5000)", "journal_mode(WAL)", "foreign_keys(1)", "synchronous(FULL)",
		},
		"_txlock": {txlock},
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func openSQLite(ctx context.Context, path string) (*DB, error) {
	if path == "" || strings.Contains(path, ":memory:") {
		return nil, fmt.Errorf("sqlite: needs the path of a file, such as sqlite:data/vienkart.db")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, fmt.Errorf("making the folder of the database: %w", err)
	}
	db := &DB{dialect: SQLite, path: path}
	var err error
	// One connection writes: SQLite has one writer anyway, and a queue in the pool is fairer than its busy timeout.
	if db.writer, err = sqlitePool(path, "immediate", 1); err != nil {
		return nil, err
	}
	db.patient = db.writer
	if err := db.writer.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	if db.reader, err = sqlitePool(path, "deferred", sqliteReaders); err != nil {
		return nil, err
	}
	if db.orm, err = newGORM(sqlite.New(sqlite.Config{Conn: db.writer})); err != nil {
		return nil, err
	}
	return db, db.loadIndexes(ctx)
}

func sqlitePool(path, txlock string, size int) (*sql.DB, error) {
	dsn := sqliteDSN(path, txlock)
	pool, err := sql.Open(sqlite.DriverName, dsn)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	pool = watchFile(pool, dsn)
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool, nil
}

// loadIndexes learns the names of unique indexes: SQLite reports a violation by its columns alone.
func (db *DB) loadIndexes(ctx context.Context) error {
	list, err := db.UniqueIndexes(ctx)
	if err != nil {
		return err
	}
	db.indexes = make(map[string]string, len(list))
	for _, index := range list {
		columns := make([]string, len(index.Columns))
		for i, column := range index.Columns {
			columns[i] = index.Table + "." + column
		}
		db.indexes[strings.Join(columns, ", ")] = index.Name
	}
	return nil
}
