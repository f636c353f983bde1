package cash

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

func TestPortion(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		rows        amounts
		part, whole int64
		want        amounts
	}{
		"AllIsAll":                    {amounts{10000, 2100}, 12100, 12100, amounts{10000, 2100}},
		"HalfIsHalf":                  {amounts{10000, 2100}, 6050, 12100, amounts{5000, 1050}},
		"NetAndVATComeToThePayment":   {amounts{10000, 2100}, 5000, 12100, amounts{4132, 868}},
		"ACentGoesToTheLargerShare":   {amounts{10000, 2100}, 1, 12100, amounts{1, 0}},
		"CodesAreDividedAlike":        {amounts{10000, 2100, 10000, 500}, 11300, 22600, amounts{5000, 1050, 5000, 250}},
		"NotesAreNegative":            {amounts{-10000, -2100}, 5000, 12100, amounts{-4132, -868}},
		"ForeignCurrencyIsInTheBase":  {amounts{9091, 1909}, 6050, 12100, amounts{4546, 954}},
		"WhatIsNotTaxedTakesItsShare": {amounts{10000, 2100}, 10000, 20000, amounts{5000, 1050}},
		"MixedSigns":                  {amounts{10000, 2100, -1000, -50}, 5525, 11050, amounts{5000, 1050, -500, -25}},
		"NothingIsNothing":            {amounts{10000, 2100}, 0, 12100, amounts{0, 0}},
		"NothingOfNothing":            {amounts{0, 0}, 100, 0, amounts{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, example.want, example.rows.portion(example.part, example.whole, money.EUR))
		})
	}
}

// TestDivision pays any document in any parts, gives some back, and pays the rest: what all payments brought is the document to the
// cent, and no part of it is ever above its row.
func TestDivision(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		sign := rapid.SampledFrom([]int64{1, -1}).Draw(rt, "sign")
		var rows amounts
		for range rapid.IntRange(1, 4).Draw(rt, "rows") {
			rows = append(rows, sign*rapid.Int64Range(0, 1_000_000).Draw(rt, "net"), sign*rapid.Int64Range(0, 210_000).Draw(rt, "VAT"))
		}
		whole := rapid.Int64Range(1, 2_000_000).Draw(rt, "whole")
		d := newDivision(rows, whole, money.EUR)
		brought := make(amounts, len(rows))
		var sources []tenant.ID
		var paid []int64
		within := func() {
			for i := range rows {
				low, high := min(0, rows[i]), max(0, rows[i])
				require.True(rt, low <= brought[i] && brought[i] <= high, "row %d: %d of %d", i, brought[i], rows[i])
				require.Equal(rt, rows[i], brought[i]+d.rest[i])
			}
		}
		for range rapid.IntRange(0, 6).Draw(rt, "steps") {
			if len(paid) > 0 && rapid.Bool().Draw(rt, "back") {
				last := len(paid) - 1
				before := d.bySource[sources[last]].parts
				back := d.payBack(sources[last], paid[last])
				require.Equal(rt, before.neg(), back, "a payment is taken back as it was")
				brought = brought.add(back)
				sources, paid = sources[:last], paid[:last]
			} else if d.open > 0 {
				minor := rapid.Int64Range(1, d.open).Draw(rt, "minor")
				sources, paid = append(sources, tenant.NewID()), append(paid, minor)
				brought = brought.add(d.pay(sources[len(sources)-1], minor))
			}
			within()
		}
		if d.open > 0 {
			brought = brought.add(d.pay(tenant.NewID(), d.open))
		}
		require.Equal(rt, rows, brought)
	})
}

func TestMoneyBackOfAnAdvance(t *testing.T) {
	t.Parallel()
	d := newDivision(amounts{10000, 2100}, 12100, money.EUR)
	d.setOff(12100, amounts{10000, 2100})
	require.Equal(t, amounts{-5000, -1050}, d.payBack(tenant.NewID(), 6050), "the document tells what an advance had paid")
	require.Equal(t, amounts{5000, 1050}, d.pay(tenant.NewID(), 6050))
}
