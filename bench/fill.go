package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// copied are the tables that a document of a sale has rows in, with how they lead to it, in the order in which keys refer to one another.
var copied = []struct{ table, document string }{
	{"journal_transactions", "s.journal_transaction_id = t.id"},
	{"journal_entries", "s.journal_transaction_id = t.transaction_id"},
	{"sales_invoices", "s.id = t.id"},
	{"sales_invoice_lines", "s.id = t.invoice_id"},
	{"open_items", "s.id = t.document_id"},
	{"vat_register", "s.id = t.document_id"},
}

// copiedEntries are the tables of a journal without documents.
var copiedEntries = []struct{ table, document string }{
	{"journal_transactions", "s.id = t.id"},
	{"journal_entries", "s.id = t.transaction_id"},
}

// copyBatch is how many copies one statement makes of each original.
const copyBatch = 5

// filler multiplies the rows of a company by statements that keep every constraint: the originals were made by the server, and a copy has
// the same rows under ids and numbers of its own.
type filler struct {
	db      *sql.DB
	company company
	// originals are documents of the company; every one is copied.
	originals int
	columns   map[string][]string
}

func (h *house) filler(ctx context.Context, of company, originals, copies int) (*filler, error) {
	f := &filler{db: h.admin.Writer(), company: of, originals: originals, columns: map[string][]string{}}
	_, err := f.db.ExecContext(ctx, "CREATE TABLE bench_numbers (n INT PRIMARY KEY)")
	if err != nil {
		return nil, fmt.Errorf("making a table of numbers: %w", err)
	}
	for from := 1; from <= copies; from += 1000 {
		var rows []string
		for n := from; n <= min(copies, from+999); n++ {
			rows = append(rows, fmt.Sprintf("(%d)", n))
		}
		if _, err := f.db.ExecContext(ctx, "INSERT INTO bench_numbers VALUES "+strings.Join(rows, ", ")); err != nil {
			return nil, fmt.Errorf("filling a table of numbers: %w", err)
		}
	}
	return f, nil
}

// close drops the table of numbers, which verify would take for one of the product, and lets the optimiser count.
func (f *filler) close(ctx context.Context) error {
	_, err := f.db.ExecContext(ctx, "DROP TABLE bench_numbers")
	for table := range f.columns {
		_, analysed := f.db.ExecContext(ctx, "ANALYZE TABLE "+table)
		err = errors.Join(err, analysed)
	}
	return err
}

// invoices makes so many copies of each sale, numbered on after the originals.
func (f *filler) invoices(ctx context.Context, copies int) error {
	if copies == 0 {
		return nil
	}
	number := fmt.Sprintf("%d + (s.number - 1) * %d + b.n", f.originals, copies)
	full := fmt.Sprintf("CONCAT(s.series, LPAD(%s, 7, '0'))", number)
	renewed := map[string]string{"number": number, "full_number": full, "document_number": full}
	for from := 1; from <= copies; from += copyBatch {
		for _, c := range copied {
			source := fmt.Sprintf("%s t JOIN sales_invoices s ON s.company_id = t.company_id AND %s AND s.number <= %d", c.table, c.document, f.originals)
			if err := f.copy(ctx, c.table, source, renewed, from, min(copies, from+copyBatch-1)); err != nil {
				return err
			}
		}
	}
	_, err := f.db.ExecContext(ctx, "UPDATE number_series SET next_number = next_number + ? WHERE company_id = ? AND next_number = ?",
		f.originals*copies, f.company.id, f.originals+1)
	return err
}

// entries makes so many copies of each journal transaction that was there before.
func (f *filler) entries(ctx context.Context, copies int) error {
	for from := 1; from <= copies; from += copyBatch {
		for _, c := range copiedEntries {
			source := fmt.Sprintf("%s t JOIN journal_transactions s ON s.company_id = t.company_id AND %s AND s.description = 'Original'", c.table, c.document)
			if err := f.copy(ctx, c.table, source, map[string]string{"description": "'Copy'"}, from, min(copies, from+copyBatch-1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofCopies are the columns of ids that a copy has of its own; other ids name what all copies share.
var ofCopies = []string{"id", "transaction_id", "journal_transaction_id", "document_id", "invoice_id", "source_id"}

func (f *filler) copy(ctx context.Context, table, source string, renewed map[string]string, from, to int) error {
	names, err := f.columnsOf(ctx, table)
	if err != nil {
		return err
	}
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = "t." + name
		switch expression, isRenewed := renewed[name]; {
		case isRenewed:
			values[i] = expression
		case slices.Contains(ofCopies, name):
			// The random part of an id is long enough without its last four bytes.
			values[i] = fmt.Sprintf("CONCAT(SUBSTRING(t.%s, 1, 12), UNHEX(LPAD(HEX(b.n), 8, '0')))", name)
		}
	}
	_, err = f.db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s JOIN bench_numbers b ON b.n BETWEEN ? AND ? WHERE t.company_id = ?",
		table, strings.Join(names, ", "), strings.Join(values, ", "), source), from, to, f.company.id)
	if err != nil {
		return fmt.Errorf("copying %s: %w", table, err)
	}
	return nil
}

func (f *filler) columnsOf(ctx context.Context, table string) ([]string, error) {
	if known, ok := f.columns[table]; ok {
		return known, nil
	}
	rows, err := f.db.QueryContext(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '%GENERATED%' ORDER BY ordinal_position`, table)
	if err != nil {
		return nil, fmt.Errorf("reading the columns of %s: %w", table, err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("reading the columns of %s: %w", table, err)
		}
		names = append(names, name)
	}
	f.columns[table] = names
	return names, rows.Err()
}
