package fr0600_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// TestReturnLaws: whatever is in the register, each box is rounded once from cents, box 36 comes from rounded boxes and has box 27
// (66, 70, 77), box 35 is the share of all input VAT while box 25 stays gross (67), and what is in the return balances.
func TestReturnLaws(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t).At(later)
	codes := vat.Codes()
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 600))
		c := e.Company(t, taxpayer)
		var facts []fact
		for range 1 + random.IntN(30) {
			code := codes[random.IntN(len(codes))]
			// Fifties of a cent meet the halves of a euro often.
			amount := func() string {
				return strconv.Itoa(random.IntN(400)-100) + []string{".00", ".50", ".49", ".01"}[random.IntN(4)]
			}
			facts = append(facts, fact{
				[]register.Direction{sales, purchases}[random.IntN(2)], "2026-05-" + strconv.Itoa(10+random.IntN(20)), code.Code, "", amount(), amount(), nil,
			})
		}
		record(t, c, facts...)
		percent := random.IntN(101)
		ret := compute(t, c, period(t, 2026, 5, 1), percent)
		whole := ret.Whole
		require.Equal(t, whole("27")+whole("29")+whole("29A")+whole("30")+whole("31")+whole("32")+whole("33")+whole("34")-whole("35"), whole("36"))
		input := ret.Exact("25").Add(ret.Exact("26")).Add(ret.Exact("27"))
		share := input.Mul(money.DecimalFromInt(int64(ret.DeductionPercent))).Div(money.DecimalFromInt(100), 4)
		require.Equal(t, share.String(), ret.Exact("35").String(), "at %d %%", percent)
		for _, v := range ret.Boxes {
			if v.Box == "28" || v.Box == "36" {
				continue
			}
			off := money.DecimalFromInt(v.Whole).Sub(v.Exact)
			half := money.MustDecimal("0.5")
			require.LessOrEqual(t, off.Cmp(half), 0, "box %s: %s", v.Box, v.Exact)
			require.GreaterOrEqual(t, off.Cmp(half.Neg()), 0, "box %s: %s", v.Box, v.Exact)
			if off.Cmp(half) == 0 {
				require.Positive(t, v.Exact.Sign(), "a half goes away from zero: box %s", v.Box)
			}
			if off.Cmp(half.Neg()) == 0 {
				require.Negative(t, v.Exact.Sign(), "a half goes away from zero: box %s", v.Box)
			}
		}
	}
}
