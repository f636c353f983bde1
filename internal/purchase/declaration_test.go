package purchase_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func (b *books) customs(t *testing.T) tenant.ID {
	t.Helper()
	return b.partner(t, partner.Fields{Name: new("Muitinė"), Address: &partner.Address{CountryCode: "LT"}})
}

// declaration is a customs declaration with the lines given.
func (b *books) declaration(t *testing.T, number string, lines ...purchase.LineInput) purchase.CreateInput {
	t.Helper()
	in := b.invoice(number, lines...)
	in.PartnerID = b.customs(t)
	return in
}

// TestDeclarationPosts: the value of the goods is the foreign supplier's to charge, so customs are owed VAT and duties alone; VAT that
// VMI offsets is owed to nobody, and due and deducted at once.
func TestDeclarationPosts(t *testing.T) {
	t.Parallel()
	type lines = []purchase.LineInput
	unrated := under("PVM23", line("1000", "21"))
	unrated.VATRatePercent = nil
	for name, example := range map[string]struct {
		change           func(*tenant.Company)
		lines            lines
		posted           string
		register         []string
		net, gross, owed string
	}{
		"PaidToCustoms": {
			lines: lines{under("PVM23", line("1000", "21"))}, posted: "Dr 2441 210.00 / Cr 4430 210.00",
			register: []string{"SF PVM23 1000.00 21% 210.00"}, net: "0.00", gross: "210.00", owed: "210.00",
		},
		"StandardRateByDefault": {
			lines: lines{unrated}, posted: "Dr 2441 210.00 / Cr 4430 210.00",
			register: []string{"SF PVM23 1000.00 21% 210.00"}, net: "0.00", gross: "210.00", owed: "210.00",
		},
		"WithDuty": {
			lines:    lines{under("PVM23", line("1000", "21")), account("2040", line("47.50", "0"))},
			posted:   "Dr 2040 47.50 / Dr 2441 210.00 / Cr 4430 257.50",
			register: []string{"SF PVM23 1000.00 21% 210.00"}, net: "47.50", gross: "257.50", owed: "257.50",
		},
		"TwoRates": {
			lines:  lines{under("PVM23", line("1000", "21")), under("PVM23", line("200", "5"))},
			posted: "Dr 2441 220.00 / Cr 4430 220.00", register: []string{"SF PVM23 1000.00 21% 210.00", "SF PVM23 200.00 5% 10.00"},
			net: "0.00", gross: "220.00", owed: "220.00",
		},
		"OffsetByVMI": {
			lines: lines{under("PVM24", line("1000", "21"))}, posted: "Dr 2441 210.00 / Cr 4492 210.00",
			register: []string{"SF PVM24 1000.00 21% 210.00"}, net: "0.00", gross: "210.00",
		},
		"OffsetWithDuty": {
			lines:    lines{under("PVM24", line("1000", "21")), account("2040", line("47.50", "0"))},
			posted:   "Dr 2040 47.50 / Dr 2441 210.00 / Cr 4492 210.00 / Cr 4430 47.50",
			register: []string{"SF PVM24 1000.00 21% 210.00"}, net: "47.50", gross: "257.50", owed: "47.50",
		},
		"AsCustomsStateIt": {
			lines: lines{under("PVM24", stating("210.01", line("1000", "21")))}, posted: "Dr 2441 210.01 / Cr 4492 210.01",
			register: []string{"SF PVM24 1000.00 21% 210.01"}, net: "0.00", gross: "210.01",
		},
		"CompanyWithoutVAT": {
			change: notPayer, lines: lines{account("2040", under("PVM23", line("1000", "21")))}, posted: "Dr 2040 210.00 / Cr 4430 210.00",
			register: []string{}, net: "0.00", gross: "210.00", owed: "210.00",
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
				i := b.book(t, b.declaration(t, "26LTVR100000000001", example.lines...))
				require.Equal(t, example.posted, b.posted(t, i))
				require.Equal(t, example.register, b.registered(t, i.ID))
				require.Equal(t, []string{example.net, example.gross}, []string{i.Net().String(), i.Gross().String()})
				item := b.owed(t, i.ID)
				if example.owed == "" {
					require.Nil(t, item)
					require.Equal(t, purchase.PaymentPaid, i.PaymentStatus(), "nothing is owed to customs")
				} else {
					require.Equal(t, ledger.ItemPayable, item.Kind)
					require.Equal(t, example.owed, item.Amount().String())
				}
				b.RequireBalanced(t)
			})
		})
	}
}

// TestDeclarationIsCorrected: a decision of customs that lowers the VAT is a credit note under the same code.
func TestDeclarationIsCorrected(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		paid := b.book(t, b.declaration(t, "26LT1", under("PVM23", line("1000", "21"))))
		note := b.book(t, b.credit("26LT1-1", paid, under("PVM23", line("100", "21"))))
		require.Equal(t, "Cr 2441 21.00 / Dr 4430 21.00", b.posted(t, note))
		require.Equal(t, []string{"KS PVM23 -100.00 21% -21.00"}, b.registered(t, note.ID))
		require.Equal(t, "189.00", b.owed(t, paid.ID).Open().String())

		offset := b.book(t, b.declaration(t, "26LT2", under("PVM24", line("1000", "21")), line("10", "0")))
		_, err := b.tryCreate(t, b.credit("26LT2-1", offset, under("PVM23", line("100", "21"))))
		requireField(t, err, purchase.ErrCreditedInvoice, "creditedInvoiceId")
		note = b.book(t, b.credit("26LT2-1", offset, under("PVM24", line("100", "21")), line("4", "0")))
		require.Equal(t, "Cr 6300 4.00 / Cr 2441 21.00 / Dr 4492 21.00 / Dr 4430 4.00", b.posted(t, note))
		require.Nil(t, b.owed(t, note.ID), "the duty was set off, the VAT is nobody's debt")
		require.Equal(t, "6.00", b.owed(t, offset.ID).Open().String())
		more := b.create(t, b.credit("26LT2-2", offset, under("PVM24", line("1000", "21"))))
		_, err = b.tryRegister(t, more.ID, "")
		require.ErrorIs(t, err, purchase.ErrOverCredited)

		in := b.declaration(t, "26LT2-3", under("PVM24", line("50", "21")))
		in.PartnerID, in.CreditedInvoiceID = offset.PartnerID, &offset.ID
		require.Equal(t, []string{"DS PVM24 50.00 21% 10.50"}, b.registered(t, b.book(t, in).ID))
		b.RequireBalanced(t)
	})
}

func TestDeclarationRefuses(t *testing.T) {
	t.Parallel()
	b, small := open(t, testkit.SQLite(t)), open(t, testkit.SQLite(t), notPayer)
	inc := b.partner(t, partner.Fields{Name: new("Inc."), Address: &partner.Address{CountryCode: "US"}})
	incl := under("PVM23", line("121", "21"))
	incl.UnitPriceExclVAT, incl.UnitPriceInclVAT = nil, incl.UnitPriceExclVAT
	goods := under("PVM23", line("1000", "21"))
	for name, example := range map[string]struct {
		books  *books
		change func(*purchase.CreateInput)
		code   error
		field  string
	}{
		"ForeignSupplier":  {b, func(in *purchase.CreateInput) { in.PartnerID = inc }, purchase.ErrVAT, "lines.0.vatClassifierCode"},
		"RateThatEnded":    {b, func(in *purchase.CreateInput) { in.Lines[0].VATRatePercent = new(money.MustDecimal("9")) }, purchase.ErrVAT, "lines.0.vatClassifierCode"},
		"RateOfNothing":    {b, func(in *purchase.CreateInput) { in.Lines[0].VATRatePercent = new(money.Decimal{}) }, purchase.ErrVAT, "lines.0.vatClassifierCode"},
		"PriceWithVAT":     {b, func(in *purchase.CreateInput) { in.Lines[0] = incl }, apperr.ErrValidation, "lines.0.unitPriceInclVat"},
		"NegativeValue":    {b, func(in *purchase.CreateInput) { in.Lines = append(in.Lines, under("PVM23", line("-1", "21"))) }, purchase.ErrDeclaration, "lines.1.unitPriceExclVat"},
		"BothCodes":        {b, func(in *purchase.CreateInput) { in.Lines = append(in.Lines, under("PVM24", line("1", "21"))) }, purchase.ErrDeclaration, "lines.0.vatClassifierCode"},
		"CarriersService":  {b, func(in *purchase.CreateInput) { in.Lines = append(in.Lines, line("20", "21")) }, purchase.ErrDeclaration, "lines.1.vatClassifierCode"},
		"ReverseCharge":    {b, func(in *purchase.CreateInput) { in.Lines = append(in.Lines, under("PVM25", line("20", "0"))) }, purchase.ErrDeclaration, "lines.1.vatClassifierCode"},
		"OffsetOfNoPayer":  {small, func(in *purchase.CreateInput) { in.Lines[0].VATClassifierCode = "PVM24" }, purchase.ErrVAT, "lines.0.vatClassifierCode"},
		"TypingErrorInVAT": {b, func(in *purchase.CreateInput) { in.Lines[0] = stating("201", goods) }, purchase.ErrStatedVAT, "lines.0.statedVat"},
	} {
		in := example.books.declaration(t, "26LT9", goods)
		example.change(&in)
		_, err := example.books.tryCreate(t, in)
		require.Error(t, err, name)
		requireField(t, err, example.code, example.field)
	}

	// Duties that were lowered may not turn what is offset into a debt of customs.
	draft := b.create(t, b.declaration(t, "26LT8", under("PVM24", line("1000", "21")), line("-5", "0")))
	_, err := b.tryRegister(t, draft.ID, "")
	require.ErrorIs(t, err, purchase.ErrAmount)
}
