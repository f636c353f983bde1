package invoice_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
)

func TestCredit(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("100"), at("5", net("10"))))
		credit, err := b.credit(t.Context(), sold.ID, net("20"), at("5", net("10")))
		require.NoError(t, err)
		require.Equal(t, credit, b.get(t, credit.ID))
		require.Equal(t, "KR260000001", *credit.FullNumber)
		require.Equal(t, sold.ID, *credit.CreditedInvoiceID)
		require.Equal(t, []string{"30.00", "4.70", "34.70"}, sums(credit))
		require.Equal(t, []string{"Dr 5000 30.00", "Dr 4492 4.70", "Cr 2410 34.70"}, b.journal(t, credit.JournalTransactionID))
		require.Equal(t, []string{"KS PVM1 21 -20.00 -4.20", "KS PVM3 5 -10.00 -0.50"}, b.register(t, credit.ID))
		require.Equal(t, invoice.PaymentPaid, credit.PaymentStatus())
		require.Equal(t, "96.80", b.owed(t, sold.ID))
		require.Equal(t, invoice.PaymentPartial, b.get(t, sold.ID).PaymentStatus())

		rest, err := b.credit(t.Context(), sold.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"80.00", "16.80", "96.80"}, sums(rest))
		require.Equal(t, "Remainder of SF260000001", rest.Lines[0].Description)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		_, err = b.credit(t.Context(), sold.ID)
		require.ErrorIs(t, err, invoice.ErrOverCredited)
		require.Equal(t, "0.00", b.balance(t, "2410"))
		b.RequireBalanced(t)
	})
}

// TestB198CreditsLineByLine: each line credited by itself comes to the invoice, not to a cent more.
func TestB198CreditsLineByLine(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		prices := []string{"68.33", "68.33", "57.50", "85.00"}
		in := invoice.CreateInput{VATScheme: vat.SchemeOSSUnion, VATCountryCode: "FR"}
		for _, p := range prices {
			in.Lines = append(in.Lines, at("20", net(p)))
		}
		sold := b.issue(t, in)
		require.Equal(t, []string{"279.16", "55.83", "334.99"}, sums(sold))
		var got []string
		for _, p := range prices {
			credit, err := b.credit(t.Context(), sold.ID, at("20", net(p)))
			require.NoError(t, err)
			got = append(got, sums(credit)[2])
			require.Equal(t, credit.GrossMinor, credit.Lines[0].GrossMinor)
		}
		require.Equal(t, []string{"82.00", "82.00", "69.00", "101.99"}, got)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		_, err := b.credit(t.Context(), sold.ID, at("20", net("0.01")))
		require.ErrorIs(t, err, invoice.ErrOverCredited)
	})
}

func TestB200CreditOverByACent(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("100")))
		_, err := b.credit(t.Context(), sold.ID, net("40"))
		require.NoError(t, err)
		for _, line := range []invoice.LineInput{net("60.01"), gross("72.61")} {
			_, err = b.credit(t.Context(), sold.ID, line)
			require.ErrorIs(t, err, invoice.ErrOverCredited)
			refusal := new(apperr.Error)
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, apperr.Conflict, refusal.Kind())
			require.Equal(t, "72.60", refusal.Details()["remainder"])
			require.Contains(t, refusal.Message(), "72.60")
		}
		require.Equal(t, "72.60", b.owed(t, sold.ID))
	})
}

func TestB218TinyPrices(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		for _, parts := range [][]string{{"300"}, {"150", "150"}, {"100", "100", "100"}, {"1", "299"}} {
			sold := b.issue(t, sale(times("300", net("0.0333"))))
			require.Equal(t, []string{"9.99", "2.10", "12.09"}, sums(sold))
			for _, quantity := range parts {
				_, err := b.credit(t.Context(), sold.ID, times(quantity, net("0.0333")))
				require.NoError(t, err, "%s of %v", quantity, parts)
			}
			require.Equal(t, "0.00", b.owed(t, sold.ID), "%v", parts)
		}
	})
}

func TestB038PartialCreditIsBookedOnce(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	sold := b.issue(t, sale(coded("PVM5", net("100"))))
	draft := b.create(t, invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: sold.ID, Lines: []invoice.LineInput{net("40")}})
	require.Equal(t, "PVM5", *draft.Lines[0].VATCode, "the only code of the invoice")
	_, err := b.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID})
	require.NoError(t, err)
	_, err = b.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID})
	require.ErrorIs(t, err, invoice.ErrAlreadyIssued)
	require.Equal(t, "60.00", b.owed(t, sold.ID))
}

// TestB190TwoFullCredits: of two full credits of one invoice one is issued.
func TestB190TwoFullCredits(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("100")))
		var drafts []tenant.ID
		for range 2 {
			drafts = append(drafts, b.create(t, invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: sold.ID}).ID)
		}
		errs := b.together(t, 2, func(ctx context.Context, i int) error {
			_, err := b.tryIssue(ctx, invoice.IssueInput{ID: drafts[i]})
			return err
		})
		slices.SortFunc(errs, func(a, _ error) int {
			if a == nil {
				return -1
			}
			return 1
		})
		require.NoError(t, errs[0])
		require.ErrorIs(t, errs[1], invoice.ErrOverCredited)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		b.RequireBalanced(t)
	})
}

func TestCreditOfAPaidInvoice(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("100")))
		b.pay(t, sold.ID, "100.00")
		credit, err := b.credit(t.Context(), sold.ID)
		require.NoError(t, err)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		item, ok := b.item(t, credit.ID)
		require.True(t, ok, "what was paid is owed back")
		require.Equal(t, ledger.ItemPayable, item.Kind)
		require.Equal(t, "100.00", item.Open().String())
		require.EqualValues(t, 10000, item.BaseAmountMinor)
		require.Equal(t, credit, b.get(t, credit.ID))
		require.Equal(t, invoice.PaymentPartial, credit.PaymentStatus())
		require.Equal(t, "21.00", credit.Summary().PaidAmount.String())
	})
}

func TestCreditRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	other := b.partner(t, partner.Fields{Name: new("UAB Antras")})
	sold := b.issue(t, sale(net("100")))
	credit, err := b.credit(t.Context(), sold.ID, net("1"))
	require.NoError(t, err)
	cancelled := b.issue(t, sale(net("100")))
	_, err = b.tryCancel(t.Context(), cancelled.ID)
	require.NoError(t, err)
	note := func(change func(*invoice.CreateInput)) invoice.CreateInput {
		in := invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: sold.ID, Lines: []invoice.LineInput{net("1")}}
		change(&in)
		return in
	}
	tests := map[string]struct {
		in   invoice.CreateInput
		code *apperr.Code
	}{
		"OfACreditNote": {note(func(in *invoice.CreateInput) { in.CreditedInvoiceID = credit.ID }), invoice.ErrUnknownInvoice},
		"OfACancelled":  {note(func(in *invoice.CreateInput) { in.CreditedInvoiceID = cancelled.ID }), invoice.ErrCancelled},
		"OtherPartner":  {note(func(in *invoice.CreateInput) { in.PartnerID = other.ID }), invoice.ErrNoteMismatch},
		"OtherCurrency": {note(func(in *invoice.CreateInput) { in.Currency = money.MustCurrency("USD") }), invoice.ErrNoteMismatch},
		"OtherScheme":   {note(func(in *invoice.CreateInput) { in.VATScheme = vat.SchemeExport }), invoice.ErrNoteMismatch},
		"OtherRate":     {note(func(in *invoice.CreateInput) { in.Lines[0] = at("5", net("1")) }), invoice.ErrNoteMismatch},
		"UnknownObject": {note(func(in *invoice.CreateInput) { in.CreditedInvoiceID = tenant.NewID() }), invoice.ErrUnknownInvoice},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.tryCreate(t.Context(), tt.in)
			require.ErrorIs(t, err, tt.code)
		})
	}
	t.Run("DatedBeforeTheInvoice", func(t *testing.T) {
		t.Parallel()
		draft := b.create(t, note(func(*invoice.CreateInput) {}))
		_, err := b.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID, IssueDate: date.MustParse("2026-01-30")})
		require.ErrorIs(t, err, invoice.ErrDates)
	})
}

func TestDebitNote(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("100")))
		in := sale(net("5"))
		in.CreditedInvoiceID = sold.ID
		note := b.issue(t, in)
		require.Equal(t, invoice.TypeInvoice, note.Type)
		require.Equal(t, []string{"DS PVM1 21 5.00 1.05"}, b.register(t, note.ID))
		require.Equal(t, "6.05", b.owed(t, note.ID))
		require.Equal(t, "121.00", b.owed(t, sold.ID))
		_, err := b.tryCancel(t.Context(), sold.ID)
		require.ErrorIs(t, err, invoice.ErrNotCancelled, "the debit note refers to it")

		in.CreditedInvoiceID = note.ID
		_, err = b.tryCreate(t.Context(), in)
		require.ErrorIs(t, err, invoice.ErrUnknownInvoice)
		_, err = b.credit(t.Context(), note.ID)
		require.NoError(t, err)
		require.Equal(t, "0.00", b.owed(t, note.ID))
	})
}
