package payout

import (
	"slices"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// categoryNetworkCost is what card schemes charge and the provider passes on.
const categoryNetworkCost = "network_cost"

// isFee tells lines that are fees as a whole.
func (l *Line) isFee() bool {
	return l.Category == report.CategoryFee || l.Category == categoryNetworkCost
}

// Summary is what a posting did, in the currency of the settlement. The net of the payout is all of it less FeeAmount.
type Summary struct {
	// ReceivableApplied is what invoices were paid with, less what opened them again.
	ReceivableApplied money.Amount
	CommissionAmount  money.Amount
	SellerAmount      money.Amount
	FeeAmount         money.Amount
	// SuspenseAmount is negative when more went back than came in.
	SuspenseAmount money.Amount
}

// past is what the posted lines of a payment came to, and what of it was applied to invoices.
type past struct {
	gross, applied int64
	// hasCharge says that money came in, so that what was applied of it is known.
	hasCharge bool
}

// application is what a line does to the item of its invoice. Amount is negative when the item is opened again.
type application struct {
	line   *Line
	item   *ledger.OpenItem
	amount int64
	// before is what was open on the item.
	before int64
}

// sides are what one account is debited and credited with, in minor units.
type sides struct{ debit, credit int64 }

func (s *sides) add(amount int64) {
	if amount < 0 {
		s.debit -= amount
	} else {
		s.credit += amount
	}
}

func (s sides) net() int64 { return s.credit - s.debit }

// reckoning is how the lines of a settlement are shared out.
type reckoning struct {
	net                                 int64 // of the payout: what the bank is debited with
	fees, suspense, commission, sellers sides
	applications                        []application
	// excess are matched lines of which a part is in suspense, with that part.
	excess []surplus
	// unexplained counts lines without an invoice in suspense.
	unexplained int
}

// surplus is what a line has beyond its invoice.
type surplus struct {
	line   *Line
	item   *ledger.OpenItem
	amount int64
}

// reckon shares out lines: among the open items that they are matched with, fees, the marketplace's commission and its sellers,
// and suspense. It changes neither lines nor items. history has what was posted of payments before, by payment.
func reckon(lines []Line, items map[tenant.ID]*ledger.OpenItem, history map[string]past, commissionPercent *money.Decimal, c money.Currency) *reckoning {
	k := &reckoning{}
	open := make(map[tenant.ID]int64, len(items))
	for id, item := range items {
		open[id] = item.OpenMinor
	}
	payments := make(map[string]past, len(lines))
	order := make([]*Line, len(lines))
	for i := range lines {
		order[i] = &lines[i]
		payments[lines[i].payment()] = history[lines[i].payment()]
	}
	// What came in first: whether a refund stands before its payment in the report means nothing.
	slices.SortStableFunc(order, func(a, b *Line) int { return sign(b.GrossMinor) - sign(a.GrossMinor) })
	for _, l := range order {
		k.net += l.NetMinor
		k.fees.add(-l.FeeMinor)
		if l.GrossMinor == 0 {
			continue
		}
		applied := int64(0)
		p := payments[l.payment()]
		if item := matchedItem(l, items); item != nil {
			applied = p.share(l.GrossMinor, open[item.DocumentID], item.AmountMinor)
			k.apply(l, item, applied, open)
		} else {
			k.unmatched(l, commissionPercent, c)
		}
		p.gross, p.applied, p.hasCharge = p.gross+l.GrossMinor, p.applied+applied, p.hasCharge || l.GrossMinor > 0
		payments[l.payment()] = p
	}
	return k
}

func sign(minor int64) int {
	switch {
	case minor > 0:
		return 1
	case minor < 0:
		return -1
	}
	return 0
}

func matchedItem(l *Line, items map[tenant.ID]*ledger.OpenItem) *ledger.OpenItem {
	if l.InvoiceID == nil {
		return nil
	}
	return items[*l.InvoiceID]
}

// share is how much of a line goes to an item of which open is owed and amount was asked for. What is applied of a payment follows
// what is left of it: a payment that was given back before is not applied, and what was never applied is not taken back. A refund
// of a payment that no settlement has takes back what the item was settled with otherwise.
func (p past) share(gross, open, amount int64) int64 {
	target := max(0, p.gross+gross)
	if gross > 0 {
		return min(gross, open, max(0, target-p.applied))
	}
	back := -gross
	if p.hasCharge {
		back = min(back, max(0, p.applied-target))
	}
	return -min(back, amount-open)
}

func (k *reckoning) apply(l *Line, item *ledger.OpenItem, applied int64, open map[tenant.ID]int64) {
	if applied != 0 {
		k.applications = append(k.applications, application{l, item, applied, open[item.DocumentID]})
		open[item.DocumentID] -= applied
	}
	if rest := l.GrossMinor - applied; rest != 0 {
		k.suspense.add(rest)
		k.excess = append(k.excess, surplus{l, item, rest})
	}
}

func (k *reckoning) unmatched(l *Line, commissionPercent *money.Decimal, c money.Currency) {
	switch {
	case l.isFee():
		k.fees.add(l.GrossMinor)
	case commissionPercent != nil && l.Category == report.CategoryCharge && l.GrossMinor > 0:
		own := money.PercentOf(money.New(l.GrossMinor, c), *commissionPercent).Minor()
		k.commission.add(own)
		k.sellers.add(l.GrossMinor - own)
	default:
		k.suspense.add(l.GrossMinor)
		k.unexplained++
	}
}

// applied is what went to invoices, less what came back from them.
func (k *reckoning) applied() int64 {
	sum := int64(0)
	for _, a := range k.applications {
		sum += a.amount
	}
	return sum
}

func (k *reckoning) summary(c money.Currency) Summary {
	return Summary{
		ReceivableApplied: money.New(k.applied(), c), CommissionAmount: money.New(k.commission.net(), c),
		SellerAmount: money.New(k.sellers.net(), c), FeeAmount: money.New(-k.fees.net(), c), SuspenseAmount: money.New(k.suspense.net(), c),
	}
}
