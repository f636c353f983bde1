package register

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// documentPage is how many documents are read at once: enough to make round trips rare, few enough to bound memory.
const documentPage = 500

// key is the place of a document among those of a day.
type key struct {
	DocumentNumber string
	DocumentID     tenant.ID
}

type day struct{ RegisterDate date.Date }

// Documents reads, page by page, the rows of each document that has rows of one side in a period: all of its rows in the period
// together, in the order they were written. Documents come in the order of their first day there, their number and their id, so
// that equal rows give an equal order. After an error nothing follows.
func Documents(ctx context.Context, r tenant.Reader, side Direction, from, to date.Date) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		days, err := tenant.Query[day](ctx, r, `SELECT DISTINCT register_date FROM vat_register
			WHERE company_id = @company AND register_date BETWEEN ? AND ? AND direction = ? ORDER BY register_date`, from, to, side)
		if err != nil {
			yield(nil, reading(err))
			return
		}
		for _, d := range days {
			if !documentsOfDay(ctx, r, side, d.RegisterDate, from, to, yield) {
				return
			}
		}
	}
}

// documentsOfDay gives the documents whose first day it is; false ends the reading.
func documentsOfDay(
	ctx context.Context, r tenant.Reader, side Direction, on, from, to date.Date, yield func([]Row, error) bool,
) bool {
	var after key
	for {
		page, err := tenant.Query[key](ctx, r, `SELECT DISTINCT document_number, document_id FROM vat_register
			WHERE company_id = @company AND register_date = ? AND direction = ? AND document_number >= ?
			AND (document_number > ? OR document_id > ?) ORDER BY document_number, document_id LIMIT ?`,
			on, side, after.DocumentNumber, after.DocumentNumber, after.DocumentID, documentPage)
		if err != nil {
			return yield(nil, reading(err))
		}
		documents, err := rowsOf(ctx, r, page, from, to)
		if err != nil {
			return yield(nil, err)
		}
		for _, k := range page {
			rows := documents[k.DocumentID]
			if firstDay(rows) == on && !yield(rows, nil) {
				return false
			}
		}
		if len(page) < documentPage {
			return true
		}
		after = page[len(page)-1]
	}
}

// rowsOf reads what the documents of a page have in the period, by document.
func rowsOf(ctx context.Context, r tenant.Reader, page []key, from, to date.Date) (map[tenant.ID][]Row, error) {
	ids := make([]tenant.ID, len(page))
	for i, k := range page {
		ids[i] = k.DocumentID
	}
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // no documents have no rows
	}
	// Without an order, which would make the engine walk the primary key: the index of documents finds the few rows.
	rows, err := tenant.Query[Row](ctx, r, `SELECT * FROM vat_register
		WHERE company_id = @company AND document_id IN ? AND register_date BETWEEN ? AND ?`, ids, from, to)
	if err != nil {
		return nil, reading(err)
	}
	slices.SortFunc(rows, func(a, b Row) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	documents := make(map[tenant.ID][]Row, len(page))
	for _, row := range rows {
		documents[row.DocumentID] = append(documents[row.DocumentID], row)
	}
	return documents, nil
}

func firstDay(rows []Row) date.Date {
	first := rows[0].RegisterDate
	for _, row := range rows[1:] {
		if row.RegisterDate.Before(first) {
			first = row.RegisterDate
		}
	}
	return first
}

func reading(err error) error { return fmt.Errorf("reading the VAT register: %w", err) }
