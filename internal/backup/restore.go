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
	r := &restorer{ctx: ctx, conn: conn, isSQLite: db.Dialect() == database.SQLite, known: list}
	totals, err := r.all(file)
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

// restorer stores rows as they come.
type restorer struct {
	ctx      context.Context //nolint:containedctx // one restore, whose visitor it is
	conn     *sql.Conn
	tx       *sql.Tx
	isSQLite bool
	known    []table

	insert  string // up to the values
	row1    string // one row of places
	pending []any
	rows    int
	bytes   int
	inTx    int
}

// all restores without following references, which tables and rows are not ordered by: SQLite follows them all at commit,
// on MySQL "server verify" does.
func (r *restorer) all(file io.Reader) (Totals, error) {
	if !r.isSQLite {
		if _, err := r.conn.ExecContext(r.ctx, "SET SESSION foreign_key_checks = 0"); err != nil {
			return Totals{}, fmt.Errorf("preparing the session: %w", err)
		}
		defer func() { _, _ = r.conn.ExecContext(context.WithoutCancel(r.ctx), "SET SESSION foreign_key_checks = 1") }()
	}
	if err := r.begin(); err != nil {
		return Totals{}, err
	}
	totals, err := walk(file, r)
	if err == nil && totals.Tables != int64(len(r.known)) {
		err = fmt.Errorf("the backup has %d tables and the database %d", totals.Tables, len(r.known))
	}
	if err != nil {
		_ = r.tx.Rollback()
		return Totals{}, err
	}
	if err := r.tx.Commit(); err != nil {
		return Totals{}, fmt.Errorf("committing: %w", err)
	}
	return totals, nil
}

func (r *restorer) begin() error {
	var err error
	if r.tx, err = r.conn.BeginTx(r.ctx, nil); err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	r.inTx = 0
	if r.isSQLite {
		if _, err := r.tx.ExecContext(r.ctx, "PRAGMA defer_foreign_keys = ON"); err != nil {
			return fmt.Errorf("preparing the transaction: %w", err)
		}
	}
	return nil
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
	statement := r.insert + strings.TrimSuffix(strings.Repeat(r.row1+", ", r.rows), ", ") //nolint:gosec // names of the schema itself
	if _, err := r.tx.ExecContext(r.ctx, statement, r.pending...); err != nil {
		return fmt.Errorf("storing rows: %w", err)
	}
	r.inTx += r.rows
	clear(r.pending)
	r.pending, r.rows, r.bytes = r.pending[:0], 0, 0
	if r.isSQLite || r.inTx < commitRows {
		return nil
	}
	if err := r.tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return r.begin()
}
