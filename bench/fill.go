package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
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

// copiedRows is about how many rows one statement copies into a table: enough that its commit costs little beside them.
const copiedRows = 50_000

// filler multiplies the rows of a company by statements that keep every constraint: the originals were made by the server, and a copy has
// the same rows under ids and numbers of its own. Its session does not look at keys and references again and writes no binary log;
// verify looks at them in the end.
type filler struct {
	db      *sql.DB
	company company
	// originals are what the company has before; every one is copied.
	originals int64
	columns   map[string][]string
}

func (h *house) filler(ctx context.Context, of company) (*filler, error) {
	db, err := h.fillingSession(ctx)
	if err != nil {
		return nil, err
	}
	f := &filler{db: db, company: of, columns: map[string][]string{}}
	if err := f.tables(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	result, err := f.db.ExecContext(ctx, `INSERT INTO bench_originals SELECT t.id, s.id, s.series, s.number FROM journal_transactions t
		LEFT JOIN sales_invoices s ON s.company_id = t.company_id AND s.id = t.document_id WHERE t.company_id = ?`, of.id)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listing the originals: %w", err), db.Close())
	}
	if f.originals, err = result.RowsAffected(); err != nil {
		return nil, errors.Join(fmt.Errorf("listing the originals: %w", err), db.Close())
	}
	return f, nil
}

// tables makes those of a copy.
func (f *filler) tables(ctx context.Context) error {
	for _, statement := range []string{
		"CREATE TABLE bench_numbers (n INT PRIMARY KEY)",
		`CREATE TABLE bench_originals (transaction_id BINARY(16) PRIMARY KEY, document_id BINARY(16) NULL, series VARCHAR(20) NULL, number BIGINT NULL)`,
	} {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("making the tables of a copy: %w", err)
		}
	}
	return nil
}

// fillingSession is one connection that trusts who fills.
func (h *house) fillingSession(ctx context.Context) (*sql.DB, error) {
	if h.engine.mysql == nil {
		return nil, errors.New("books are filled on MariaDB alone")
	}
	config, err := mysql.ParseDSN(h.engine.mysql.DSN)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	if err := h.admin.Reader().QueryRowContext(ctx, "SELECT DATABASE()").Scan(&config.DBName); err != nil {
		return nil, fmt.Errorf("reading the name of the database: %w", err)
	}
	config.Params = map[string]string{"sql_log_bin": "0", "unique_checks": "0", "foreign_key_checks": "0"}
	config.ClientFoundRows = true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}

// end drops the tables of the copy, which verify would take for one of the product, and lets the optimiser count. It passes the error of
// the copy on.
func (f *filler) end(ctx context.Context, err error) error {
	_, dropped := f.db.ExecContext(ctx, "DROP TABLE bench_numbers, bench_originals")
	err = errors.Join(err, dropped)
	for table := range f.columns {
		_, analysed := f.db.ExecContext(ctx, "ANALYZE TABLE "+table)
		err = errors.Join(err, analysed)
	}
	return errors.Join(err, f.db.Close())
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
	if err := f.numbers(ctx, copies); err != nil {
		return err
	}
	const rowsOfOriginal = 5 // in the table that has most
	batch := max(1, copiedRows/(rowsOfOriginal*int(f.originals)))
	for from := 1; from <= copies; from += batch {
		for _, c := range copied[:tables] {
			if err := f.copy(ctx, c.table, c.document, renewed, from, min(copies, from+batch-1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers lists the copies.
func (f *filler) numbers(ctx context.Context, copies int) error {
	for from := 1; from <= copies; from += 1000 {
		var rows []string
		for n := from; n <= min(copies, from+999); n++ {
			rows = append(rows, fmt.Sprintf("(%d)", n))
		}
		if _, err := f.db.ExecContext(ctx, "INSERT INTO bench_numbers VALUES "+strings.Join(rows, ", ")); err != nil {
			return fmt.Errorf("filling a table of numbers: %w", err)
		}
	}
	return nil
}

// ofCopies are the columns of ids that a copy has of its own; other ids name what all copies share.
var ofCopies = []string{"id", "transaction_id", "journal_transaction_id", "document_id", "invoice_id", "source_id"}

// idOfCopy begins with the number of the copy where an id has its time, so that copies lie in the tables as if they had been made one
// after the other, and before the originals.
const idOfCopy = "CONCAT(UNHEX(LPAD(HEX(b.n), 12, '010000000000')), SUBSTRING(t.%s, 7))"

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
			values[i] = fmt.Sprintf(idOfCopy, name)
		}
	}
	_, err = f.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (%s) SELECT STRAIGHT_JOIN %s FROM bench_numbers b JOIN bench_originals o
		JOIN %s t ON t.company_id = ? AND %s WHERE b.n BETWEEN ? AND ?`,
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
	names, err := f.names(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '%GENERATED%' ORDER BY ordinal_position`, table)
	f.columns[table] = names
	return names, err
}

// names reads one column of names of the schema.
func (f *filler) names(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := f.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading names of the schema: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("reading names of the schema: %w", err)
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
