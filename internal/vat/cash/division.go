package cash

import (
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// amounts are minor units of the base currency: net and VAT of each row of a document, in turn.
type amounts []int64

func (a amounts) add(b amounts) amounts {
	sum := make(amounts, len(a))
	for i := range a {
		sum[i] = a[i] + b[i]
	}
	return sum
}

func (a amounts) neg() amounts {
	negated := make(amounts, len(a))
	for i := range a {
		negated[i] = -a[i]
	}
	return negated
}

func (a amounts) sum() int64 {
	total := int64(0)
	for _, n := range a {
		total += n
	}
	return total
}

// places are far below what a minor unit can show.
const places = 20

// portion is part/whole of the amounts: the sum is rounded once, half away from zero, and spread by the largest remainder, so that
// net and VAT of a payment come to the payment. The whole takes everything.
func (a amounts) portion(part, whole int64, base money.Currency) amounts {
	if part == whole {
		return a
	}
	if part == 0 || whole == 0 {
		return make(amounts, len(a))
	}
	share := func(minor int64) money.Decimal {
		return money.New(minor, base).Decimal().Mul(money.DecimalFromInt(part)).Div(money.DecimalFromInt(whole), places)
	}
	shares := make([]money.Decimal, len(a))
	for i, n := range a {
		shares[i] = share(n)
	}
	portions := make(amounts, len(a))
	for i, p := range money.Spread(money.RoundHalfAwayFromZero(share(a.sum()), base), shares) {
		portions[i] = p.Minor()
	}
	return portions
}

// division follows a document through what settles it. Amounts of the item are in the currency of the document.
type division struct {
	base money.Currency
	// whole and full are the document before anything settled it.
	whole amounts
	full  int64
	// rest is what of the register rows is not settled, open what of the document is not.
	rest amounts
	open int64
	// paid is what all payments brought, bySource what each did.
	paid     taken
	bySource map[tenant.ID]taken
}

// taken is what payments brought, in the currency of the document and by register row.
type taken struct {
	minor int64
	parts amounts
}

func newDivision(rows amounts, open int64, base money.Currency) *division {
	return &division{
		base: base, whole: rows, full: open, rest: rows, open: open, paid: taken{parts: make(amounts, len(rows))}, bySource: map[tenant.ID]taken{},
	}
}

// pay settles with money, and gives what that is by register row.
func (d *division) pay(source tenant.ID, minor int64) amounts {
	parts := d.rest.portion(minor, d.open, d.base)
	d.move(source, minor, parts)
	return parts
}

// payBack opens the document again, and gives the negative of what comes back: of what the same payment brought where it is that
// payment which is taken back, else of what all payments brought, else of the document, when an advance or a credit had settled it.
func (d *division) payBack(source tenant.ID, minor int64) amounts {
	from := d.bySource[source]
	if from.minor < minor {
		from = d.paid
	}
	if from.minor < minor {
		from = taken{d.full, d.whole}
	}
	parts := from.parts.portion(minor, from.minor, d.base).neg()
	d.move(source, -minor, parts)
	return parts
}

func (d *division) move(source tenant.ID, minor int64, parts amounts) {
	d.open -= minor
	d.rest = d.rest.add(parts.neg())
	d.paid = taken{d.paid.minor + minor, d.paid.parts.add(parts)}
	before, known := d.bySource[source]
	if !known {
		before.parts = make(amounts, len(parts))
	}
	d.bySource[source] = taken{before.minor + minor, before.parts.add(parts)}
}

// setOff settles without money. what are the rows of the document that settles, as far as it does; nil where it has none that match
// those of this document, so that a share of each is settled.
func (d *division) setOff(minor int64, what amounts) {
	if what == nil {
		what = d.rest.portion(minor, d.open, d.base)
	}
	d.open -= minor
	d.rest = d.rest.add(what.neg())
}
