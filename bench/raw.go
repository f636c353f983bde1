package main

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/vienkart/vienkart/internal/tenant"
)

// rawConnections are the pool sizes tried; the best one is the limit.
var rawConnections = []int{8, 16, 32}

// rawTables are the minimal tables of one mutation.
var rawTables = []string{
	`CREATE TABLE claims (company_id BINARY(16), k VARBINARY(64), fingerprint BINARY(32), state TINYINT, response BLOB, created_at DATETIME(6),
		expires_at DATETIME(6), PRIMARY KEY (company_id, k))`,
	`CREATE TABLE series (company_id BINARY(16), id INT, next_number BIGINT, PRIMARY KEY (company_id, id))`,
	`CREATE TABLE documents (company_id BINARY(16), id BINARY(16), number BIGINT, gross BIGINT, d DATE, PRIMARY KEY (company_id, id),
		UNIQUE KEY (company_id, number))`,
	`CREATE TABLE document_lines (company_id BINARY(16), id BINARY(16), document_id BINARY(16), text VARCHAR(100), net BIGINT, vat BIGINT,
		PRIMARY KEY (company_id, id), KEY (company_id, document_id))`,
	`CREATE TABLE journal (company_id BINARY(16), id BINARY(16), document_id BINARY(16), d DATE, PRIMARY KEY (company_id, id))`,
	`CREATE TABLE journal_lines (company_id BINARY(16), id BINARY(16), journal_id BINARY(16), account INT, debit BIGINT, credit BIGINT,
		PRIMARY KEY (company_id, id), KEY (company_id, journal_id), KEY (company_id, account))`,
}

func (h *house) openRaw(ctx context.Context) error {
	config, err := mysql.ParseDSN(h.mysql.DSN)
	if err != nil {
		return fmt.Errorf("reading the address: %w", err)
	}
	config.InterpolateParams, config.ParseTime = true, true
	root, err := mysql.NewConnector(config)
	if err != nil {
		return fmt.Errorf("reading the address: %w", err)
	}
	setUp := sql.OpenDB(root)
	if _, err := setUp.ExecContext(ctx, "CREATE DATABASE raw_limit"); err != nil {
		return fmt.Errorf("making the raw database: %w", err)
	}
	if err := setUp.Close(); err != nil {
		return fmt.Errorf("closing: %w", err)
	}
	config.DBName = "raw_limit"
	h.rawConfig = config
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return fmt.Errorf("reading the address: %w", err)
	}
	h.raw = sql.OpenDB(connector)
	for _, table := range rawTables {
		if _, err := h.raw.ExecContext(ctx, table); err != nil {
			return fmt.Errorf("making the raw tables: %w", err)
		}
	}
	for i := range h.companies {
		if _, err := h.raw.ExecContext(ctx, "INSERT INTO series VALUES (?, 1, 1)", h.companies[i].id); err != nil {
			return fmt.Errorf("filling the raw tables: %w", err)
		}
	}
	return nil
}

// rawMutation is the minimal work of one mutation: claim, document, three lines, journal, three lines, series last, response.
func rawMutation(ctx context.Context, db *sql.DB, company tenant.ID) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	key, document, journal := tenant.NewID(), tenant.NewID(), tenant.NewID()
	steps := []struct {
		query string
		args  []any
	}{
		{"INSERT INTO claims VALUES (?, ?, ?, 0, NULL, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))", []any{company, key, make([]byte, 32)}},
		{"INSERT INTO journal VALUES (?, ?, ?, '2026-03-01')", []any{company, journal, document}},
		{
			"INSERT INTO journal_lines VALUES (?, ?, ?, 2410, 12100, 0), (?, ?, ?, 5000, 0, 10000), (?, ?, ?, 4492, 0, 2100)",
			[]any{company, tenant.NewID(), journal, company, tenant.NewID(), journal, company, tenant.NewID(), journal},
		},
		{"UPDATE series SET next_number = LAST_INSERT_ID(next_number) + 1 WHERE company_id = ? AND id = 1", []any{company}},
		{"INSERT INTO documents VALUES (?, ?, LAST_INSERT_ID(), 12100, '2026-03-01')", []any{company, document}},
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

// measureRaw is the limit: the best of the pool sizes.
func measureRaw(ctx context.Context, h *house, s settings, tenants int) (row, error) {
	best := row{name: "raw SQL: one mutation", tenants: tenants}
	for _, connections := range rawConnections {
		h.raw.SetMaxOpenConns(connections)
		h.raw.SetMaxIdleConns(connections)
		r, err := rawRun(ctx, h, s.duration, tenants, connections)
		if err != nil {
			return row{}, err
		}
		if r.rate > best.rate {
			best = r
		}
	}
	best.ratio = 1
	return best, nil
}

func rawRun(ctx context.Context, h *house, duration time.Duration, tenants, connections int) (row, error) {
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	var wait sync.WaitGroup
	samples := make([][]time.Duration, connections)
	failed := make([]error, connections)
	start := now()
	for i := range connections {
		wait.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				began := now()
				if err := rawMutation(ctx, h.raw, h.companies[(i+n*connections)%tenants].id); err != nil {
					if ctx.Err() == nil {
						failed[i] = err
					}
					return
				}
				samples[i] = append(samples[i], now().Sub(began))
			}
		})
	}
	wait.Wait()
	for _, err := range failed {
		if err != nil {
			return row{}, err
		}
	}
	r := summarise("raw SQL: one mutation", samples, now().Sub(start))
	r.tenants, r.clients = tenants, connections
	return r, nil
}
