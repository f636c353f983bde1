package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/vienkart/vienkart/internal/tenant"
)

// document is a kind of what is acknowledged, by the table that it is kept in.
type document string

// The kinds.
const (
	entry           document = "journal_transactions"
	sale            document = "sales_invoices"
	supplierInvoice document = "purchase_invoices"
)

// posted selects what the load made: an invoice has a journal transaction too, and companies that were filled have others.
var posted = map[document]string{
	entry:           "SELECT id FROM journal_transactions WHERE description = '" + entryText + "'",
	sale:            "SELECT id FROM sales_invoices",
	supplierInvoice: "SELECT id FROM purchase_invoices",
}

// acknowledged is what the server said it did.
type acknowledged struct {
	mu     sync.Mutex
	ids    map[document]map[tenant.ID]bool
	copies map[document]int64 // made by the benchmark itself
}

func newAcknowledged() *acknowledged {
	return &acknowledged{
		ids:    map[document]map[tenant.ID]bool{entry: {}, sale: {}, supplierInvoice: {}},
		copies: map[document]int64{},
	}
}

// once keeps the answer of a new request, and refuses one that an earlier request got already.
func (a *acknowledged) once(d document, answer []byte) error {
	id, err := idOf(answer)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ids[d][id] {
		return fmt.Errorf("two requests got the same row of %s", d)
	}
	a.ids[d][id] = true
	return nil
}

// again keeps the answer of a request that may be a replay.
func (a *acknowledged) again(d document, answer []byte) error {
	id, err := idOf(answer)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids[d][id] = true
	return nil
}

// copied counts rows that no server acknowledged.
func (a *acknowledged) copied(d document, n int64) { a.copies[d] += n }

// check compares with what is there: all that was acknowledged, and besides it nothing but copies.
func (a *acknowledged) check(ctx context.Context, db *sql.DB) error {
	for d, query := range posted {
		there, others, err := a.count(ctx, db, d, query)
		if err != nil {
			return fmt.Errorf("reading %s: %w", d, err)
		}
		if there != len(a.ids[d]) || others != a.copies[d] {
			return fmt.Errorf("of %d rows of %s that were acknowledged %d are there, and %d that were not (%d were copied)",
				len(a.ids[d]), d, there, others, a.copies[d])
		}
	}
	return nil
}

func (a *acknowledged) count(ctx context.Context, db *sql.DB, d document, query string) (there int, others int64, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id tenant.ID
		if err := rows.Scan(&id); err != nil {
			return 0, 0, err
		}
		if a.ids[d][id] {
			there++
		} else {
			others++
		}
	}
	return there, others, rows.Err()
}

func idOf(answer []byte) (tenant.ID, error) {
	var named struct {
		ID tenant.ID `json:"id"`
	}
	if err := json.Unmarshal(answer, &named); err != nil {
		return named.ID, fmt.Errorf("reading an id: %w", err)
	}
	return named.ID, nil
}
