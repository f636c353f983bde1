package vat

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/money"
)

// StatedError says why the VAT that a document states for a line is not taken over.
type StatedError struct {
	// Line is the line's index, from 0.
	Line   int
	Reason string
}

func (e *StatedError) Error() string {
	return fmt.Sprintf("line %d: the stated VAT %s", e.Line+1, e.Reason)
}

// Restate takes over the VAT that a supplier's document states for some of its lines; stated has one value for each line, nil
// where the computed share stays. The lines and totals are those of Compute. A net price keeps its net and a price including
// VAT its gross, and lines add up to groups and groups to the document as before.
//
// Stated VAT may differ from what the rate comes to by rounding alone: rounded to the nearest unit, up or down, a line moves
// by less than one minor unit, so a line and a group may stray by one minor unit for each line of the group. The group counts
// for a line too, since a document that states VAT for the group alone is entered with the difference on one of its lines. VAT
// that is exactly nothing stays nothing. Error: *StatedError.
func Restate(t Totals, lines []Line, stated []*money.Decimal) (Totals, error) {
	c := t.Net.Currency()
	out := Totals{Lines: append([]Sums{}, t.Lines...), Groups: append([]Group{}, t.Groups...), Sums: noSums(c)}
	for g, members := range groupLines(lines) {
		group := noSums(c)
		for _, i := range members {
			if stated[i] != nil {
				sums, err := restateLine(i, lines[i], t.Lines[i], *stated[i], len(members))
				if err != nil {
					return Totals{}, err
				}
				out.Lines[i] = sums
			}
			group = group.plus(out.Lines[i])
		}
		if off := group.VAT.Sub(t.Groups[g].VAT); !isRounding(off, len(members)) {
			last := lastStated(members, stated)
			return Totals{}, &StatedError{last, fmt.Sprintf("makes %s of the VAT at %s %%, which comes to %s; %s",
				group.VAT, lines[last].Rate, t.Groups[g].VAT, allowance(len(members), c))}
		}
		out.Groups[g].Sums = group
		out.Sums = out.plus(group)
	}
	return out, nil
}

// restateLine gives one line its stated VAT, in a group of that many lines.
func restateLine(index int, l Line, computed Sums, stated money.Decimal, inGroup int) (Sums, error) {
	c := computed.Net.Currency()
	refuse := func(format string, args ...any) (Sums, error) {
		return Sums{}, &StatedError{index, fmt.Sprintf(format, args...)}
	}
	if !money.FitsAmount(stated, c) {
		return refuse("%s is too large", stated)
	}
	vat := money.RoundHalfAwayFromZero(stated, c)
	if vat.Decimal().Cmp(stated) != 0 {
		return refuse("%s has more decimals than %s", stated, c)
	}
	price := computed.Net
	if l.PriceIncludesVAT {
		price = computed.Gross
	}
	switch {
	case vat == computed.VAT:
		return computed, nil
	case !l.ChargesVAT:
		return refuse("must be left out: the document charges none where the buyer computes it")
	case l.Rate.IsZero() || price.IsZero():
		return refuse("must be 0: %s at %s %% has none", price, l.Rate)
	case !isRounding(vat.Sub(computed.VAT), inGroup):
		return refuse("is %s, but %s %% comes to %s; %s", vat, l.Rate, computed.VAT, allowance(inGroup, c))
	case vat.Sign()*price.Sign() < 0 || (l.PriceIncludesVAT && vat.Abs().Cmp(price.Abs()) > 0):
		return refuse("%s does not fit the price %s", vat, price)
	case l.PriceIncludesVAT:
		return Sums{Net: price.Sub(vat), VAT: vat, Gross: price}, nil
	}
	return Sums{Net: price, VAT: vat, Gross: price.Add(vat)}, nil
}

// isRounding reports a difference that rounding each of some lines can make.
func isRounding(off money.Amount, lines int) bool { return off.Abs().Minor() <= int64(lines) }

func allowance(lines int, c money.Currency) string {
	return fmt.Sprintf("rounding explains %s %s at most, so check price and rate", money.New(int64(lines), c), c)
}

func lastStated(members []int, stated []*money.Decimal) int {
	last := members[0]
	for _, i := range members {
		if stated[i] != nil {
			last = i
		}
	}
	return last
}
