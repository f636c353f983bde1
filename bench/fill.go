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
	{"journal_transactions", "t.id = o.transaction_id"},
	{"journal_entries", "t.transaction_id = o.transaction_id"},
	{"sales_invoices", "t.id = o.document_id"},
	{"sales_invoice_lines", "t.invoice_id = o.document_id"},
	{"open_items", "t.document_id = o.document_id"},
	{"vat_register", "t.document_id = o.document_id"},
}

// copyBatch is how many copies one statement makes of each original: enough that its commit costs little beside its rows.
const copyBatch = 10

// filler multiplies the rows of a company by statements that keep every constraint: the originals were made by the server, and a copy has
// the same rows under ids and numbers of its own.
type filler struct {
	db      *sql.DB
	company company
	// originals are what the company has before; every one is copied.
	originals int64
	columns   map[string][]string
}

func (h *house) filler(ctx context.Context, of company, copies int) (*filler, error) {
	f := &filler{db: h.admin.Writer(), company: of, columns: map[string][]string{}}
	for _, statement := range []string{
		"CREATE TABLE bench_numbers (n INT PRIMARY KEY)",
		`CREATE TABLE bench_originals (transaction_id BINARY(16) PRIMARY KEY, document_id BINARY(16) NULL, series VARCHAR(20) NULL, number BIGINT NULL)`,
	} {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return nil, fmt.Errorf("making the tables of a copy: %w", err)
		}
	}
	result, err := f.db.ExecContext(ctx, `INSERT INTO bench_originals SELECT t.id, s.id, s.series, s.number FROM journal_transactions t
		LEFT JOIN sales_invoices s ON s.company_id = t.company_id AND s.id = t.document_id WHERE t.company_id = ?`, of.id)
	if err != nil {
		return nil, fmt.Errorf("listing the originals: %w", err)
	}
	if f.originals, err = result.RowsAffected(); err != nil {
		return nil, fmt.Errorf("listing the originals: %w", err)
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

// close drops the tables of the copy, which verify would take for one of the product, and lets the optimiser count.
func (f *filler) close(ctx context.Context) error {
	_, err := f.db.ExecContext(ctx, "DROP TABLE bench_numbers, bench_originals")
	for table := range f.columns {
		_, analysed := f.db.ExecContext(ctx, "ANALYZE TABLE "+table)
		err = errors.Join(err, analysed)
	}
	return err
}

// invoices makes so many copies of each sale, numbered on after the originals.
func (f *filler) invoices(ctx context.Context, copies int) error {
	number := fmt.Sprintf("%d + (o.number - 1) * %d + b.n", f.originals, copies)
	full := fmt.Sprintf("CONCAT(o.series, LPAD(%s, 7, '0'))", number)
	if err := f.copies(ctx, len(copied), copies, map[string]string{"number": number, "full_number": full, "document_number": full}); err != nil {
		return err
	}
	_, err := f.db.ExecContext(ctx, "UPDATE number_series SET next_number = next_number + ? WHERE company_id = ? AND next_number = ?",
		f.originals*int64(copies), f.company.id, f.originals+1)
	return err
}

// entries makes so many copies of each journal transaction.
func (f *filler) entries(ctx context.Context, copies int) error {
	const journal = 2 // its tables are the first ones
	return f.copies(ctx, journal, copies, nil)
}

func (f *filler) copies(ctx context.Context, tables, copies int, renewed map[string]string) error {
	for from := 1; from <= copies; from += copyBatch {
		for _, c := range copied[:tables] {
			if err := f.copy(ctx, c.table, c.document, renewed, from, min(copies, from+copyBatch-1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofCopies are the columns of ids that a copy has of its own; other ids name what all copies share.
var ofCopies = []string{"id", "transaction_id", "journal_transaction_id", "document_id", "invoice_id", "source_id"}

func (f *filler) copy(ctx context.Context, table, document string, renewed map[string]string, from, to int) error {
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
	_, err = f.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (%s) SELECT STRAIGHT_JOIN %s FROM bench_originals o
		JOIN %s t ON t.company_id = ? AND %s JOIN bench_numbers b ON b.n BETWEEN ? AND ?`,
		table, strings.Join(names, ", "), strings.Join(values, ", "), table, document), f.company.id, from, to)
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
