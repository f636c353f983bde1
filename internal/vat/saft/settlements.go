package saft

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// settlement is what settled a document by the last day, or with a negative amount what took that back, in minor units of the
// document's currency.
type settlement struct {
	DocumentID     tenant.ID
	Kind           ledger.ItemKind
	DueDate        date.Date
	AllocationDate date.Date
	AmountMinor    int64
}

// isCredit reports the side: what settles a receivable is credit, what settles a payable debit.
func (s settlement) isCredit() bool { return (s.Kind == ledger.ItemReceivable) != (s.AmountMinor < 0) }

// settle adds to invoices what settled them by the last day.
func settle(ctx context.Context, r tenant.ReadTx, o Options, list []invoice) error {
	ids := make([]tenant.ID, len(list))
	position := make(map[tenant.ID]*invoice, len(list))
	for i := range list {
		ids[i], position[list[i].ID] = list[i].ID, &list[i]
	}
	rows, err := tenant.Query[settlement](ctx, r, `SELECT i.document_id, i.kind, i.due_date, a.allocation_date, a.amount_minor
		FROM open_items i JOIN open_item_allocations a ON a.company_id = i.company_id AND a.open_item_id = i.id
		WHERE i.company_id = @company AND i.document_id IN ? AND a.allocation_date <= ?
		ORDER BY i.document_id, a.allocation_date, a.id`, ids, o.To)
	if err != nil {
		return fmt.Errorf("reading what settled invoices: %w", err)
	}
	for _, row := range rows {
		i := position[row.DocumentID]
		i.settlements = append(i.settlements, row)
	}
	return nil
}

// settlement writes what settled an invoice. How it was paid is not told: a matched bank line, an advance and a credit note all settle.
func (f *file) settlement(i invoice, s settlement, base money.Currency) {
	f.in("Settlement", func() {
		f.amounts("SettlementAmount", i.toBase(s.AmountMinor, base), i.amount(s.AmountMinor))
		f.optional("SettlementDueDate", lengthMiddle, s.DueDate.String())
		f.optionalDay("SettlementDate", s.AllocationDate)
		f.indicator(s.isCredit())
	})
}

// taxTotal is what the lines of an invoice come to under a code and rate, in minor units of its currency.
type taxTotal struct {
	code               string
	rate               money.Decimal
	netMinor, vatMinor int64
}

// taxTotals adds up lines by code and rate, in the order in which these first stand.
func (i invoice) taxTotals() []taxTotal {
	type key struct{ code, rate string }
	position := map[key]int{}
	var totals []taxTotal
	for _, l := range i.lines {
		k := key{deref(l.VATCode), l.VATRate.String()}
		at, known := position[k]
		if !known {
			at = len(totals)
			position[k] = at
			totals = append(totals, taxTotal{code: k.code, rate: l.VATRate})
		}
		totals[at].netMinor += i.taxBase(l)
		totals[at].vatMinor += l.VATMinor
	}
	return totals
}

// taxInformation writes tax of a line or of a whole invoice.
func (f *file) taxInformation(element string, i invoice, t taxTotal, base money.Currency) {
	f.in(element, func() {
		f.text("TaxType", lengthCode, "PVM")
		f.optional("TaxCode", lengthName, t.code)
		f.text("TaxPercentage", 40, t.rate.String())
		f.text("TaxBase", 40, cents(i.toBase(t.netMinor, base)))
		f.amounts("TaxAmount", i.toBase(t.vatMinor, base), i.amount(t.vatMinor))
	})
}
