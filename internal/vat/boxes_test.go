package vat_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/vat"
)

// TestBoxesFollowTheForm has what the captions and the script of FR0600 say of every code, beside the table of the specification:
// values of sales are in boxes 11 to 20 and those of purchases in 21 to 24; VAT that is deducted is in exactly one of 25, 26 and 27;
// who computes VAT for a seller deducts it too; and a seller under Art 96 has box 12 alone.
func TestBoxesFollowTheForm(t *testing.T) {
	t.Parallel()
	sales := []vat.Box{"11", "12", "13", "14", "15", "16", "17", "18", "19", "20"}
	acquisitions := []vat.Box{"21", "22", "23", "24"}
	salesVAT := []vat.Box{"29", "29A", "30", "31"}
	count := func(boxes []vat.Box, of ...vat.Box) (n int) {
		for _, b := range boxes {
			if slices.Contains(of, b) {
				n++
			}
		}
		return n
	}
	for _, c := range vat.Codes() {
		sale, purchase := c.SaleBoxes, c.PurchaseBoxes
		require.Equal(t, len(sale.Base), count(sale.Base, sales...), c.Code)
		require.Equal(t, len(sale.VAT), count(sale.VAT, salesVAT...), c.Code)
		require.LessOrEqual(t, len(sale.Base), 1, c.Code)
		require.LessOrEqual(t, len(sale.VAT), 1, c.Code)
		if slices.Contains(sale.Base, "12") {
			require.Empty(t, sale.VAT, c.Code)
		}
		if c.HasRate && len(sale.VAT) == 1 {
			require.Equal(t, map[string]vat.Box{"21": "29", "12": "29A", "9": "30", "5": "31"}[c.Rate.String()], sale.VAT[0], c.Code)
		}

		require.Equal(t, len(purchase.Base), count(purchase.Base, acquisitions...), c.Code)
		require.Equal(t, count(purchase.VAT, "35"), count(purchase.VAT, "25", "26", "27"), c.Code)
		require.LessOrEqual(t, count(purchase.VAT, "25", "26", "27"), 1, "%s: input VAT and import VAT are apart", c.Code)
		if owed := count(purchase.VAT, "32", "33", "34"); owed > 0 {
			require.Equal(t, []int{1, 1}, []int{owed, count(purchase.VAT, "25")}, "%s: what the buyer owes is deducted", c.Code)
		}
		require.Equal(t, slices.Contains(purchase.Base, "21"), slices.Contains(purchase.VAT, "34"), "%s: 21 only with 34", c.Code)
		if slices.Contains(purchase.VAT, "33") {
			require.Empty(t, purchase.Base, "%s: the buyer under Art 96 has no box for the value", c.Code)
		}
		if slices.Contains(purchase.Base, "24") {
			require.Contains(t, purchase.Base, vat.Box("23"), "%s: 24 is a part of 23", c.Code)
		}
	}
}
