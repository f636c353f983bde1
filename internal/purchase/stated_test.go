package purchase_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// stating gives a line the VAT that stands on the document.
func stating(vat string, l purchase.LineInput) purchase.LineInput {
	l.StatedVAT = new(money.MustDecimal(vat))
	return l
}

func requireField(t *testing.T, err, code error, field string) {
	t.Helper()
	require.ErrorIs(t, err, code)
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	require.Contains(t, refusal.Fields(), field)
}

// TestStatedVATIsBooked: the amount on paper is what is owed, deducted and recorded, whatever the rate comes to.
func TestStatedVATIsBooked(t *testing.T) {
	t.Parallel()
	type lines = []purchase.LineInput
	incl := line("121", "21")
	incl.UnitPriceExclVAT, incl.UnitPriceInclVAT = nil, incl.UnitPriceExclVAT
	for name, example := range map[string]struct {
		supplier string
		change   func(*tenant.Company)
		lines    lines
		posted   string
		register []string
	}{
		"ACentMore": {
			lines: lines{stating("21.01", line("100", "21"))}, posted: "Dr 6300 100.00 / Dr 2441 21.01 / Cr 4430 121.01",
			register: []string{"SF nil 100.00 21% 21.01"},
		},
		"PriceWithVAT": {
			lines: lines{stating("20.99", incl)}, posted: "Dr 6300 100.01 / Dr 2441 20.99 / Cr 4430 121.00", register: []string{"SF nil 100.01 21% 20.99"},
		},
		"TwoRates": {
			lines:  lines{stating("21.01", line("100", "21")), line("100", "5"), stating("5.01", line("100", "5"))},
			posted: "Dr 6300 100.00 / Dr 6300 100.00 / Dr 6300 100.00 / Dr 2441 31.02 / Cr 4430 331.02", register: []string{"SF nil 100.00 21% 21.01", "SF nil 200.00 5% 10.01"},
		},
		"NamedCode": {
			lines: lines{under("PVM1", stating("21.01", line("100", "21")))}, posted: "Dr 6300 100.00 / Dr 2441 21.01 / Cr 4430 121.01",
			register: []string{"SF PVM1 100.00 21% 21.01"},
		},
		"VATThatIsCost": {
			lines:  lines{under("PVM32", stating("21.01", line("100", "21"))), account("2040", under("PVM32", line("100", "21")))},
			posted: "Dr 6300 121.01 / Dr 2040 121.00 / Cr 4430 242.01", register: []string{"SF PVM32 200.00 21% 42.01"},
		},
		"ForeignVAT": {
			supplier: "DE999999999", lines: lines{under("PVM48", stating("19.01", line("100", "19")))}, posted: "Dr 6300 119.01 / Cr 4430 119.01",
			register: []string{"SF PVM48 100.00 19% 19.01"},
		},
		"CompanyWithoutVAT": {
			change: notPayer, lines: lines{stating("21.01", line("100", "21"))}, posted: "Dr 6300 121.01 / Cr 4430 121.01", register: []string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
				changes := []func(*tenant.Company){}
				if example.change != nil {
					changes = append(changes, example.change)
				}
				b := open(t, e, changes...)
				in := b.invoice("A1", example.lines...)
				if example.supplier != "" {
					in.PartnerID = b.partner(t, partner.Fields{Name: new("GmbH"), VATCode: &example.supplier})
				}
				i := b.book(t, in)
				require.Equal(t, example.posted, b.posted(t, i))
				require.Equal(t, example.register, b.registered(t, i.ID))
				require.Equal(t, i.Gross(), b.owed(t, i.ID).Amount())
				for n, l := range i.Card().Lines {
					require.Equal(t, example.lines[n].StatedVAT != nil, l.StatedVAT != nil, "line %d", n)
				}
				b.RequireBalanced(t)
			})
		})
	}
}

// TestStatedVATIsCredited: a note states what the invoice stated, takes it back to the cent, and nothing is left to credit.
func TestStatedVATIsCredited(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1", stating("20.99", line("100", "21"))))
		draft := b.create(t, b.credit("2", i, line("100", "21")))
		_, err := b.tryRegister(t, draft.ID, "")
		require.ErrorIs(t, err, purchase.ErrOverCredited, "the rate comes to a cent more than the invoice has")
		note := b.book(t, b.credit("3", i, stating("20.99", line("100", "21"))))
		require.Equal(t, "Cr 6300 100.00 / Cr 2441 20.99 / Dr 4430 120.99", b.posted(t, note))
		require.Equal(t, []string{"KS nil -100.00 21% -20.99"}, b.registered(t, note.ID))
		require.True(t, b.owed(t, i.ID).Settled())
		b.RequireBalanced(t)
	})
}

// TestStatedVATInForeignCurrency: what the document states is in its currency, and the register has it at the rate of the day.
func TestStatedVATInForeignCurrency(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, _, err := fx.Set(ctx, tx, usd, date.MustParse("2026-01-19"), money.MustDecimal("1.09"))
			return err
		})
		in := b.invoice("1", stating("7.01", line("33.33", "21")), line("33.33", "21"), stating("7.01", line("33.33", "21")))
		in.Currency = usd
		i := b.book(t, in)
		require.Equal(t, "Dr 6300 33.33 USD = 30.58 / Dr 6300 33.33 USD = 30.58 / Dr 6300 33.33 USD = 30.57 / "+
			"Dr 2441 21.02 USD = 19.28 / Cr 4430 121.01 USD = 111.01", b.posted(t, i))
		require.Equal(t, []string{"SF nil 91.73 21% 19.28"}, b.registered(t, i.ID))
		b.RequireBalanced(t)
	})
}

// TestStatedVATOfADraft stays with its lines until they are replaced, and is checked again with every change.
func TestStatedVATOfADraft(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, b.invoice("1", stating("21.01", line("100", "21"))))
		require.Equal(t, draft, b.get(t, draft.ID))
		changed, err := b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID, Notes: new("Pastaba")})
		require.NoError(t, err)
		require.Equal(t, "121.01", changed.Gross().String())
		_, err = b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID, Currency: money.MustCurrency("JPY")})
		requireField(t, err, purchase.ErrStatedVAT, "lines.0.statedVat")
		changed, err = b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID, Lines: []purchase.LineInput{line("100", "21")}})
		require.NoError(t, err)
		require.Equal(t, "121.00", changed.Gross().String())
		require.Nil(t, changed.Card().Lines[0].StatedVAT)
	})
}

func TestStatedVATIsRefused(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	german := b.partner(t, partner.Fields{Name: new("GmbH"), VATCode: new("DE999999999")})
	for name, example := range map[string]struct {
		supplier *tenant.ID
		line     purchase.LineInput
	}{
		"TwoCents":          {nil, stating("2.12", line("10", "21"))},
		"ATypingError":      {nil, stating("21", line("10", "21"))},
		"NoVATAtZero":       {nil, under("PVM5", stating("0.01", line("10", "0")))},
		"BuyerComputes":     {nil, under("PVM25", stating("2.10", line("10", "0")))},
		"FromTheEU":         {&german, stating("2.10", line("10", "0"))},
		"PartOfACent":       {nil, stating("2.105", line("10", "21"))},
		"AgainstThePrice":   {nil, stating("-0.01", line("0.02", "21"))},
		"NothingFromAPrice": {nil, stating("0", line("10", "21"))},
	} {
		in := b.invoice("1", line("5", "5"), example.line)
		if example.supplier != nil {
			in = b.invoice("1", line("5", "0"), example.line)
			in.PartnerID = *example.supplier
		}
		_, err := b.tryCreate(t, in)
		require.Error(t, err, name)
		requireField(t, err, purchase.ErrStatedVAT, "lines.1.statedVat")
	}
}
