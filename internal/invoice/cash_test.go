package invoice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

func milk() []invoice.LineInput {
	price := money.MustDecimal("100")
	return []invoice.LineInput{{Description: "Pienas", UnitPriceExclVAT: &price}}
}

// marked reports the mark of every row that a document has in the register.
func (b *books) marked(t *testing.T, id tenant.ID) (marks []bool) {
	t.Helper()
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := register.OfDocument(ctx, r, id)
		for _, row := range rows {
			marks = append(marks, row.SpecialTaxation)
		}
		return err
	})
	return marks
}

func fromJanuary15(c *tenant.Company) { c.CashAccountingFrom = date.MustParse("2026-01-15") }

// TestCashAccounting marks sales, and everything that adjusts them.
func TestCashAccounting(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e, fromJanuary15)
		sold := b.issue(t, invoice.CreateInput{SpecialTaxation: true, Lines: milk()})
		require.True(t, b.get(t, sold.ID).SpecialTaxation)
		require.Equal(t, []bool{true}, b.marked(t, sold.ID))
		plain := b.issue(t, invoice.CreateInput{Lines: milk()})
		require.Equal(t, []bool{false}, b.marked(t, plain.ID))

		note, err := b.credit(t.Context(), sold.ID)
		require.NoError(t, err)
		require.True(t, note.SpecialTaxation, "a note has the mark of what it adjusts")
		require.Equal(t, []bool{true}, b.marked(t, note.ID))
		_, err = b.tryCreate(t.Context(), invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: plain.ID, SpecialTaxation: true})
		require.ErrorIs(t, err, invoice.ErrNoteMismatch)

		advance := b.issue(t, invoice.CreateInput{Type: invoice.TypeAdvance, Lines: milk()})
		final := b.issue(t, invoice.CreateInput{SpecialTaxation: true, Lines: milk()})
		_, err = b.tryApply(t.Context(), invoice.ApplyAdvanceInput{AdvanceID: advance.ID, InvoiceID: final.ID})
		require.NoError(t, err)
		require.Equal(t, []bool{true, true}, b.marked(t, final.ID), "the rows of an advance that is taken off are those of the invoice")

		draft := b.create(t, invoice.CreateInput{Lines: milk()})
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			changed, err := invoice.Update(ctx, tx, invoice.UpdateInput{ID: draft.ID, SpecialTaxation: new(true)})
			require.True(t, changed.SpecialTaxation)
			return err
		})
		require.True(t, b.get(t, draft.ID).SpecialTaxation)
		cancelled := b.issue(t, invoice.CreateInput{SpecialTaxation: true, Lines: milk()})
		_, err = b.tryCancel(t.Context(), cancelled.ID)
		require.NoError(t, err)
		require.Equal(t, []bool{true, true}, b.marked(t, cancelled.ID))
	})
}

// TestCashAccountingIsRefused has each sale on which no VAT can wait for the payment.
func TestCashAccountingIsRefused(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		company func(*tenant.Company)
		in      invoice.CreateInput
	}{
		"NeverChosen":  {func(*tenant.Company) {}, invoice.CreateInput{}},
		"BeforeItHeld": {fromJanuary15, invoice.CreateInput{IssueDate: date.MustParse("2026-01-14")}},
		"AfterItEnded": {func(c *tenant.Company) {
			fromJanuary15(c)
			c.CashAccountingUntil = date.MustParse("2026-01-30")
		}, invoice.CreateInput{}},
		"NoVATPayer": {func(c *tenant.Company) {
			fromJanuary15(c)
			c.IsVATPayer = false
		}, invoice.CreateInput{}},
		"NoLithuanianVAT": {fromJanuary15, invoice.CreateInput{VATScheme: vat.SchemeExport}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, testkit.SQLite(t), example.company)
			example.in.SpecialTaxation, example.in.Lines = true, milk()
			_, err := b.tryCreate(t.Context(), example.in)
			require.ErrorIs(t, err, invoice.ErrCash)
		})
	}
	t.Run("ByTheDateOfIssue", func(t *testing.T) {
		t.Parallel()
		b := open(t, testkit.SQLite(t), fromJanuary15)
		draft := b.create(t, invoice.CreateInput{SpecialTaxation: true, Lines: milk()})
		_, err := b.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID, IssueDate: date.MustParse("2026-01-10")})
		require.ErrorIs(t, err, invoice.ErrCash)
	})
}
