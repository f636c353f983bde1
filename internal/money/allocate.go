package money

import (
	"fmt"
	"sort"

	"github.com/shopspring/decimal"
)

// allocationPlaces is the precision of a share in minor units. Shares are fractions over a sum of int64 weights, so two
// different remainders differ by more than 10^-38 and ones that are equal stay equal.
const allocationPlaces = 40

// Allocate splits a in proportion to weights by the largest remainder: the parts add up to a exactly, and of equal remainders
// the earlier part gets the minor unit. When all weights are 0 the first part gets everything. No weights and a negative
// weight panic.
func (a Amount) Allocate(weights []int64) []Amount {
	if len(weights) == 0 {
		panic("money: allocating to no one")
	}
	sum := decimal.Zero
	for _, w := range weights {
		if w < 0 {
			panic(fmt.Sprintf("money: allocating by the negative weight %d", w))
		}
		sum = sum.Add(decimal.NewFromInt(w))
	}
	if sum.IsZero() {
		parts := make([]Amount, len(weights))
		for i := range parts {
			parts[i] = Zero(a.currency)
		}
		parts[0] = a
		return parts
	}
	shares := make([]decimal.Decimal, len(weights))
	for i, w := range weights {
		shares[i] = decimal.NewFromInt(a.minor).Mul(decimal.NewFromInt(w)).DivRound(sum, allocationPlaces)
	}
	return spread(a, shares)
}

// Spread rounds exact shares, in major units, so that they add up to total: each part is its share rounded down or up to the
// next minor unit, by the largest remainder, and of equal remainders the earlier part moves. Shares may have mixed signs;
// negating total and shares negates the parts. A total that is not the sum of the shares up to rounding panics.
func Spread(total Amount, shares []Decimal) []Amount {
	inMinor := make([]decimal.Decimal, len(shares))
	for i, s := range shares {
		inMinor[i] = s.value.Shift(int32(total.currency.minorUnits))
	}
	return spread(total, inMinor)
}

// spread works on the mirror image of negative totals, so that the same documents with opposite signs get opposite parts.
func spread(total Amount, shares []decimal.Decimal) []Amount {
	if !mirrored(total, shares) {
		return spreadUpward(total, shares)
	}
	negated := make([]decimal.Decimal, len(shares))
	for i, s := range shares {
		negated[i] = s.Neg()
	}
	parts := spreadUpward(total.Neg(), negated)
	for i := range parts {
		parts[i] = parts[i].Neg()
	}
	return parts
}

func mirrored(total Amount, shares []decimal.Decimal) bool {
	if !total.IsZero() {
		return total.IsNegative()
	}
	for _, s := range shares {
		if !s.IsZero() {
			return s.IsNegative()
		}
	}
	return false
}

func spreadUpward(total Amount, shares []decimal.Decimal) []Amount {
	parts := make([]Amount, len(shares))
	remainders := make([]decimal.Decimal, len(shares))
	order := make([]int, len(shares))
	left := total.minor
	for i, s := range shares {
		floor := s.Floor()
		parts[i] = New(floor.IntPart(), total.currency)
		remainders[i] = s.Sub(floor)
		order[i] = i
		left -= floor.IntPart()
	}
	if left < 0 || left > int64(len(shares)) {
		panic(fmt.Sprintf("money: %s %s is not the sum of the shares it is spread over", total, total.currency))
	}
	sort.SliceStable(order, func(i, j int) bool { return remainders[order[i]].Cmp(remainders[order[j]]) > 0 })
	for _, i := range order[:left] {
		parts[i].minor++
	}
	return parts
}
