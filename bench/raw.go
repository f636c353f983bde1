package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

// rawConnections are the pool sizes tried; the best one is the limit.
var rawConnections = map[string][]int{mariaDB: {8, 16, 32}, sqlite: {1, 8}}

// rawTables are the minimal tables of one mutation.
const rawTables = `
CREATE TABLE claims (company_id BINARY(16), k VARBINARY(64), fingerprint BINARY(32), state TINYINT, response BLOB, created_at DATETIME,
	expires_at DATETIME, PRIMARY KEY (company_id, k));
CREATE TABLE series (company_id BINARY(16), id INT, next_number BIGINT, PRIMARY KEY (company_id, id));
CREATE TABLE documents (company_id BINARY(16), id BINARY(16), number BIGINT, gross BIGINT, d DATE, PRIMARY KEY (company_id, id));
CREATE UNIQUE INDEX documents_number ON documents (company_id, number);
CREATE TABLE document_lines (company_id BINARY(16), id BINARY(16), document_id BINARY(16), t VARCHAR(100), net BIGINT, vat BIGINT,
	PRIMARY KEY (company_id, id));
CREATE INDEX document_lines_document ON document_lines (company_id, document_id);
CREATE TABLE journal (company_id BINARY(16), id BINARY(16), document_id BINARY(16), d DATE, PRIMARY KEY (company_id, id));
CREATE TABLE journal_lines (company_id BINARY(16), id BINARY(16), journal_id BINARY(16), account INT, debit BIGINT, credit BIGINT,
	PRIMARY KEY (company_id, id));
CREATE INDEX journal_lines_journal ON journal_lines (company_id, journal_id);
CREATE INDEX journal_lines_account ON journal_lines (company_id, account)`

// numbered are the two statements that take a number and use it, series last.
var numbered = map[string][2]string{
	mariaDB: {
		"UPDATE series SET next_number = LAST_INSERT_ID(next_number) + 1 WHERE company_id = ? AND id = 1",
		"INSERT INTO documents VALUES (?, ?, LAST_INSERT_ID(), 12100, '2026-03-01')",
	},
	sqlite: {
		"UPDATE series SET next_number = next_number + 1 WHERE company_id = ? AND id = 1",
		"INSERT INTO documents SELECT company_id, ?2, next_number - 1, 12100, '2026-03-01' FROM series WHERE company_id = ?1 AND id = 1",
	},
}

// rawLimit is a database of its own for the minimal writes.
type rawLimit struct {
	engine    string
	companies []company
	db        *sql.DB
	close     func() error
}

func (h *house) openRaw(ctx context.Context) (*rawLimit, error) {
	r := &rawLimit{engine: h.engine.name, companies: h.companies}
	if err := r.open(ctx, h.engine); err != nil {
		return nil, fmt.Errorf("making the raw database: %w", err)
	}
	for statement := range strings.SplitSeq(rawTables, ";") {
		if _, err := r.db.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(fmt.Errorf("making the raw tables: %w", err), r.close())
		}
	}
	for _, c := range h.companies {
		if _, err := r.db.ExecContext(ctx, "INSERT INTO series VALUES (?, 1, 1)", c.id); err != nil {
			return nil, errors.Join(fmt.Errorf("filling the raw tables: %w", err), r.close())
		}
	}
	return r, nil
}

// open connects with the product's driver and settings of the engine.
func (r *rawLimit) open(ctx context.Context, e *engine) error {
	if e.mysql != nil {
		_, db, _, err := e.empty(ctx)
		if err != nil {
			return err
		}
		r.db, r.close = db.Writer(), db.Close
		return nil
	}
	db, err := database.Open(ctx, "sqlite:"+filepath.Join(e.folder, "raw", "limit.db"), database.Options{})
	if err != nil {
		return err
	}
	r.db, r.close = db.Writer(), db.Close
	return nil
}

// mutate is the minimal work of one mutation: claim, journal, three lines, series, document, three lines, response.
func (r *rawLimit) mutate(ctx context.Context, company tenant.ID) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	key, document, journal := tenant.NewID(), tenant.NewID(), tenant.NewID()
	steps := []struct {
		query string
		args  []any
	}{
		{"INSERT INTO claims VALUES (?, ?, ?, 0, NULL, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)", []any{company, key, make([]byte, 32)}},
		{"INSERT INTO journal VALUES (?, ?, ?, '2026-03-01')", []any{company, journal, document}},
		{
			"INSERT INTO journal_lines VALUES (?, ?, ?, 2410, 12100, 0), (?, ?, ?, 5000, 0, 10000), (?, ?, ?, 4492, 0, 2100)",
			[]any{company, tenant.NewID(), journal, company, tenant.NewID(), journal, company, tenant.NewID(), journal},
		},
		{numbered[r.engine][0], []any{company}},
		{numbered[r.engine][1], []any{company, document}},
		{
			"INSERT INTO document_lines VALUES (?, ?, ?, 'a', 1, 1), (?, ?, ?, 'b', 1, 1), (?, ?, ?, 'c', 1, 1)",
			[]any{company, tenant.NewID(), document, company, tenant.NewID(), document, company, tenant.NewID(), document},
		},
		{"UPDATE claims SET state = 1, response = ? WHERE company_id = ? AND k = ?", []any{make([]byte, 400), company, key}},
	}
	for _, s := range steps {
		if _, err := tx.ExecContext(ctx, s.query, s.args...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// measure is the limit: the best of the pool sizes.
func (r *rawLimit) measure(ctx context.Context, duration time.Duration, tenants int) (row, error) {
	var best row
	for _, connections := range rawConnections[r.engine] {
		if r.engine != sqlite { // which writes by one connection
			r.db.SetMaxOpenConns(connections)
			r.db.SetMaxIdleConns(connections)
		}
		measured, err := repeat(connections, duration, func(i, n int) error {
			return r.mutate(ctx, r.companies[(i+n*connections)%tenants].id)
		})
		if err != nil {
			return row{}, err
		}
		if measured.rate > best.rate {
			best = measured
		}
	}
	best.name, best.mutations, best.tenants = "raw SQL: one mutation", 1, tenants
	return best, nil
}
