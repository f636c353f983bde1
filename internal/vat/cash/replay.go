package cash

import (
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// payments follows an item through all that settled it, and gives its payments of a period by the id of their first allocation
// there.
func (b *books) payments(itemID tenant.ID, from, to date.Date) map[tenant.ID]Payment {
	owed := b.items[itemID]
	document := recorded(b.rows[owed.DocumentID])
	credited := b.credited[owed.DocumentID]
	d := newDivision(amountsOf(document), owed.AmountMinor+credited, b.base)
	if credited > 0 {
		d.setOff(credited, nil) // what a credit note had settled before the rest of it became owed
	}
	payments := map[tenant.ID]Payment{}
	leads := map[tenant.ID]tenant.ID{}
	for _, a := range b.history[itemID] {
		parts, isMoney := b.settle(d, a, document)
		if !isMoney || a.AllocationDate.Before(from) || a.AllocationDate.After(to) {
			continue
		}
		lead, known := leads[a.SourceID]
		if !known {
			lead = a.ID
			leads[a.SourceID] = a.ID
			payments[lead] = Payment{
				Document: document[0], SourceType: a.SourceType, SourceID: a.SourceID, Date: a.AllocationDate, Parts: partsOf(document, b.base),
			}
		}
		payment := payments[lead]
		payment.AllocationIDs = append(payment.AllocationIDs, a.ID)
		payment.add(parts, b.base)
		payments[lead] = payment
	}
	return payments
}

// settle takes one allocation into the division, and gives what a payment did.
func (b *books) settle(d *division, a allocation, document []register.Row) (parts amounts, isMoney bool) {
	switch a.SourceType {
	case ledger.SourcePayment, ledger.SourcePayout, ledger.SourceOrderPayment:
		if a.AmountMinor < 0 {
			return d.payBack(a.SourceID, -a.AmountMinor), true
		}
		return d.pay(a.SourceID, a.AmountMinor), true
	case ledger.SourceCreditNote:
		note := matching(document, recorded(b.rows[a.SourceID]))
		if note != nil {
			note = note.portion(a.AmountMinor, b.credited[a.SourceID]+b.owed[a.SourceID], b.base).neg()
		}
		d.setOff(a.AmountMinor, note)
	case ledger.SourceAdvance:
		advance := matching(document, applied(b.rows[document[0].DocumentID], a.SourceID))
		if advance != nil {
			advance = advance.neg()
		}
		d.setOff(a.AmountMinor, advance)
	default:
		d.setOff(a.AmountMinor, nil)
	}
	return nil, false
}

func recorded(rows []register.Row) []register.Row {
	return filter(rows, func(row register.Row) bool { return row.Event == register.Recorded })
}

// applied are the rows with which an advance was taken off.
func applied(rows []register.Row, advance tenant.ID) []register.Row {
	return filter(rows, func(row register.Row) bool { return row.Event == register.AdvanceApplied && row.SourceID == advance })
}

func filter(rows []register.Row, keep func(register.Row) bool) []register.Row {
	var kept []register.Row
	for _, row := range rows {
		if keep(row) {
			kept = append(kept, row)
		}
	}
	return kept
}

func amountsOf(rows []register.Row) amounts {
	a := make(amounts, 0, len(rows)*2) //nolint:mnd // net and VAT
	for _, row := range rows {
		a = append(a, row.BaseNetMinor, row.BaseVATMinor)
	}
	return a
}

// matching are the amounts of other rows in the order of a document's; nil where there are none, or not all of its codes and rates
// stand in the document.
func matching(document, other []register.Row) amounts {
	if len(other) == 0 {
		return nil
	}
	a := make(amounts, len(document)*2) //nolint:mnd // net and VAT
	for _, row := range other {
		at := -1
		for i, own := range document {
			if code(own) == code(row) && own.Rate.Cmp(row.Rate) == 0 {
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		a[2*at] += row.BaseNetMinor
		a[2*at+1] += row.BaseVATMinor
	}
	return a
}

func code(row register.Row) string {
	if row.VATCode == nil {
		return ""
	}
	return *row.VATCode
}

// partsOf are parts of nothing for each row.
func partsOf(document []register.Row, base money.Currency) []Part {
	parts := make([]Part, len(document))
	for i, row := range document {
		parts[i] = Part{Code: row.VATCode, Rate: row.Rate, Net: money.Zero(base), VAT: money.Zero(base)}
	}
	return parts
}

func (p *Payment) add(a amounts, base money.Currency) {
	for i := range p.Parts {
		p.Parts[i].Net = p.Parts[i].Net.Add(money.New(a[2*i], base))
		p.Parts[i].VAT = p.Parts[i].VAT.Add(money.New(a[2*i+1], base))
	}
}
