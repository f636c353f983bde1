package fr0600

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// ErrCurrency refuses a return that would not be in euro.
var ErrCurrency = apperr.Define("fr0600.currency", apperr.Rule,
	"The return is in euro; the books of the company are in another currency.")

// Full is the deduction share of a company that deducts all its input VAT.
const Full = 100

// roundedShare is the share from which the form wants 100: its script refuses 96 to 99.
const roundedShare = 96

// Value is one box.
type Value struct {
	Box   vat.Box
	Label string
	// Exact is the sum of exact cents; for box 35 multiplied by the deduction share, for box 36 computed from exact values.
	Exact money.Decimal
	// Whole is what the form takes: whole euro, halves away from zero, box 36 from the rounded boxes. Box 28 is per cent.
	Whole int64
}

// Feed is what one side has under one code and the boxes it enters.
type Feed struct {
	Direction register.Direction
	// Code is nil for domestic purchases whose code i.SAF leaves out.
	Code         *string
	Net, VAT     money.Amount
	TaxableBoxes []vat.Box
	VATBoxes     []vat.Box
}

// Return is a computed FR0600.
type Return struct {
	Period           Period
	DeductionPercent int
	// Boxes are all boxes of the form's version in its order.
	Boxes     []Value
	Breakdown []Feed
	// SalesInvoices and PurchaseInvoices count documents of every type; cancelled ones are not among them.
	SalesInvoices    int
	PurchaseInvoices int
	// Warnings are the checks that found something.
	Warnings []Warning

	company   tenant.Company
	today     date.Date
	roundedUp bool
	exact     map[vat.Box]money.Decimal
	cash      []register.Count
	// paidVAT is the VAT of payments of the period for documents under cash accounting, by side.
	paidVAT map[register.Direction]money.Amount
	// lateNine are invoices at 9 % for supplies after the rate ended, unknown the codes outside the classifier.
	lateNine, unknown []string
}

// Compute works out the return of a period. DeductionPercent is 0 to 100; 96 to 99 count as 100.
// Errors: validation, fr0600.currency.
func Compute(ctx context.Context, r tenant.ReadTx, period Period, deductionPercent int) (*Return, error) {
	if deductionPercent < 0 || deductionPercent > Full {
		return nil, apperr.Invalid("deductionPercent", "must be 0 to 100")
	}
	ret := &Return{
		Period: period, DeductionPercent: deductionPercent, company: r.Company(), today: r.Today(), exact: map[vat.Box]money.Decimal{},
	}
	if base := ret.company.BaseCurrency; base != money.EUR {
		return nil, ErrCurrency.New("The return is filed in euro, the books are in %s.", base)
	}
	if deductionPercent >= roundedShare && deductionPercent < Full {
		ret.DeductionPercent, ret.roundedUp = Full, true
	}
	if err := ret.read(ctx, r); err != nil {
		return nil, err
	}
	ret.settle()
	ret.round()
	ret.warn()
	return ret, nil
}

func (ret *Return) read(ctx context.Context, r tenant.ReadTx) error {
	totals, err := register.Totals(ctx, r, ret.Period.From, ret.Period.To)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	counts, err := register.Counts(ctx, r, ret.Period.From, ret.Period.To)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if totals, err = ret.byPayment(ctx, r, totals); err != nil {
		return err
	}
	for _, t := range totals {
		ret.feed(t)
	}
	for _, c := range counts {
		if c.Direction == register.Sales {
			ret.SalesInvoices = c.Documents
		} else {
			ret.PurchaseInvoices = c.Documents
		}
		if c.CashDocuments > 0 {
			ret.cash = append(ret.cash, c)
		}
	}
	if ret.Period.hasTwelvePercent() && !ret.exact[boxNineVAT].IsZero() {
		return ret.findLateNine(ctx, r)
	}
	return nil
}

// feed adds what one side has under one code to its boxes.
func (ret *Return) feed(t register.Total) {
	boxes, known := boxesOf(t.Direction == register.Sales, t.VATCode)
	f := Feed{
		Direction: t.Direction, Code: t.VATCode, Net: money.New(t.BaseNetMinor, money.EUR), VAT: money.New(t.BaseVATMinor, money.EUR),
		TaxableBoxes: boxes.Base, VATBoxes: boxes.VAT,
	}
	ret.Breakdown = append(ret.Breakdown, f)
	if !known {
		code := "no code"
		if t.VATCode != nil {
			code = *t.VATCode
		}
		ret.unknown = append(ret.unknown, code)
	}
	for _, box := range f.TaxableBoxes {
		ret.exact[box] = ret.exact[box].Add(f.Net.Decimal())
	}
	for _, box := range f.VATBoxes {
		ret.exact[box] = ret.exact[box].Add(f.VAT.Decimal())
	}
}

// settle applies the share and the formula to the exact sums.
func (ret *Return) settle() {
	ret.exact[boxDeductionPercent] = money.DecimalFromInt(int64(ret.DeductionPercent))
	ret.exact[boxDeductible] = share(ret.exact[boxDeductible], ret.DeductionPercent)
	result := ret.exact[boxDeductible].Neg()
	for _, box := range outputBoxes {
		result = result.Add(ret.exact[box])
	}
	ret.exact[boxResult] = result
}

// share takes a percentage, exactly.
func share(amount money.Decimal, percent int) money.Decimal {
	return amount.Mul(money.DecimalFromInt(int64(percent))).Mul(money.MustDecimal("0.01"))
}

// round gives every box its whole euro, and box 36 from them.
func (ret *Return) round() {
	whole := map[vat.Box]int64{}
	for _, c := range captions {
		if c.box == boxTwelveVAT && !ret.Period.hasTwelvePercent() && ret.exact[c.box].IsZero() {
			continue
		}
		whole[c.box] = wholeEuro(ret.exact[c.box])
		if c.box == boxResult {
			whole[c.box] = -whole[boxDeductible]
			for _, box := range outputBoxes {
				whole[c.box] += whole[box]
			}
		}
		ret.Boxes = append(ret.Boxes, Value{c.box, c.label, ret.exact[c.box], whole[c.box]})
	}
}

// wholeEuro rounds half away from zero: 2.50 is 3 and -2.50 is -3.
func wholeEuro(d money.Decimal) int64 {
	const centsInEuro = 100
	rounded := d.Div(money.DecimalFromInt(1), 0)
	return money.RoundHalfAwayFromZero(rounded, money.EUR).Minor() / centsInEuro
}

// Whole is a box in whole euro; 0 for a box that the form of the period does not have.
func (ret *Return) Whole(box vat.Box) int64 {
	for _, v := range ret.Boxes {
		if v.Box == box {
			return v.Whole
		}
	}
	return 0
}

// Exact is a box in exact cents.
func (ret *Return) Exact(box vat.Box) money.Decimal { return ret.exact[box] }

// Notes say how the return was computed, for the person who files it.
func (ret *Return) Notes() []string {
	return []string{
		"Boxes are whole euro, each rounded once from exact cents, halves away from zero; box 36 is computed from the rounded boxes.",
		"Box 25 has all input VAT. Box 35 is boxes 25, 26 and 27 times the deduction share; VAT that may never be deducted, such as half " +
			"of representation costs, is not known here and must be taken off box 35 by hand.",
		"Import VAT enters boxes 26 and 27 by the codes PVM23 and PVM24.",
		"Box 10 (activity code) is not kept here.",
	}
}
