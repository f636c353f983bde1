package invoice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func advance(lines ...invoice.LineInput) invoice.CreateInput {
	return invoice.CreateInput{Type: invoice.TypeAdvance, Lines: lines}
}

func TestApplyAdvance(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		paid := b.issue(t, advance(net("40")))
		require.Equal(t, "AV260000001", *paid.FullNumber)
		require.Equal(t, []string{"Dr 2410 48.40", "Cr 4420 40.00", "Cr 4492 8.40"}, b.journal(t, paid.JournalTransactionID))
		require.Equal(t, []string{"SF PVM1 21 40.00 8.40"}, b.register(t, paid.ID))
		b.pay(t, paid.ID, "48.40")
		second := b.issue(t, advance(net("10")))
		sold := b.issue(t, sale(net("100")))

		after, err := b.tryApply(t.Context(), invoice.ApplyAdvanceInput{AdvanceID: paid.ID, InvoiceID: sold.ID})
		require.NoError(t, err)
		require.Equal(t, sold.ID, after.ID)
		require.Equal(t, "48.40", after.Summary().PaidAmount.String())
		require.Equal(t, "72.60", b.owed(t, sold.ID))
		require.Equal(t, sold.ID, *b.get(t, paid.ID).AppliedToInvoiceID)
		_, err = b.tryApply(t.Context(), invoice.ApplyAdvanceInput{AdvanceID: second.ID, InvoiceID: sold.ID})
		require.NoError(t, err)
		require.Equal(t, []string{"SF PVM1 21 100.00 21.00", "SF PVM1 21 -40.00 -8.40", "SF PVM1 21 -10.00 -2.10"}, b.register(t, sold.ID))
		require.Equal(t, "0.00", b.balance(t, "4420"))
		require.Equal(t, "-21.00", b.balance(t, "4492"), "VAT counts once")
		require.Equal(t, "-100.00", b.balance(t, "5000"))

		_, err = b.tryApply(t.Context(), invoice.ApplyAdvanceInput{AdvanceID: paid.ID, InvoiceID: sold.ID})
		require.ErrorIs(t, err, invoice.ErrAdvanceApplied)
		_, err = b.credit(t.Context(), paid.ID)
		require.ErrorIs(t, err, invoice.ErrAdvanceApplied)
		_, err = b.tryCancel(t.Context(), second.ID)
		require.ErrorIs(t, err, invoice.ErrAdvanceApplied)
		_, err = b.tryCancel(t.Context(), sold.ID)
		require.ErrorIs(t, err, invoice.ErrNotCancelled)
		b.RequireBalanced(t)
	})
}

func TestApplyAdvanceRefuses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("10")))
		small, large := b.issue(t, advance(net("1"))), b.issue(t, advance(net("10.01")))
		credited := b.issue(t, advance(net("2")))
		_, err := b.credit(t.Context(), credited.ID, net("1"))
		require.NoError(t, err)
		in := advance(net("1"))
		in.PartnerID = b.partner(t, partner.Fields{Name: new("UAB Antras")}).ID
		foreign := b.issue(t, in)
		draft := b.create(t, sale(net("1")))
		tests := map[string]struct {
			in   invoice.ApplyAdvanceInput
			code *apperr.Code
		}{
			"MoreThanOpen":     {invoice.ApplyAdvanceInput{AdvanceID: large.ID, InvoiceID: sold.ID}, invoice.ErrAdvanceExceeds},
			"OtherPartner":     {invoice.ApplyAdvanceInput{AdvanceID: foreign.ID, InvoiceID: sold.ID}, invoice.ErrNotApplicable},
			"Credited":         {invoice.ApplyAdvanceInput{AdvanceID: credited.ID, InvoiceID: sold.ID}, invoice.ErrAdvanceChanged},
			"NoAdvance":        {invoice.ApplyAdvanceInput{AdvanceID: sold.ID, InvoiceID: sold.ID}, invoice.ErrNotApplicable},
			"UnknownAdvance":   {invoice.ApplyAdvanceInput{AdvanceID: tenant.NewID(), InvoiceID: sold.ID}, invoice.ErrNotApplicable},
			"IntoAnAdvance":    {invoice.ApplyAdvanceInput{AdvanceID: small.ID, InvoiceID: large.ID}, invoice.ErrNotApplicable},
			"IntoADraft":       {invoice.ApplyAdvanceInput{AdvanceID: small.ID, InvoiceID: draft.ID}, invoice.ErrNotIssued},
			"IntoNothing":      {invoice.ApplyAdvanceInput{AdvanceID: small.ID, InvoiceID: tenant.NewID()}, apperr.ErrNotFound},
			"Tomorrow":         {invoice.ApplyAdvanceInput{AdvanceID: small.ID, InvoiceID: sold.ID, Date: date.MustParse("2026-02-01")}, invoice.ErrDates},
			"BeforeTheInvoice": {invoice.ApplyAdvanceInput{AdvanceID: small.ID, InvoiceID: sold.ID, Date: date.MustParse("2026-01-30")}, invoice.ErrDates},
		}
		for name, tt := range tests {
			_, err := b.tryApply(t.Context(), tt.in)
			require.ErrorIs(t, err, tt.code, name)
		}
		require.Equal(t, "12.10", b.owed(t, sold.ID))
	})
}

func TestAdvanceIsAppliedOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		paid := b.issue(t, advance(net("10")))
		invoices := []*invoice.Document{b.issue(t, sale(net("100"))), b.issue(t, sale(net("100")))}
		errs := b.together(t, 4, func(ctx context.Context, i int) error {
			_, err := b.tryApply(ctx, invoice.ApplyAdvanceInput{AdvanceID: paid.ID, InvoiceID: invoices[i%2].ID})
			return err
		})
		applied := 0
		for _, err := range errs {
			if err == nil {
				applied++
				continue
			}
			require.ErrorIs(t, err, invoice.ErrAdvanceApplied)
		}
		require.Equal(t, 1, applied)
		require.Equal(t, "0.00", b.balance(t, "4420"))
	})
}

func TestForeignAdvance(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.rate(t, "USD", "2026-01-10", "1.25")
		b.rate(t, "USD", "2026-01-30", "1.10")
		in := advance(net("100"))
		in.Currency, in.IssueDate = money.MustCurrency("USD"), date.MustParse("2026-01-10")
		paid := b.issue(t, in)
		in = sale(net("100"))
		in.Currency = money.MustCurrency("USD")
		sold := b.issue(t, in)
		_, err := b.tryApply(t.Context(), invoice.ApplyAdvanceInput{AdvanceID: paid.ID, InvoiceID: sold.ID})
		require.NoError(t, err)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		// The invoice is 121 USD / 1.10 = 110.00 EUR (90.91 + 19.09), the advance 121 / 1.25 = 96.80.
		require.Equal(t, "13.20", b.balance(t, "6800"))
		require.Equal(t, "96.80", b.balance(t, "2410"), "the advance itself is not paid yet")
		require.Equal(t, []string{"SF PVM1 21 90.91 19.09", "SF PVM1 21 -80.00 -16.80"}, b.register(t, sold.ID))
		b.RequireBalanced(t)
	})
}
