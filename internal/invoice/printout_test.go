package invoice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
)

func (b *books) printout(t *testing.T, id tenant.ID) *invoice.Printout {
	t.Helper()
	var p *invoice.Printout
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		p, err = invoice.ReadPrintout(ctx, r, id)
		return err
	})
	return p
}

func (b *books) pdf(t *testing.T, id tenant.ID) []byte {
	t.Helper()
	var out *document.PDF
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		out, err = document.Make(ctx, r, id, document.Lithuanian)
		return err
	})
	return out.Content
}

func work(price, code string) invoice.LineInput {
	amount := money.MustDecimal(price)
	return invoice.LineInput{Description: "Darbas", UnitPriceExclVAT: &amount, VATClassifierCode: code}
}

// An issued invoice reads the same whatever becomes of its parties; a draft names them as they stand.
func TestIssuedInvoiceKeepsItsParties(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		city := "Vilnius"
		b := open(t, e, func(c *tenant.Company) { c.City = &city })
		issued := b.issue(t, invoice.CreateInput{Lines: []invoice.LineInput{work("100", "")}})
		draft := b.create(t, invoice.CreateInput{Lines: []invoice.LineInput{work("100", "")}})
		before, draftBefore := b.pdf(t, issued.ID), b.pdf(t, draft.ID)
		require.Equal(t, before, b.pdf(t, issued.ID), "the same bytes each time")

		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := partner.Update(ctx, tx, b.buyer.ID, partner.Fields{Name: new("UAB Kitas"), Code: new("900000105")})
			require.NoError(t, err)
			c := tx.Company()
			c.Name, c.City = "UAB Perkelta", new("Kaunas")
			return tenant.UpdateCompany(ctx, tx, c, "name", "city")
		})
		p := b.printout(t, issued.ID)
		require.Equal(t, []string{"UAB Bandymas", "Vilnius", "LT"}, []string{p.Seller.Name, p.Seller.City, p.Seller.CountryCode})
		require.Equal(t, []string{"UAB Pirmas", "900000219", "LT999000010116"}, []string{p.Buyer.Name, p.Buyer.Code, p.Buyer.VATCode})
		require.Equal(t, before, b.pdf(t, issued.ID))
		require.Equal(t, "UAB Kitas", b.printout(t, draft.ID).Buyer.Name)
		require.Equal(t, "Kaunas", b.printout(t, draft.ID).Seller.City)
		require.NotEqual(t, draftBefore, b.pdf(t, draft.ID))
	})
}

// What was issued before parties were kept, or by a server of the release before, names them as they stand.
func TestIssuedBeforePartiesWereKept(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t) // on SQLite a trigger refuses to take the parties out again
	b := open(t, e)
	issued := b.issue(t, invoice.CreateInput{Lines: []invoice.LineInput{work("100", "")}})
	_, err := e.Admin.Writer().ExecContext(t.Context(), "UPDATE sales_invoices SET parties = NULL WHERE company_id = ? AND id = ?",
		b.Scope.Company().ID, issued.ID)
	require.NoError(t, err)
	p := b.printout(t, issued.ID)
	require.Equal(t, []string{"UAB Bandymas", "UAB Pirmas"}, []string{p.Seller.Name, p.Buyer.Name})
}

// The VAT in euro is that of the register, from which returns are computed.
func TestPrintedVATIsThatOfTheRegister(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.rate(t, "USD", "2026-01-31", "1.0819")
		issued := b.issue(t, invoice.CreateInput{
			Currency: money.MustCurrency("USD"), Lines: []invoice.LineInput{work("100.10", "PVM1"), work("33.33", "PVM3"), work("7.77", "PVM1")},
		})
		p := b.printout(t, issued.ID)
		require.Equal(t, "1.0819", p.ExchangeRate.String())
		require.Len(t, p.Groups, 2)
		require.Equal(t, []string{"PVM1", "107.87", "22.65", "20.94"}, []string{p.Groups[0].Code, p.Groups[0].Net.String(), p.Groups[0].VAT.String(), p.Groups[0].BaseVAT.String()})
		require.Equal(t, []string{"PVM3", "33.33", "1.67", "1.54"}, []string{p.Groups[1].Code, p.Groups[1].Net.String(), p.Groups[1].VAT.String(), p.Groups[1].BaseVAT.String()})

		note, err := b.credit(t.Context(), issued.ID)
		require.NoError(t, err)
		credited := b.printout(t, note.ID)
		require.Equal(t, *issued.FullNumber, credited.Adjusts.FullNumber)
		require.Equal(t, "20.94", credited.Groups[0].BaseVAT.String(), "without a sign: the document says what it is")

		reverse := b.issue(t, invoice.CreateInput{VATScheme: vat.SchemeReverseCharge, Lines: []invoice.LineInput{work("100", "PVM25")}})
		require.Equal(t, "0.00", b.printout(t, reverse.ID).Groups[0].BaseVAT.String())
	})
}

func TestPrintoutOfAdvancesAndCancellation(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		advance := b.issue(t, invoice.CreateInput{Type: invoice.TypeAdvance, Lines: []invoice.LineInput{work("40", "")}})
		issued := b.issue(t, invoice.CreateInput{Lines: []invoice.LineInput{work("100", "")}})
		_, err := b.tryApply(t.Context(), invoice.ApplyAdvanceInput{AdvanceID: advance.ID, InvoiceID: issued.ID})
		require.NoError(t, err)
		p := b.printout(t, issued.ID)
		require.Len(t, p.Advances, 1)
		require.Equal(t, []string{*advance.FullNumber, "40.00", "8.40"}, []string{p.Advances[0].FullNumber, p.Advances[0].Net.String(), p.Advances[0].VAT.String()})
		require.Equal(t, date.MustParse("2026-01-31"), p.Advances[0].IssueDate)

		other := b.issue(t, invoice.CreateInput{Lines: []invoice.LineInput{work("100", "")}})
		before := b.pdf(t, other.ID)
		b.pay(t, other.ID, "50.00")
		require.Equal(t, before, b.pdf(t, other.ID), "a payment changes nothing on paper")
		cancelled := b.issue(t, invoice.CreateInput{Lines: []invoice.LineInput{work("100", "")}})
		before = b.pdf(t, cancelled.ID)
		_, err = b.tryCancel(t.Context(), cancelled.ID)
		require.NoError(t, err)
		require.False(t, b.printout(t, cancelled.ID).CancelledAt.IsZero())
		require.NotEqual(t, before, b.pdf(t, cancelled.ID))
	})
}
