package cash

import (
	"context"
	"fmt"
	"iter"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// pageSize is how many payments are read at once: enough to make round trips rare, few enough to bound memory.
const pageSize = 500

// place is a payment in the order of days and ids.
type place struct {
	ID             tenant.ID
	OpenItemID     tenant.ID
	SourceID       tenant.ID
	AllocationDate date.Date
}

// Payments reads, page by page, the payments of a period for documents of one side under cash accounting, by day and id, so that
// equal rows give an equal order. A payment that was taken back in the period comes as nothing (IsZero). After an error nothing
// follows.
func Payments(ctx context.Context, r tenant.Reader, side register.Direction, from, to date.Date) iter.Seq2[Payment, error] {
	return func(yield func(Payment, error) bool) {
		after := place{AllocationDate: from}
		for {
			page, err := placesAfter(ctx, r, side, after, to)
			if err != nil {
				yield(Payment{}, err)
				return
			}
			payments, err := paymentsAt(ctx, r, page, from, to)
			if err != nil {
				yield(Payment{}, err)
				return
			}
			for _, payment := range payments {
				if !yield(payment, nil) {
					return
				}
			}
			if len(page) < pageSize {
				return
			}
			after = page[len(page)-1]
		}
	}
}

func placesAfter(ctx context.Context, r tenant.Reader, side register.Direction, after place, to date.Date) ([]place, error) {
	page, err := tenant.Query[place](ctx, r, `SELECT a.id, a.open_item_id, a.source_id, a.allocation_date FROM open_item_allocations a
		JOIN open_items i ON i.company_id = a.company_id AND i.id = a.open_item_id
		WHERE a.company_id = @company AND a.allocation_date BETWEEN ? AND ? AND (a.allocation_date > ? OR a.id > ?)
		AND a.source_type IN ? AND EXISTS (SELECT 1 FROM vat_register v WHERE v.company_id = a.company_id
			AND v.document_id = i.document_id AND v.event = 'recorded' AND v.special_taxation AND v.direction = ?)
		ORDER BY a.allocation_date, a.id LIMIT ?`,
		after.AllocationDate, to, after.AllocationDate, after.ID, ledger.MoneySources(), side, pageSize)
	if err != nil {
		return nil, reading(err)
	}
	return page, nil
}

// paymentsAt gives the payments of a page. A payment stands at the place of its first allocation in the period, and has the others
// in it.
func paymentsAt(ctx context.Context, r tenant.Reader, page []place, from, to date.Date) ([]Payment, error) {
	if len(page) == 0 {
		return nil, nil
	}
	books, err := openBooks(ctx, r, page)
	if err != nil {
		return nil, err
	}
	byItem := map[tenant.ID]map[tenant.ID]Payment{}
	payments := make([]Payment, 0, len(page))
	for _, p := range page {
		if byItem[p.OpenItemID] == nil {
			byItem[p.OpenItemID] = books.payments(p.OpenItemID, from, to)
		}
		if payment, leads := byItem[p.OpenItemID][p.ID]; leads {
			payment.Reference = books.references[p.SourceID]
			payments = append(payments, payment)
		}
	}
	return payments, nil
}

func reading(err error) error { return fmt.Errorf("reading payments under cash accounting: %w", err) }
