package cash

import (
	"bytes"
	"context"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// item is what is or was owed on a document, in minor units of its currency.
type item struct {
	ID          tenant.ID
	DocumentID  tenant.ID
	AmountMinor int64
}

// allocation is a settlement of an item.
type allocation struct {
	ID             tenant.ID
	OpenItemID     tenant.ID
	SourceType     string
	SourceID       tenant.ID
	AmountMinor    int64
	AllocationDate date.Date
}

// books are what is needed to divide the payments of a page: the items, all that settled them, and the register rows of the
// documents and of what was set off against them.
type books struct {
	base  money.Currency
	items map[tenant.ID]item
	// history is by item, in the order of ids: a settlement holds its item, so that is the order in which they came.
	history map[tenant.ID][]allocation
	// rows are by document. credited is what a credit note settled of another document; owed what else it came to.
	rows           map[tenant.ID][]register.Row
	credited, owed map[tenant.ID]int64
	// references name payments.
	references map[tenant.ID]string
}

func openBooks(ctx context.Context, r tenant.Reader, page []place) (*books, error) {
	b := &books{
		base: r.Company().BaseCurrency, items: map[tenant.ID]item{}, history: map[tenant.ID][]allocation{},
		rows: map[tenant.ID][]register.Row{}, credited: map[tenant.ID]int64{}, owed: map[tenant.ID]int64{}, references: map[tenant.ID]string{},
	}
	var items, sources []tenant.ID
	for _, p := range page {
		items, sources = append(items, p.OpenItemID), append(sources, p.SourceID)
	}
	for _, read := range []func(context.Context, tenant.Reader, []tenant.ID) error{b.readItems, b.readHistory} {
		if err := read(ctx, r, items); err != nil {
			return nil, err
		}
	}
	for chunk := range slices.Chunk(b.documents(), pageSize) {
		for _, read := range []func(context.Context, tenant.Reader, []tenant.ID) error{b.readRows, b.readNotes} {
			if err := read(ctx, r, chunk); err != nil {
				return nil, err
			}
		}
	}
	return b, b.readReferences(ctx, r, sources)
}

func (b *books) readItems(ctx context.Context, r tenant.Reader, ids []tenant.ID) error {
	items, err := tenant.Query[item](ctx, r, `SELECT id, document_id, amount_minor FROM open_items WHERE company_id = @company AND id IN ?`, ids)
	if err != nil {
		return reading(err)
	}
	for _, i := range items {
		b.items[i.ID] = i
	}
	return nil
}

func (b *books) readHistory(ctx context.Context, r tenant.Reader, items []tenant.ID) error {
	all, err := tenant.Query[allocation](ctx, r, `SELECT id, open_item_id, source_type, source_id, amount_minor, allocation_date
		FROM open_item_allocations WHERE company_id = @company AND open_item_id IN ?`, items)
	if err != nil {
		return reading(err)
	}
	slices.SortFunc(all, func(x, y allocation) int { return bytes.Compare(x.ID[:], y.ID[:]) })
	for _, a := range all {
		b.history[a.OpenItemID] = append(b.history[a.OpenItemID], a)
	}
	return nil
}

// documents are those of the items, and the credit notes that settled them.
func (b *books) documents() []tenant.ID {
	var ids []tenant.ID
	for _, i := range b.items {
		ids = append(ids, i.DocumentID)
		for _, a := range b.history[i.ID] {
			if a.SourceType == ledger.SourceCreditNote {
				ids = append(ids, a.SourceID)
			}
		}
	}
	slices.SortFunc(ids, func(x, y tenant.ID) int { return bytes.Compare(x[:], y[:]) })
	return slices.Compact(ids)
}

func (b *books) readRows(ctx context.Context, r tenant.Reader, documents []tenant.ID) error {
	rows, err := tenant.Query[register.Row](ctx, r, `SELECT * FROM vat_register WHERE company_id = @company AND document_id IN ?`, documents)
	if err != nil {
		return reading(err)
	}
	slices.SortFunc(rows, func(x, y register.Row) int { return bytes.Compare(x.ID[:], y.ID[:]) })
	for _, row := range rows {
		b.rows[row.DocumentID] = append(b.rows[row.DocumentID], row)
	}
	return nil
}

// sum is an amount by document.
type sum struct {
	DocumentID tenant.ID
	Minor      int64
}

// readNotes reads what documents settled of others, and what they were owed on themselves: together that is a credit note.
func (b *books) readNotes(ctx context.Context, r tenant.Reader, documents []tenant.ID) error {
	credited, err := tenant.Query[sum](ctx, r, `SELECT source_id AS document_id, SUM(amount_minor) AS minor FROM open_item_allocations
		WHERE company_id = @company AND source_id IN ? AND source_type = ? GROUP BY source_id`, documents, ledger.SourceCreditNote)
	if err != nil {
		return reading(err)
	}
	owed, err := tenant.Query[sum](ctx, r, `SELECT document_id, amount_minor AS minor FROM open_items
		WHERE company_id = @company AND document_id IN ?`, documents)
	if err != nil {
		return reading(err)
	}
	for _, s := range credited {
		b.credited[s.DocumentID] = s.Minor
	}
	for _, s := range owed {
		b.owed[s.DocumentID] = s.Minor
	}
	return nil
}

// reference is what a payment is called.
type reference struct {
	SourceID  tenant.ID
	Reference string
}

// readReferences finds what bank and payment provider call their payments. Both kinds of rows never change once they have settled
// something. A confirmed payment of an order has no name.
func (b *books) readReferences(ctx context.Context, r tenant.Reader, sources []tenant.ID) error {
	named, err := tenant.Query[reference](ctx, r, `SELECT id AS source_id, external_id AS reference FROM bank_transactions
			WHERE company_id = @company AND id IN ? AND external_id IS NOT NULL
		UNION ALL SELECT id, external_id FROM settlement_lines WHERE company_id = @company AND id IN ?`, sources, sources)
	if err != nil {
		return reading(err)
	}
	for _, n := range named {
		b.references[n.SourceID] = n.Reference
	}
	return nil
}
