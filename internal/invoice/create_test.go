package invoice_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, sale(times("3", net("33.33")), coded("PVM5", net("10"))))
		stored := b.get(t, draft.ID)
		require.Equal(t, draft, stored)
		require.Equal(t, invoice.StatusDraft, stored.Status)
		require.Equal(t, invoice.TypeInvoice, stored.Type)
		require.Equal(t, vat.SchemeDomestic, stored.VATScheme)
		require.Nil(t, stored.Number)
		require.True(t, stored.IssueDate.IsZero(), "issuing decides the date")
		require.Equal(t, []string{"109.99", "21.00", "130.99"}, sums(stored))
		require.Len(t, stored.Lines, 2)
		first, second := stored.Card().Lines[0], stored.Card().Lines[1]
		require.Equal(t, "PVM1", *first.VATClassifierCode)
		require.Equal(t, "21", first.VATRatePercent.String())
		require.Equal(t, "vnt.", first.Unit)
		require.Equal(t, "3", first.Quantity.String())
		require.Equal(t, "33.33", first.UnitPriceExclVAT.String())
		require.Nil(t, first.UnitPriceInclVAT)
		require.Equal(t, "0", second.VATRatePercent.String())
		_, owed := b.item(t, draft.ID)
		require.False(t, owed)
		require.Empty(t, b.register(t, draft.ID))

		other := open(t, e)
		other.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			_, err := invoice.Get(ctx, r, draft.ID)
			require.ErrorIs(t, err, apperr.ErrNotFound)
			return nil
		})
		_, err := other.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID})
		require.ErrorIs(t, err, apperr.ErrNotFound)
		_, err = other.tryCreate(t.Context(), invoice.CreateInput{PartnerID: b.buyer.ID, Lines: []invoice.LineInput{net("1")}})
		require.ErrorIs(t, err, invoice.ErrUnknownPartner)
	})
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	proforma := b.issue(t, invoice.CreateInput{Type: invoice.TypeProforma, Lines: []invoice.LineInput{net("1")}})
	draft := b.create(t, sale(net("1")))
	long := make([]invoice.LineInput, 500)
	for i := range long {
		long[i] = net("1")
		long[i].Description = strings.Repeat("ilgas tekstas ", 50)
	}
	day := date.MustParse
	tests := map[string]struct {
		in    invoice.CreateInput
		code  *apperr.Code
		field string
	}{
		"UnknownPartner":          {invoice.CreateInput{PartnerID: tenant.NewID(), Lines: []invoice.LineInput{net("1")}}, invoice.ErrUnknownPartner, "partnerId"},
		"NoLines":                 {sale(), apperr.ErrValidation, "lines"},
		"TooManyLines":            {sale(make([]invoice.LineInput, 501)...), apperr.ErrValidation, "lines"},
		"TextsTooLongToBeStored":  {sale(long...), invoice.ErrTooLong, "lines"},
		"NoDescription":           {sale(invoice.LineInput{UnitPriceExclVAT: new(money.Decimal)}), apperr.ErrValidation, "lines.0.description"},
		"NoPrice":                 {sale(net("1"), invoice.LineInput{Description: "x"}), apperr.ErrValidation, "lines.1.unitPriceExclVat"},
		"BothPrices":              {sale(invoice.LineInput{Description: "x", UnitPriceExclVAT: new(money.Decimal), UnitPriceInclVAT: new(money.Decimal)}), apperr.ErrValidation, "lines.0.unitPriceExclVat"},
		"QuantityOfNothing":       {sale(times("0", net("1"))), apperr.ErrValidation, "lines.0.quantity"},
		"RateOfAnotherYear":       {sale(at("9", net("1"))), invoice.ErrVATTerms, "lines.0.vatRatePercent"},
		"CodeOfAnotherRate":       {sale(at("21", coded("PVM3", net("1")))), invoice.ErrVATTerms, "lines.0.vatClassifierCode"},
		"UnknownCode":             {sale(coded("PVM01", net("1"))), invoice.ErrVATTerms, "lines.0.vatClassifierCode"},
		"DomesticZeroWithoutCode": {sale(at("0", net("1"))), invoice.ErrVATTerms, "lines.0.vatRatePercent"},
		"ForeignRateIsNotGuessed": {invoice.CreateInput{VATScheme: vat.SchemeOSSUnion, Lines: []invoice.LineInput{net("1")}}, invoice.ErrVATTerms, "lines.0.vatRatePercent"},
		"NegativeTotal":           {sale(net("1"), net("-1.01")), invoice.ErrNegative, "lines"},
		"NegativeGroup":           {sale(net("100"), at("5", net("-1"))), invoice.ErrNegative, "lines"},
		"AmountOutOfBounds":       {sale(times("999999999999", net("999999999999"))), invoice.ErrAmount, "lines"},
		"RateOver100":             {sale(at("100.5", coded("PVM15", net("1")))), invoice.ErrVATTerms, "lines.0.vatClassifierCode"},
		"DueBeforeIssue": {
			invoice.CreateInput{IssueDate: day("2026-01-20"), DueDate: day("2026-01-19"), Lines: []invoice.LineInput{net("1")}}, invoice.ErrDates, "dueDate",
		},
		"CreditOfNothingNamed":  {invoice.CreateInput{Type: invoice.TypeCreditNote}, apperr.ErrValidation, "creditedInvoiceId"},
		"CreditOfADraft":        {invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: draft.ID}, invoice.ErrUnknownInvoice, "creditedInvoiceId"},
		"CreditOfAProforma":     {invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: proforma.ID}, invoice.ErrUnknownInvoice, "creditedInvoiceId"},
		"AdvanceAdjustsNothing": {invoice.CreateInput{Type: invoice.TypeAdvance, CreditedInvoiceID: proforma.ID, Lines: []invoice.LineInput{net("1")}}, invoice.ErrUnknownInvoice, "creditedInvoiceId"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.tryCreate(t.Context(), tt.in)
			require.ErrorIs(t, err, tt.code)
			refusal := new(apperr.Error)
			require.ErrorAs(t, err, &refusal)
			require.Contains(t, refusal.Fields(), tt.field)
		})
	}
}

func TestCompanyWithoutVAT(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e, func(c *tenant.Company) { c.IsVATPayer = false })
		_, err := b.tryCreate(t.Context(), sale(at("21", net("100"))))
		require.ErrorIs(t, err, invoice.ErrVATTerms)
		_, err = b.tryCreate(t.Context(), sale(coded("PVM5", net("100"))))
		require.ErrorIs(t, err, invoice.ErrVATTerms)

		sold := b.issue(t, sale(net("100"), gross("21")))
		require.Equal(t, []string{"121.00", "0.00", "121.00"}, sums(sold))
		require.Nil(t, sold.Lines[0].VATCode)
		require.Equal(t, []string{"Dr 2410 121.00", "Cr 5000 121.00"}, b.journal(t, sold.JournalTransactionID))
		require.Empty(t, b.register(t, sold.ID))
		_, err = b.credit(t.Context(), sold.ID)
		require.NoError(t, err)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		b.RequireBalanced(t)
	})
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, sale(net("100")))
		update := func(in invoice.UpdateInput) (*invoice.Document, error) {
			in.ID = draft.ID
			return b.do(t.Context(), func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) { return invoice.Update(ctx, tx, in) })
		}
		changed, err := update(invoice.UpdateInput{Notes: new("Ačiū"), DueDate: date.MustParse("2026-03-01")})
		require.NoError(t, err)
		require.Equal(t, changed, b.get(t, draft.ID))
		require.Equal(t, draft.Lines, changed.Lines)
		require.Equal(t, "Ačiū", *changed.Notes)

		_, err = update(invoice.UpdateInput{VATScheme: vat.SchemeExport})
		require.ErrorIs(t, err, invoice.ErrVATTerms, "PVM1 is no code of an export")
		changed, err = update(invoice.UpdateInput{VATScheme: vat.SchemeExport, Lines: []invoice.LineInput{net("8000")}, Notes: new("")})
		require.NoError(t, err)
		require.Equal(t, []string{"8000.00", "0.00", "8000.00"}, sums(changed))
		require.Equal(t, "PVM12", *changed.Lines[0].VATCode)
		require.Nil(t, changed.Notes)
		require.Equal(t, changed, b.get(t, draft.ID))

		_, err = b.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID})
		require.NoError(t, err)
		_, err = update(invoice.UpdateInput{Notes: new("too late")})
		require.ErrorIs(t, err, invoice.ErrIssued)
		require.ErrorIs(t, b.delete(t, draft.ID), invoice.ErrIssued)
	})
}

func (b *books) delete(t *testing.T, id tenant.ID) error {
	t.Helper()
	return b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return invoice.Delete(ctx, tx, id) })
}

func TestDelete(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, sale(net("100")))
		require.NoError(t, b.delete(t, draft.ID))
		require.ErrorIs(t, b.delete(t, draft.ID), apperr.ErrNotFound)
	})
}
