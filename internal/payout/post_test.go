package payout_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestPost(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for name, test := range map[string]func(*testing.T, *testkit.Engine){
			"PaysInvoices": paysInvoices, "SharesWithSellers": sharesWithSellers, "TakesRefundsBack": takesRefundsBack,
			"B162_ALatePaymentLeavesARefundStanding": latePayment, "ARefundOfWhatWasNeverAppliedOpensNothing": overpaidAndRefunded,
			"ANegativePayoutCreditsTheBank": negativePayout, "NothingToPost": nothingToPost, "ForeignPayout": foreignPayout,
			"DatesAndLocks": datesAndLocks, "UnifiedPayments": unifiedPayments, "APostingNeverChanges": appendOnly,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, e)
			})
		}
	})
}

// summed writes a summary as text: receivable, commission, seller, fee, suspense.
func summed(s payout.Summary) string {
	return fmt.Sprint(s.ReceivableApplied, " ", s.CommissionAmount, " ", s.SellerAmount, " ", s.FeeAmount, " ", s.SuspenseAmount)
}

func paysInvoices(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	whole, part, over := b.invoice(t, "SF260000001", "100.00"), b.invoice(t, "SF260000002", "80.00"), b.invoice(t, "SF260000003", "10.00")
	id := b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", "SF260000001"), row("po_1", "t2", "charge", 5000, 150, "ch_2", "SF260000002"),
		row("po_1", "t3", "charge", 1500, 0, "ch_3", "SF260000003"), row("po_1", "t4", "charge", 700, 30, "ch_4", ""),
		row("po_1", "t5", "fee", -200, 0, "", ""), row("po_1", "t6", "dispute", -1000, 1500, "ch_9", "")).Settlements[0].ID
	posted := b.post(t, id)
	require.Equal(t, payout.StatusPosted, posted.Status)
	require.Equal(t, "160.00 0.00 0.00 22.00 2.00", summed(posted.Summary))
	require.Equal(t, []string{"2026-03-05", "Dr 2710 140.00", "Dr 6104 22.00", "Cr 2410 160.00", "Dr 4499 10.00", "Cr 4499 12.00"}, b.journal(t, posted.JournalTransactionID))
	require.Equal(t, []string{"0.00", "30.00", "0.00"}, []string{b.open(t, whole), b.open(t, part), b.open(t, over)})
	require.Equal(t, []string{
		"2 lines without an invoice are in suspense.", "Of the line t3, 5.00 EUR is more than could be applied to SF260000003; it is in suspense.",
	}, posted.Warnings)
	require.Equal(t, map[string]int{"settlement.imported": 1, "settlement.posted": 1, "sale_invoice.paid": 2}, b.events(t))
	state, _ := b.get(t, id)
	require.Equal(t, posted.State, state)
	_, err := b.tryPost(t, payout.PostInput{ID: id})
	refusal := refused(t, err, payout.ErrAlreadyPosted)
	require.Equal(t, *posted.JournalTransactionID, refusal.Details()["existingId"])
	require.Equal(t, apperr.Duplicate, refusal.Kind())
	b.sound(t)
}

func sharesWithSellers(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.invoice(t, "SF260000001", "100.00")
	id := b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", "SF260000001"), row("po_1", "t2", "charge", 1001, 0, "ch_2", ""),
		row("po_1", "t3", "charge", 333, 10, "ch_3", ""), row("po_1", "t4", "refund", -100, 0, "ch_3", "")).Settlements[0].ID
	percent := money.MustDecimal("12.5")
	for _, wrong := range []string{"-1", "100.01"} {
		p := money.MustDecimal(wrong)
		_, err := b.tryPost(t, payout.PostInput{ID: id, CommissionPercent: &p})
		require.Contains(t, refused(t, err, apperr.ErrValidation).Fields(), "commissionPercent")
	}
	posted, err := b.tryPost(t, payout.PostInput{ID: id, CommissionPercent: &percent})
	require.NoError(t, err)
	// 12.5 % of 10.01 is 1.25, of 3.33 it is 0.42.
	require.Equal(t, "100.00 1.67 11.67 3.30 -1.00", summed(posted.Summary))
	require.Equal(t, []string{
		"2026-03-05", "Dr 2710 109.04", "Dr 6104 3.30", "Cr 2410 100.00", "Cr 5002 1.67", "Cr 4431 11.67", "Dr 4499 1.00",
	}, b.journal(t, posted.JournalTransactionID))
	b.sound(t)
}

func takesRefundsBack(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	invoice, elsewhere := b.invoice(t, "SF260000001", "100.00"), b.invoice(t, "SF260000002", "50.00")
	b.settle(t, elsewhere, "40.00")
	b.post(t, b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", "SF260000001")).Settlements[0].ID)
	require.Equal(t, "0.00", b.open(t, invoice))
	posted := b.post(t, b.load(t, row("po_2", "t2", "refund", -3000, 0, "ch_1", ""), row("po_2", "t3", "refund", -5000, 0, "ch_old", "SF260000002"),
		row("po_2", "t4", "refund", -700, 0, "", "")).Settlements[0].ID)
	require.Equal(t, "30.00", b.open(t, invoice))
	require.Equal(t, "50.00", b.open(t, elsewhere), "opened up to what was settled")
	require.Equal(t, "-70.00 0.00 0.00 0.00 -17.00", summed(posted.Summary))
	require.Equal(t, []string{"2026-03-05", "Cr 2710 87.00", "Dr 2410 70.00", "Dr 4499 17.00"}, b.journal(t, posted.JournalTransactionID))
	require.Contains(t, posted.Warnings, "Of the line t3, 10.00 EUR is more than was applied to SF260000002 before; it is in suspense.")
	require.Equal(t, 1, b.events(t)["sale_invoice.paid"])
	both := b.post(t, b.load(t, row("po_3", "t5", "refund", -3000, 0, "ch_1", "SF260000001"), row("po_3", "t6", "charge", 3000, 0, "ch_5", "SF260000001")).Settlements[0].ID)
	require.Equal(t, "0.00 0.00 0.00 0.00 0.00", summed(both.Summary), "the payment counts first, wherever it stands")
	require.Equal(t, []string{"2026-03-05", "Cr 2410 30.00", "Dr 2410 30.00"}, b.journal(t, both.JournalTransactionID))
	require.Equal(t, "30.00", b.open(t, invoice))
	require.Equal(t, 1, b.events(t)["sale_invoice.paid"])
	b.sound(t)
}

// settle settles an invoice otherwise than by a payout.
func (b books) settle(t *testing.T, invoice tenant.ID, amount string) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, invoice)
		require.NoError(t, err)
		return ledger.Settle(ctx, tx, ledger.Settlement{
			Item: items[invoice], Amount: money.New(parse(amount, "EUR").Minor(), items[invoice].Currency), SourceType: "payment", SourceID: tenant.NewID(), Date: date.MustParse("2026-03-02"),
		})
	})
}

func latePayment(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	invoice := b.invoice(t, "SF260000001", "100.00")
	paid := b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", "SF260000001")).Settlements[0].ID
	reversed := b.load(t, row("po_2", "t2", "refund", -10000, 0, "ch_1", "")).Settlements[0].ID
	require.Equal(t, []string{"t2 matched SF260000001"}, b.matches(t, reversed))
	require.Equal(t, "-100.00", b.post(t, reversed).Summary.SuspenseAmount.String())
	late := b.post(t, paid)
	require.Equal(t, "0.00 0.00 0.00 3.20 100.00", summed(late.Summary))
	require.Equal(t, "100.00", b.open(t, invoice), "the money went back: the invoice is not paid")
	require.Equal(t, "0.00", b.balance(t, "4499"))
	require.Equal(t, "-3.20", b.balance(t, "2710"))
	require.Zero(t, b.events(t)["sale_invoice.paid"])
	b.sound(t)
}

func overpaidAndRefunded(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	invoice := b.invoice(t, "SF260000001", "80.00")
	b.post(t, b.load(t, row("po_1", "t1", "charge", 10000, 0, "ch_1", "SF260000001")).Settlements[0].ID)
	require.Equal(t, "-20.00", b.balance(t, "4499"))
	b.post(t, b.load(t, row("po_2", "t2", "refund", -2000, 0, "ch_1", "")).Settlements[0].ID)
	require.Equal(t, "0.00", b.open(t, invoice), "what was too much went back")
	require.Equal(t, "0.00", b.balance(t, "4499"))
	b.post(t, b.load(t, row("po_3", "t3", "refund", -500, 0, "ch_1", "")).Settlements[0].ID)
	require.Equal(t, "5.00", b.open(t, invoice))
	b.sound(t)
}

func negativePayout(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	posted := b.post(t, b.load(t, row("po_1", "t1", "dispute", -5000, 1500, "", "")).Settlements[0].ID)
	require.Equal(t, []string{"2026-03-05", "Cr 2710 65.00", "Dr 6104 15.00", "Dr 4499 50.00"}, b.journal(t, posted.JournalTransactionID))
	require.Contains(t, posted.Warnings, "The provider charged the bank account with 65.00 EUR.")
	b.sound(t)
}

func nothingToPost(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	id := b.load(t, row("po_1", "t1", "charge", 0, 0, "", "")).Settlements[0].ID
	posted := b.post(t, id)
	require.Nil(t, posted.JournalTransactionID)
	require.Equal(t, payout.StatusPosted, posted.Status)
	_, err := b.tryPost(t, payout.PostInput{ID: id})
	require.Equal(t, id, refused(t, err, payout.ErrAlreadyPosted).Details()["existingId"])
	both := b.post(t, b.load(t, row("po_2", "t2", "charge", 500, 0, "", ""), row("po_2", "t3", "dispute", -500, 0, "", "")).Settlements[0].ID)
	require.Equal(t, []string{"2026-03-05", "Dr 4499 5.00", "Cr 4499 5.00"}, b.journal(t, both.JournalTransactionID))
	b.sound(t)
}

func foreignPayout(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	id := b.foreignInvoice(t, "SF260000001", parse("100.00", "USD"), parse("95.00", "EUR"))
	s := b.load(t, rowIn("USD", "po_1", "t1", "charge", 3333, 111, "ch_1", "SF260000001"), rowIn("USD", "po_1", "t2", "charge", 1, 0, "", "")).Settlements[0].ID
	_, err := b.tryPost(t, payout.PostInput{ID: s})
	require.ErrorIs(t, err, fx.ErrNoRate)
	b.rate(t, "USD", "2026-03-05", "1.1")
	b.rate(t, "USD", "2026-03-20", "3")
	posted, err := b.tryPost(t, payout.PostInput{ID: s, Date: date.MustParse("2026-03-20")})
	require.NoError(t, err)
	// Of the 95.00 booked for the invoice 33.33 of 100 are 31.66; at 1.1 they are worth 30.30.
	require.Equal(t, []string{
		"2026-03-20", "Dr 2710 29.30 (32.23 USD)", "Dr 6104 1.01 (1.11 USD)", "Cr 2410 31.66 (33.33 USD)", "Cr 4499 0.01 (0.01 USD)", "Dr 6800 1.36",
	}, b.journal(t, posted.JournalTransactionID))
	require.Contains(t, posted.Warnings, "The payout is in USD, the bank account Main in EUR: what the bank made of it may differ.")
	rest := b.post(t, b.load(t, rowIn("USD", "po_2", "t3", "charge", 6667, 0, "ch_2", "SF260000001")).Settlements[0].ID)
	require.Equal(t, "0.00", b.open(t, id))
	require.Equal(t, "0.00", b.balance(t, "2410"), "what was booked leaves the books in parts, to the cent")
	refund := b.post(t, b.load(t, rowIn("USD", "po_3", "t4", "refund", -6667, 0, "ch_2", "")).Settlements[0].ID)
	require.Equal(t, "63.34", b.balance(t, "2410"))
	require.NotEmpty(t, rest.JournalTransactionID)
	require.NotEmpty(t, refund.JournalTransactionID)
	yen := b.load(t, rowIn("JPY", "po_4", "t5", "charge", 5000, 180, "", "")).Settlements[0]
	require.Equal(t, "4820", yen.Card().NetTotal.String())
	b.rate(t, "JPY", "2026-03-05", "160")
	require.Equal(t, []string{"2026-03-05", "Dr 2710 30.13 (4820 JPY)", "Dr 6104 1.12 (180 JPY)", "Cr 4499 31.25 (5000 JPY)"},
		b.journal(t, b.post(t, yen.ID).JournalTransactionID))
	b.sound(t)
}

func datesAndLocks(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	id := b.load(t, row("po_1", "t1", "charge", 500, 0, "", "")).Settlements[0].ID
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Lock(ctx, tx, date.MonthOf(date.MustParse("2026-03-05")))
		return err
	})
	_, err := b.tryPost(t, payout.PostInput{ID: id})
	require.ErrorIs(t, err, ledger.ErrPeriodLocked)
	state, _ := b.get(t, id)
	require.Equal(t, payout.StatusImported, state.Status)
	posted, err := b.tryPost(t, payout.PostInput{ID: id, Date: date.MustParse("2026-04-02")})
	require.NoError(t, err)
	require.Equal(t, "2026-04-02", b.journal(t, posted.JournalTransactionID)[0])
}

func unifiedPayments(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e.At(time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)))
	invoice := b.invoice(t, "SF260000001", "50.00")
	r, err := b.tryImport(t, "id,Created date (UTC),Amount,Amount Refunded,Currency,Fee,Status,Description,Transfer\n"+
		"ch_1,2026-03-02 10:00,50.00,20.00,eur,1.20,Paid,SF260000001,po_1\nch_2,2026-03-02 10:00,50.00,0,eur,,Failed,,\n")
	require.NoError(t, err)
	require.Equal(t, 1, r.SkippedNotSettled)
	require.True(t, r.Settlements[0].PayoutDate.IsZero())
	posted := b.post(t, r.Settlements[0].ID)
	require.Equal(t, []string{"2026-04-01", "Dr 2710 28.80", "Dr 6104 1.20", "Cr 2410 50.00", "Dr 2410 20.00"}, b.journal(t, posted.JournalTransactionID))
	require.Equal(t, "20.00", b.open(t, invoice))
	require.Equal(t, []string{"The report does not say which payout 1 refunds were taken from; this one was assumed."}, posted.Warnings)
}

func appendOnly(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.post(t, b.load(t, row("po_1", "t1", "charge", 500, 0, "", "")).Settlements[0].ID)
	for _, err := range []error{
		b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := tenant.Exec(ctx, tx, "UPDATE settlement_postings SET created_at = created_at WHERE company_id = @company")
			return err
		}),
		b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := tenant.Exec(ctx, tx, "DELETE FROM settlement_postings WHERE company_id = @company")
			return err
		}),
	} {
		require.Error(t, err)
	}
}

func TestPostAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		const calls = 50
		b := newBooks(t, e)
		invoice := b.invoice(t, "SF260000001", "100.00")
		id := b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", "SF260000001")).Settlements[0].ID
		results, errs := make([]*payout.PostResult, calls), make([]error, calls)
		var wait sync.WaitGroup
		for i := range calls {
			wait.Go(func() { results[i], errs[i] = b.tryPost(t, payout.PostInput{ID: id}) })
		}
		wait.Wait()
		var posted *payout.PostResult
		for i, r := range results {
			if errs[i] == nil {
				require.Nil(t, posted, "posted twice")
				posted = r
			}
		}
		require.NotNil(t, posted)
		for _, err := range errs {
			if err != nil {
				require.Equal(t, *posted.JournalTransactionID, refused(t, err, payout.ErrAlreadyPosted).Details()["existingId"])
			}
		}
		require.Equal(t, "96.80", b.balance(t, "2710"))
		require.Equal(t, "0.00", b.open(t, invoice))
		require.Equal(t, map[string]int{"settlement.imported": 1, "settlement.posted": 1, "sale_invoice.paid": 1}, b.events(t))
		b.sound(t)
	})
}

// TestPostPartsAtOnce posts the payment and the refunds of one invoice, which are in payouts of their own, side by side: in every order the
// money that is left pays the invoice.
func TestPostPartsAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		invoice := b.invoice(t, "SF260000001", "100.00")
		ids := []tenant.ID{b.load(t, row("po_0", "t0", "charge", 10000, 0, "ch_1", "SF260000001")).Settlements[0].ID}
		for i := range 5 {
			ids = append(ids, b.load(t, row(fmt.Sprint("po_1", i), fmt.Sprint("t1", i), "refund", -1000, 0, "ch_1", "")).Settlements[0].ID)
		}
		var wait sync.WaitGroup
		for _, id := range ids {
			wait.Go(func() {
				_, err := b.tryPost(t, payout.PostInput{ID: id})
				if err != nil {
					t.Errorf("posting: %v", err)
				}
			})
		}
		wait.Wait()
		require.Equal(t, "50.00", b.open(t, invoice))
		require.Equal(t, "0.00", b.balance(t, "4499"))
		require.Equal(t, "50.00", b.balance(t, "2710"))
		b.sound(t)
	})
}

// TestB158 compares the list with the ledger where settlements have several lines, attempts and events.
func TestB158(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		b.invoice(t, "SF260000001", "100000.00")
		rows := []string{}
		for i := range 100 {
			for j := range 1 + i%4 {
				rows = append(rows, row(fmt.Sprint("po_", i), fmt.Sprint("t", i, "-", j), "charge", int64(100+i+j), 3, fmt.Sprint("ch", i, "-", j), "SF260000001"))
			}
		}
		for _, s := range b.load(t, rows...).Settlements {
			b.post(t, s.ID)
		}
		net, lines, matched := int64(0), 0, 0
		page := b.list(t)
		for _, s := range page.Rows {
			require.Equal(t, payout.StatusPosted, s.Status)
			net, lines, matched = net+s.NetMinor, lines+s.LineCount, matched+s.MatchedCount
		}
		require.Equal(t, []int{100, 250, 250}, []int{page.Total, lines, matched})
		require.Equal(t, b.balance(t, "2710"), money.New(net, money.EUR).String())
		b.sound(t)
	})
}
