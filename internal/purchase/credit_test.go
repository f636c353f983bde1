package purchase_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// pay settles a part of a document.
func (b *books) pay(t *testing.T, id tenant.ID, minor int64) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, id)
		require.NoError(t, err)
		return ledger.Settle(ctx, tx, ledger.Settlement{
			Item: items[id], Amount: money.New(minor, money.EUR), SourceType: "payment", SourceID: tenant.NewID(), Date: tx.Today(),
		})
	})
}

func TestCreditNote(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1"))
		note := b.book(t, b.credit("2", i, line("40", "21")))
		require.Equal(t, "Cr 6300 40.00 / Cr 2441 8.40 / Dr 4430 48.40", b.posted(t, note))
		require.Equal(t, []string{"KS nil -40.00 21% -8.40"}, b.registered(t, note.ID))
		require.Nil(t, b.owed(t, note.ID), "it was set off as a whole")
		require.Equal(t, purchase.PaymentPaid, note.PaymentStatus())
		i = b.get(t, i.ID)
		require.Equal(t, "48.40", i.Settled().String())
		require.Equal(t, purchase.PaymentPartial, i.PaymentStatus())
		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			rows, err := register.OfDocument(ctx, r, note.ID)
			require.NoError(t, err)
			require.Equal(t, new("1"), rows[0].AdjustsNumber)
			require.Equal(t, i.DocumentDate, rows[0].AdjustsDate)
			return nil
		})
		b.RequireBalanced(t)
	})
}

func TestCreditNoteOfAPaidInvoice(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1"))
		b.pay(t, i.ID, 10000)
		note := b.book(t, b.credit("2", i, line("40", "21")))
		require.Equal(t, purchase.PaymentPaid, b.get(t, i.ID).PaymentStatus())
		item := b.owed(t, note.ID)
		require.Equal(t, ledger.ItemReceivable, item.Kind)
		require.Equal(t, "27.40", item.Open().String())
		require.Equal(t, int64(2740), item.BaseAmountMinor)
		require.Equal(t, "21.00", note.Settled().String())
		require.Equal(t, purchase.PaymentPartial, note.PaymentStatus())
	})
}

func TestCreditNoteWithoutAnInvoice(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		note := b.book(t, b.credit("BONUS 2025", nil))
		require.Equal(t, "Cr 6300 100.00 / Cr 2441 21.00 / Dr 4430 121.00", b.posted(t, note))
		require.Equal(t, []string{"KS nil -100.00 21% -21.00"}, b.registered(t, note.ID))
		item := b.owed(t, note.ID)
		require.Equal(t, ledger.ItemReceivable, item.Kind)
		require.Equal(t, note.Gross(), item.Open())
		require.Equal(t, note.DocumentDate, item.DueDate)
	})
}

func TestCreditNoteOfReverseCharge(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1", under("PVM25", line("100", "0"))))
		note := b.book(t, b.credit("2", i, under("PVM25", line("100", "0"))))
		require.Equal(t, "Cr 6300 100.00 / Cr 2441 21.00 / Dr 4492 21.00 / Dr 4430 100.00", b.posted(t, note))
		require.Equal(t, []string{"KS PVM25 -100.00 21% -21.00"}, b.registered(t, note.ID))
	})
}

func TestDebitNote(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1"))
		in := b.invoice("2", line("5", "21"))
		in.CreditedInvoiceID = &i.ID
		note := b.book(t, in)
		require.Equal(t, "Dr 6300 5.00 / Dr 2441 1.05 / Cr 4430 6.05", b.posted(t, note))
		require.Equal(t, []string{"DS nil 5.00 21% 1.05"}, b.registered(t, note.ID))
		require.Equal(t, "6.05", b.owed(t, note.ID).Open().String())
		require.Equal(t, "121.00", b.owed(t, i.ID).Open().String())
	})
}

// TestNoteHasTheSupplyDayOfItsInvoice: 9 % ended with 2025, and a note of 2026 still takes it back.
func TestNoteHasTheSupplyDayOfItsInvoice(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		in := b.invoice("1", line("100", "9"))
		_, err := b.tryCreate(t, in)
		require.ErrorIs(t, err, purchase.ErrVAT)
		in.SupplyDate = b.invoice("").DocumentDate.AddMonths(-1)
		i := b.book(t, in)
		note := b.book(t, b.credit("2", i, line("50", "9")))
		require.Equal(t, []string{"KS nil -50.00 9% -4.50"}, b.registered(t, note.ID))
	})
}

func TestOverCredited(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1"))
		b.book(t, b.credit("2", i, line("60", "21")))
		draft := b.create(t, b.credit("3", i, line("40.01", "21")))
		_, err := b.tryRegister(t, draft.ID, "")
		require.ErrorIs(t, err, purchase.ErrOverCredited)
		refusal, ok := errors.AsType[*apperr.Error](err)
		require.True(t, ok)
		require.Equal(t, "48.40", refusal.Details()["left"])
		b.book(t, b.credit("4", i, line("40", "21")))
		require.Equal(t, purchase.PaymentPaid, b.get(t, i.ID).PaymentStatus())
	})
}

// TestCreditTwins registers eight notes at once of which two fit.
func TestCreditTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1"))
		drafts := make([]tenant.ID, 8)
		for n := range drafts {
			drafts[n] = b.create(t, b.credit("K"+string(rune('1'+n)), i, line("50", "21"))).ID
		}
		errs := make([]error, len(drafts))
		var wait sync.WaitGroup
		for n, id := range drafts {
			wait.Go(func() { _, errs[n] = b.tryRegister(t, id, "") })
		}
		wait.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			require.ErrorIs(t, err, purchase.ErrOverCredited)
		}
		require.Equal(t, 2, won)
		require.True(t, b.owed(t, i.ID).Settled())
		b.RequireBalanced(t)
	})
}

func TestCreditedInvoiceMustFit(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b, stranger := open(t, e), open(t, e)
		i, draft := b.book(t, b.invoice("1")), b.create(t, b.invoice("2"))
		note := b.book(t, b.credit("3", nil))
		elsewhere := stranger.book(t, stranger.invoice("1"))
		other := b.partner(t, partner.Fields{Name: new("Kitas")})
		for name, change := range map[string]func(*purchase.CreateInput){
			"Draft":          func(in *purchase.CreateInput) { in.CreditedInvoiceID = &draft.ID },
			"CreditNote":     func(in *purchase.CreateInput) { in.CreditedInvoiceID = &note.ID },
			"OtherSupplier":  func(in *purchase.CreateInput) { in.PartnerID = other },
			"OtherCurrency":  func(in *purchase.CreateInput) { in.Currency = usd },
			"OtherCompany":   func(in *purchase.CreateInput) { in.CreditedInvoiceID = &elsewhere.ID },
			"LaterInvoice":   func(in *purchase.CreateInput) { in.DocumentDate = date.MustParse("2026-01-19") },
			"UnknownInvoice": func(in *purchase.CreateInput) { in.CreditedInvoiceID = new(tenant.NewID()) },
		} {
			in := b.credit("9", i)
			change(&in)
			_, err := b.tryCreate(t, in)
			require.ErrorIs(t, err, purchase.ErrCreditedInvoice, name)
		}
	})
}
