package backup

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
)

// writer writes lines and remembers their digest.
type writer struct {
	packed *gzip.Writer
	out    io.Writer
	digest hash.Hash
	totals Totals
}

// begin writes the header.
func begin(out io.Writer, h Header) (*writer, error) {
	packed, digest := gzip.NewWriter(out), sha256.New()
	w := &writer{packed: packed, out: io.MultiWriter(packed, digest), digest: digest}
	return w, w.line(h)
}

// finish writes the last line.
func (w *writer) finish() (Totals, error) {
	w.totals.SHA256 = hex.EncodeToString(w.digest.Sum(nil))
	if err := w.line(w.totals); err != nil {
		return Totals{}, err
	}
	if err := w.packed.Close(); err != nil {
		return Totals{}, fmt.Errorf("writing the backup: %w", err)
	}
	return w.totals, nil
}

// Write backs up the database as it is at one moment, while others write.
func Write(ctx context.Context, db *database.DB, out io.Writer, server string, now clock.Time) (Totals, error) {
	list, err := tables(ctx, db)
	if err != nil {
		return Totals{}, err
	}
	tx, err := db.BeginSnapshot(ctx)
	if err != nil {
		return Totals{}, err //nolint:wrapcheck // says what failed already
	}
	defer tx.Rollback(ctx)
	schema, err := db.SchemaVersion(ctx, tx)
	if err != nil {
		return Totals{}, err //nolint:wrapcheck // says what was read
	}
	w, err := begin(out, Header{
		Format: formatName, Version: formatVersion, Schema: schema, Server: server, Engine: db.Dialect().String(), CreatedAt: now,
	})
	if err != nil {
		return Totals{}, err
	}
	for _, t := range list {
		query := "SELECT " + quoted(t.columns) + " FROM " + quoted([]string{t.name}) + " ORDER BY " + quoted(t.order)
		rows, err := tx.QueryContext(ctx, query)
		if err != nil {
			return Totals{}, fmt.Errorf("reading %s: %w", t.name, err)
		}
		if err := w.table(t.name, rows, nil); err != nil {
			return Totals{}, fmt.Errorf("backing up %s: %w", t.name, err)
		}
	}
	return w.finish()
}

func (w *writer) line(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding a line: %w", err)
	}
	if _, err := w.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing the backup: %w", err)
	}
	return nil
}

// editor may change what a table's rows say, and add rows before a given one; the last call, with nil, adds those at the end.
type editor func(columns []column, row []any, add func([]any) error) error

// table writes the rows of a table and closes them.
func (w *writer) table(name string, rows *sql.Rows, edit editor) error {
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return fmt.Errorf("reading the types: %w", err)
	}
	head := tableLine{Table: name, Columns: make([]column, len(types))}
	for i, c := range types {
		if head.Columns[i].Kind, err = kindOf(c.DatabaseTypeName()); err != nil {
			return fmt.Errorf("column %s: %w", c.Name(), err)
		}
		head.Columns[i].Name = c.Name()
	}
	if err := w.line(head); err != nil {
		return err
	}
	var n int64
	add := func(row []any) error {
		n++
		return w.line(row)
	}
	if err := eachRow(rows, types, head.Columns, edit, add); err != nil {
		return err
	}
	w.totals.Tables++
	w.totals.Rows += n
	return w.line(tableEnd{n})
}

// eachRow gives the rows in their portable form.
func eachRow(rows *sql.Rows, types []*sql.ColumnType, columns []column, edit editor, add func([]any) error) error {
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	if edit == nil {
		edit = func([]column, []any, func([]any) error) error { return nil }
	}
	for rows.Next() {
		err := rows.Scan(targets...)
		if err != nil {
			return fmt.Errorf("reading a row: %w", err)
		}
		for i, c := range columns {
			if values[i], err = portable(values[i], c.Kind, types[i].DatabaseTypeName()); err != nil {
				return fmt.Errorf("column %s: %w", c.Name, err)
			}
		}
		if err := edit(columns, values, add); err != nil {
			return err
		}
		if err := add(values); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	return edit(columns, nil, add)
}
