package invoice

import (
	"context"
	"slices"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// creditTheRest makes lines of all that is left: those of the document itself while nothing was credited, else one line per code
// and rate.
func (d *draft) creditTheRest(ctx context.Context, r tenant.Reader) error {
	a := d.adjusted
	if a.left().IsZero() {
		return d.overCredited(group{net: money.Zero(a.Currency), vat: money.Zero(a.Currency)}, "nothing")
	}
	if !a.touched() {
		lines, err := tenant.Find[invoiceLineRow](ctx, r, "invoice_id = ?", a.ID)
		slices.SortFunc(lines, func(x, y invoiceLineRow) int { return x.SortOrder - y.SortOrder })
		for _, l := range lines {
			d.add(l.LineContent)
		}
		return err //nolint:wrapcheck // says what was read
	}
	d.addRemainders()
	return nil
}

func (d *draft) addRemainders() {
	for _, g := range d.adjusted.groups {
		left := g.left()
		if left.net.IsZero() && left.vat.IsZero() {
			continue
		}
		l := LineContent{
			Description: "Remainder of " + d.adjusted.FullNumber, Unit: defaultUnit, Quantity: money.DecimalFromInt(1),
			UnitPrice: left.net.Decimal(), VATRate: left.rate, VATCode: optional(left.code),
		}
		if left.net.IsZero() { // rounding left VAT alone
			l.UnitPrice, l.PriceIncludesVAT = left.vat.Decimal(), true
		}
		d.add(l)
	}
}

// fitCredit holds every code and rate of a credit note to what is left of the document. What takes the last net takes the VAT
// that is left with it, so that credits add up to the document to the cent whatever their own rounding would give.
func (d *draft) fitCredit() error {
	for _, g := range d.groups() {
		c, known := d.adjusted.find(g)
		if !known {
			return ErrNoteMismatch.New("%s has no lines of %s to credit.", d.adjusted.FullNumber, g.describe()).
				Field("lines", "credit %s, which %s does not have", g.describe(), d.adjusted.FullNumber)
		}
		exact, pricesIncludeVAT := d.exactPrice(g)
		fitted, ok := fit(g, c.left(), exact, pricesIncludeVAT)
		if !ok {
			return d.overCredited(c.left(), g.describe())
		}
		d.spreadDifference(g, fitted)
	}
	return nil
}

func (d *draft) overCredited(left group, what string) error {
	total := d.adjusted.left()
	return ErrOverCredited.New("Of %s only %s %s is left to credit, of %s only %s net and %s VAT; lower the credit.",
		d.adjusted.FullNumber, total, d.row.Currency, what, left.net, left.vat).
		Field("lines", "credit more than is left").
		Detail("remainder", total.String()).Detail("remainderNet", left.net.String()).Detail("remainderVat", left.vat.String()).
		Detail("creditedInvoiceId", d.adjusted.ID)
}

// exactPrice is the price of the lines of a group before rounding: including VAT when all their prices do, else without.
func (d *draft) exactPrice(g group) (price money.Decimal, includesVAT bool) {
	const places = 20 // far below what a minor unit can show
	hundred := money.DecimalFromInt(100)
	net, gross, all := money.Decimal{}, money.Decimal{}, true
	for _, l := range d.lines {
		if !g.sameTerms(l.code(), l.VATRate) {
			continue
		}
		amount := l.Quantity.Mul(l.UnitPrice)
		if !l.PriceIncludesVAT {
			all = false
			net = net.Add(amount)
			continue
		}
		gross = gross.Add(amount)
		if d.chargesVAT() {
			amount = amount.Mul(hundred).Div(hundred.Add(l.VATRate), places)
		}
		net = net.Add(amount)
	}
	if all {
		return gross, true
	}
	return net, false
}

// fit holds a credit to what is left. A credit that passes it by less than rounding takes what is left; ok is false when it
// passes it by more.
func fit(credit, left group, exact money.Decimal, pricesIncludeVAT bool) (fitted group, ok bool) {
	price, limit := credit.net, left.net
	if pricesIncludeVAT {
		price, limit = credit.gross(), left.gross()
	}
	half := money.New(1, price.Currency()).Decimal().Mul(money.MustDecimal("0.5"))
	switch over := price.Cmp(limit); {
	case over == 0:
		return left, true
	case over > 0 && (limit.IsZero() || exact.Sub(limit.Decimal()).Cmp(half) > 0):
		return credit, false
	case over > 0:
		return left, true
	case pricesIncludeVAT:
		credit.net = least(credit.net, left.net)
		credit.vat = least(price.Sub(credit.net), left.vat)
		credit.net = price.Sub(credit.vat)
	default:
		credit.vat = least(credit.vat, left.vat)
	}
	return credit, true
}

func least(a, b money.Amount) money.Amount {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// spreadDifference moves the cents between computed and fitted sums onto the largest line of the group.
func (d *draft) spreadDifference(computed, fitted group) {
	if computed.net == fitted.net && computed.vat == fitted.vat {
		return
	}
	var largest *draftLineRow
	for _, l := range d.lines {
		if computed.sameTerms(l.code(), l.VATRate) && (largest == nil || l.GrossMinor > largest.GrossMinor) {
			largest = l
		}
	}
	largest.NetMinor += fitted.net.Sub(computed.net).Minor()
	largest.VATMinor += fitted.vat.Sub(computed.vat).Minor()
	largest.GrossMinor = largest.NetMinor + largest.VATMinor
}
