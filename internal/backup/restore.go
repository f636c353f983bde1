package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/database"
)

// Limits of a restore.
const (
	// batchRows and batchBytes bound one statement: engines bound its parameters and its size.
	batchRows  = 200
	batchBytes = 512 << 10
	// commitRows bounds a transaction on MySQL: TiDB keeps a whole one in memory.
	commitRows = 5000
)

// ErrNotEmpty says that a database holds something already.
var ErrNotEmpty = errors.New("the database is not empty; restore into a fresh one (create it, then: server migrate up)")

// Restore checks a file and stores all of it in an empty database with the same schema. On SQLite it happens whole or not
// at all. On MySQL one that breaks off leaves a part, without companies, so that nobody can use it: begin again with a fresh
// database. Errors: ErrDamaged, ErrNotEmpty.
func Restore(ctx context.Context, db *database.DB, file io.ReadSeeker) (Header, Totals, error) {
	found, _, err := Check(file)
	if err != nil {
		return found, Totals{}, err
	}
	schema, err := db.SchemaVersion(ctx, db.Reader())
	if err != nil {
		return found, Totals{}, err //nolint:wrapcheck // says what was read
	}
	if schema != found.Schema {
		return found, Totals{}, fmt.Errorf("the backup is of schema %d and the database has %d; restore with server %s, which wrote it, and migrate then",
			found.Schema, schema, found.Server)
	}
	list, err := tables(ctx, db)
	if err != nil {
		return found, Totals{}, err
	}
	if err := requireEmpty(ctx, db, list); err != nil {
		return found, Totals{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return found, Totals{}, fmt.Errorf("reading the backup again: %w", err)
	}
	conn, err := database.Acquire(ctx, db.Patient())
	if err != nil {
		return found, Totals{}, err //nolint:wrapcheck // says what failed already
	}
	defer func() { _ = conn.Close() }()
	w := &whole{restorer: restorer{ctx: ctx, isSQLite: db.Dialect() == database.SQLite, known: list}, conn: conn}
	totals, err := w.all(file)
	return found, totals, err
}

func requireEmpty(ctx context.Context, db *database.DB, list []table) error {
	for _, t := range list {
		var one int
		query := "SELECT 1 FROM " + quoted([]string{t.name}) + " LIMIT 1"
		err := db.Reader().QueryRowContext(ctx, query).Scan(&one)
		if err == nil {
			return fmt.Errorf("%w: there are rows in %s", ErrNotEmpty, t.name)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("looking into %s: %w", t.name, err)
		}
	}
	return nil
}

// execer is a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// restorer stores rows as they come.
type restorer struct {
	ctx context.Context //nolint:containedctx // one restore, whose visitor it is
	tx  execer
	// next commits and begins again, where a transaction must not grow; nil keeps all in one.
	next     func() error
	isSQLite bool
	known    []table

	insert  string // up to the values
	row1    string // one row of places
	pending []any
	rows    int
	bytes   int
	inTx    int
}

// whole is the restore of a database.
type whole struct {
	restorer
	conn *sql.Conn
	open *sql.Tx
}

// all restores without following references, which tables and rows are not ordered by: SQLite follows them all at commit,
// on MySQL "server verify" does.
func (w *whole) all(file io.Reader) (Totals, error) {
	if !w.isSQLite {
		w.next = w.commitAndBegin
		if _, err := w.conn.ExecContext(w.ctx, "SET SESSION foreign_key_checks = 0"); err != nil {
			return Totals{}, fmt.Errorf("preparing the session: %w", err)
		}
		defer func() { _, _ = w.conn.ExecContext(context.WithoutCancel(w.ctx), "SET SESSION foreign_key_checks = 1") }()
	}
	if err := w.begin(); err != nil {
		return Totals{}, err
	}
	totals, err := walk(file, formatName, w)
	if err == nil && totals.Tables != int64(len(w.known)) {
		err = fmt.Errorf("the backup has %d tables and the database %d", totals.Tables, len(w.known))
	}
	if err != nil {
		_ = w.open.Rollback()
		return Totals{}, err
	}
	if err := w.open.Commit(); err != nil {
		return Totals{}, fmt.Errorf("committing: %w", err)
	}
	return totals, nil
}

func (w *whole) begin() error {
	var err error
	if w.open, err = w.conn.BeginTx(w.ctx, nil); err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	w.tx = w.open
	if w.isSQLite {
		if _, err := w.tx.ExecContext(w.ctx, "PRAGMA defer_foreign_keys = ON"); err != nil {
			return fmt.Errorf("preparing the transaction: %w", err)
		}
	}
	return nil
}

func (w *whole) commitAndBegin() error {
	if err := w.open.Commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return w.begin()
}

func (*restorer) header(Header) error { return nil }

func (r *restorer) table(name string, columns []column) error {
	i := slices.IndexFunc(r.known, func(t table) bool { return t.name == name })
	if i < 0 {
		return fmt.Errorf("the backup has a table %q that the database has not", name)
	}
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.Name
	}
	if !slices.Equal(names, r.known[i].columns) {
		return fmt.Errorf("the table %s of the backup has other columns than the database's", name)
	}
	r.insert = "INSERT INTO " + quoted([]string{name}) + " (" + quoted(names) + ") VALUES "
	r.row1 = "(" + strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ") + ")"
	return nil
}

func (r *restorer) row(columns []column, values []jsontext.Value) error {
	row, err := storedRow(columns, values)
	if err != nil {
		return err
	}
	return r.keep(row, values)
}

// keep stores a row with the next full statement.
func (r *restorer) keep(row []any, values []jsontext.Value) error {
	r.pending = append(r.pending, row...)
	r.rows++
	for _, v := range values {
		r.bytes += len(v)
	}
	if r.rows >= batchRows || r.bytes >= batchBytes {
		return r.flush()
	}
	return nil
}

// end stores the rest of a table.
func (r *restorer) end() error { return r.flush() }

func (r *restorer) flush() error {
	if r.rows == 0 {
		return nil
	}
	statement := r.insert + strings.TrimSuffix(strings.Repeat(r.row1+", ", r.rows), ", ")
	if _, err := r.tx.ExecContext(r.ctx, statement, r.pending...); err != nil {
		return fmt.Errorf("storing rows: %w", err)
	}
	r.inTx += r.rows
	clear(r.pending)
	r.pending, r.rows, r.bytes = r.pending[:0], 0, 0
	if r.next == nil || r.inTx < commitRows {
		return nil
	}
	r.inTx = 0
	return r.next()
}
