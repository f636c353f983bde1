package vat

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/money"
)

// sharePlaces is the precision of a line's exact share of the VAT in its price. Shares are multiples of
// 1 / ((100 + rate) x 10^10 x minor units), far coarser, so the rounding of shares never changes which cent goes where.
const sharePlaces = 30

// maxRateDecimals keeps that promise; rates read by money.ParseDecimal have no more.
const maxRateDecimals = 10

// Line is what a line of a document says.
type Line struct {
	Quantity  money.Decimal
	UnitPrice money.Decimal
	// PriceIncludesVAT tells a gross unit price from a net one.
	PriceIncludesVAT bool
	// Rate is the VAT rate in per cent, 0 to 100.
	Rate money.Decimal
	// Code is the classifier code, empty when the line needs none.
	Code string
	// ChargesVAT is false when the document adds no VAT for the line: see Scheme.ChargesVAT. Its gross is then its net.
	ChargesVAT bool
}

// Sums are net, VAT and gross of a line, a group or a document; Net + VAT = Gross.
type Sums struct {
	Net, VAT, Gross money.Amount
}

// Group is what the lines of one code and rate add up to.
type Group struct {
	Code       string
	Rate       money.Decimal
	ChargesVAT bool
	Sums
}

// Totals is a document added up. Lines are in the order given, Groups in the order of their first line.
type Totals struct {
	Lines  []Sums
	Groups []Group
	Sums
}

// Compute adds up a document in c.
//
// A line's price is quantity x unit price, rounded half away from zero. VAT is computed once per classifier code and rate and
// rounded half away from zero: from the sum of net prices x rate, and from the sum of prices including VAT x rate / (100 + rate);
// a group with both kinds of lines adds the two. The VAT of a group is then allocated to its lines by the largest remainder, so
// that lines add up to the group. A net price keeps its net and a price including VAT keeps its gross. Lines with the opposite
// sign give the opposite sums.
//
// An error names the line, counted from 1, whose rate or price is out of bounds.
func Compute(lines []Line, c money.Currency) (Totals, error) {
	prices, err := linePrices(lines, c)
	if err != nil {
		return Totals{}, err
	}
	totals := Totals{Lines: make([]Sums, len(lines)), Sums: noSums(c)}
	for _, members := range groupLines(lines) {
		first := lines[members[0]]
		group := Group{Code: first.Code, Rate: first.Rate, ChargesVAT: first.ChargesVAT, Sums: noSums(c)}
		for _, includesVAT := range []bool{false, true} {
			part := withPriceKind(members, lines, includesVAT)
			for i, sums := range computePart(part, lines, prices, c) {
				totals.Lines[part[i]] = sums
				group.Sums = group.plus(sums)
			}
		}
		totals.Groups = append(totals.Groups, group)
		totals.Sums = totals.plus(group.Sums)
	}
	return totals, nil
}

// linePrices multiplies quantities and prices, and refuses what could not be added up later.
func linePrices(lines []Line, c money.Currency) ([]money.Amount, error) {
	prices := make([]money.Amount, len(lines))
	limit := money.New(money.MaxMinor, c)
	volume := money.Zero(c)
	for i, l := range lines {
		if err := checkRate(l.Rate); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if !money.FitsAmount(l.UnitPrice.Mul(l.Quantity), c) {
			return nil, fmt.Errorf("line %d: quantity times unit price must lie between -%s and %s %s", i+1, limit, limit, c)
		}
		prices[i] = money.MulRound(l.UnitPrice, l.Quantity, c)
		volume = volume.Add(prices[i].Abs())
		if volume.Cmp(limit) > 0 {
			return nil, fmt.Errorf("line %d: the lines of a document must not exceed %s %s together", i+1, limit, c)
		}
	}
	return prices, nil
}

func checkRate(rate money.Decimal) error {
	if rate.Sign() < 0 || rate.Cmp(percent) > 0 {
		return fmt.Errorf("the VAT rate must lie between 0 and 100 per cent, not %s", rate)
	}
	if rate.Div(one, maxRateDecimals).Cmp(rate) != 0 {
		return fmt.Errorf("the VAT rate has at most %d decimals", maxRateDecimals)
	}
	return nil
}

var (
	one     = money.DecimalFromInt(1)
	percent = money.DecimalFromInt(100)
)

// groupLines returns the indexes of the lines of each group.
func groupLines(lines []Line) [][]int {
	type key struct {
		code, rate string
		chargesVAT bool
	}
	var groups [][]int
	position := map[key]int{}
	for i, l := range lines {
		k := key{code: l.Code, rate: l.Rate.String(), chargesVAT: l.ChargesVAT}
		g, known := position[k]
		if !known {
			g = len(groups)
			position[k] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

func withPriceKind(members []int, lines []Line, includesVAT bool) []int {
	var part []int
	for _, i := range members {
		if lines[i].PriceIncludesVAT == includesVAT {
			part = append(part, i)
		}
	}
	return part
}

// computePart computes the lines of one group whose prices are of one kind.
func computePart(part []int, lines []Line, prices []money.Amount, c money.Currency) []Sums {
	if len(part) == 0 {
		return nil
	}
	first := lines[part[0]]
	total := money.Zero(c)
	for _, i := range part {
		total = total.Add(prices[i])
	}
	groupVAT := money.Zero(c)
	shares := make([]money.Decimal, len(part))
	switch {
	case !first.ChargesVAT:
	case first.PriceIncludesVAT:
		groupVAT = money.IncludedVAT(total, first.Rate)
		for n, i := range part {
			shares[n] = prices[i].Decimal().Mul(first.Rate).Div(percent.Add(first.Rate), sharePlaces)
		}
	default:
		groupVAT = money.PercentOf(total, first.Rate)
		for n, i := range part {
			shares[n] = prices[i].Decimal().Mul(first.Rate).Div(percent, sharePlaces)
		}
	}
	sums := make([]Sums, len(part))
	for n, vat := range money.Spread(groupVAT, shares) {
		price := prices[part[n]]
		if first.PriceIncludesVAT {
			sums[n] = Sums{Net: price.Sub(vat), VAT: vat, Gross: price}
		} else {
			sums[n] = Sums{Net: price, VAT: vat, Gross: price.Add(vat)}
		}
	}
	return sums
}

func noSums(c money.Currency) Sums {
	return Sums{Net: money.Zero(c), VAT: money.Zero(c), Gross: money.Zero(c)}
}

func (s Sums) plus(t Sums) Sums {
	return Sums{Net: s.Net.Add(t.Net), VAT: s.VAT.Add(t.VAT), Gross: s.Gross.Add(t.Gross)}
}
