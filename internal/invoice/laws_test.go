package invoice

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

func drawLines(t *rapid.T) []LineContent {
	code := "PVM1"
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) LineContent {
		cents := money.DecimalFromInt(rapid.Int64Range(1, 99_999).Draw(t, "price")).Div(money.DecimalFromInt(10_000), 4)
		return LineContent{
			Description: "x", Quantity: money.DecimalFromInt(rapid.Int64Range(1, 300).Draw(t, "quantity")), UnitPrice: cents,
			PriceIncludesVAT: rapid.Bool().Draw(t, "gross"), VATRate: money.MustDecimal("21"), VATCode: &code,
		}
	}), 1, 4).Draw(t, "lines")
}

func newDraft(kind Type, lines []LineContent) *draft {
	d := &draft{taxed: true, row: draftRow{Heading: Heading{Type: kind, Currency: money.EUR, VATScheme: vat.SchemeDomestic}}}
	for _, l := range lines {
		d.add(l)
	}
	return d
}

// TestCreditsAddUp: whatever parts of an invoice are credited, and in whatever steps, no step passes what is left, net and VAT
// never fall below nothing, and crediting the rest leaves exactly nothing.
func TestCreditsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sold := newDraft(TypeInvoice, drawLines(t))
		require.NoError(t, sold.price())
		a := &adjusted{invoiceRow: invoiceRow{Heading: sold.row.Heading}, taxed: true}
		zero := money.Zero(money.EUR)
		for _, g := range sold.groups() {
			a.groups = append(a.groups, creditedGroup{group: g, creditedNet: zero, creditedVAT: zero})
		}
		book := func(d *draft) {
			for _, g := range d.groups() {
				require.False(t, g.net.IsNegative() || g.vat.IsNegative(), "%v", g)
				a.groups[0].creditedNet = a.groups[0].creditedNet.Add(g.net)
				a.groups[0].creditedVAT = a.groups[0].creditedVAT.Add(g.vat)
				left := a.groups[0].left()
				require.False(t, left.net.IsNegative() || left.vat.IsNegative(), "%v left", left)
			}
			sum := d.row.NetMinor + d.row.VATMinor
			require.Equal(t, d.row.GrossMinor, sum)
		}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			note := newDraft(TypeCreditNote, drawLines(t))
			note.adjusted = a
			before := a.left()
			if err := note.price(); err != nil {
				require.ErrorIs(t, err, ErrOverCredited)
				continue
			}
			require.LessOrEqual(t, note.row.GrossMinor, before.Minor())
			book(note)
		}
		if a.left().IsZero() {
			return
		}
		rest := newDraft(TypeCreditNote, nil)
		rest.adjusted = a
		rest.addRemainders()
		require.NoError(t, rest.price())
		book(rest)
		require.True(t, a.left().IsZero(), "%s left", a.left())
	})
}
