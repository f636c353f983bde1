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
	out    io.Writer
	digest hash.Hash
	totals Totals
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
	packed := gzip.NewWriter(out)
	digest := sha256.New()
	w := &writer{out: io.MultiWriter(packed, digest), digest: digest}
	header := Header{
		Format: formatName, Version: formatVersion, Schema: schema, Server: server, Engine: db.Dialect().String(), CreatedAt: now,
	}
	if err := w.line(header); err != nil {
		return Totals{}, err
	}
	for _, t := range list {
		if err := w.table(ctx, tx, t); err != nil {
			return Totals{}, fmt.Errorf("backing up %s: %w", t.name, err)
		}
	}
	w.totals.SHA256 = hex.EncodeToString(digest.Sum(nil))
	if err := w.line(w.totals); err != nil {
		return Totals{}, err
	}
	if err := packed.Close(); err != nil {
		return Totals{}, fmt.Errorf("writing the backup: %w", err)
	}
	return w.totals, nil
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

func (w *writer) table(ctx context.Context, tx *database.Tx, t table) error {
	query := "SELECT " + quoted(t.columns) + " FROM " + quoted([]string{t.name}) + " ORDER BY " + quoted(t.order) //nolint:gosec // names of the schema itself
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return fmt.Errorf("reading the types: %w", err)
	}
	head := tableLine{Table: t.name, Columns: make([]column, len(types))}
	for i, c := range types {
		if head.Columns[i].Kind, err = kindOf(c.DatabaseTypeName()); err != nil {
			return fmt.Errorf("column %s: %w", c.Name(), err)
		}
		head.Columns[i].Name = c.Name()
	}
	if err := w.line(head); err != nil {
		return err
	}
	n, err := w.rows(rows, types, head.Columns)
	if err != nil {
		return err
	}
	w.totals.Tables++
	w.totals.Rows += n
	return w.line(tableEnd{n})
}

func (w *writer) rows(rows *sql.Rows, types []*sql.ColumnType, columns []column) (n int64, err error) {
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return n, fmt.Errorf("reading a row: %w", err)
		}
		for i, c := range columns {
			if values[i], err = portable(values[i], c.Kind, types[i].DatabaseTypeName()); err != nil {
				return n, fmt.Errorf("column %s: %w", c.Name, err)
			}
		}
		if err := w.line(values); err != nil {
			return n, err
		}
		n++
	}
	if err := rows.Err(); err != nil {
		return n, fmt.Errorf("reading: %w", err)
	}
	return n, nil
}
