package payout_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/testkit"
)

// TestAnyFileBalances imports and posts drawn files, one after another in the same books: the bank has the net of all of them.
func TestAnyFileBalances(t *testing.T) {
	t.Parallel()
	b := newBooks(t, testkit.SQLite(t))
	for i := range 5 {
		b.invoice(t, fmt.Sprintf("SF%d00", i), "50.00")
	}
	serial, total := 0, int64(0)
	rapid.Check(t, func(r *rapid.T) {
		serial++
		rows, net := []string{}, int64(0)
		for i := range rapid.IntRange(1, 8).Draw(r, "lines") {
			gross, fee := rapid.Int64Range(-9999, 9999).Draw(r, "gross"), rapid.Int64Range(-99, 99).Draw(r, "fee")
			rows = append(rows, row(fmt.Sprint("po_", serial), fmt.Sprint("t", serial, "-", i),
				rapid.SampledFrom([]string{"charge", "refund", "dispute", "fee"}).Draw(r, "category"), gross, fee,
				rapid.SampledFrom([]string{"", "ch_1", "ch_2"}).Draw(r, "charge"),
				rapid.SampledFrom([]string{"", "SF000", "SF100", "SF400"}).Draw(r, "text")))
			net += gross - fee
		}
		s := b.load(t, rows...).Settlements[0]
		require.Equal(t, net, s.NetMinor)
		b.post(t, s.ID)
		total += net
		require.Equal(t, money.New(total, money.EUR).String(), b.balance(t, "2710"))
	})
	b.sound(t)
}
