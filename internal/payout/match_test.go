package payout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		first := b.invoice(t, "SF260000001", "100.00")
		b.invoice(t, "SF260000002", "100.00")
		b.foreignInvoice(t, "SF260000003", parse("10.00", "USD"), parse("9.00", "EUR"))
		b.invoice(t, "PZ-26/7", "100.00")
		b.load(t, row("po_0", "e1", "charge", 100, 0, "ch_early", "SF260000002"))
		rows := []struct{ id, category, charge, description, want string }{
			{"NumberInText", "charge", "ch_1", "Payment for invoice sf260000001 - thanks", "matched SF260000001"},
			{"NumberWithBlank", "charge", "", "SF 260000002", "matched SF260000002"},
			{"NumberWithMarks", "charge", "", "No. PZ-26/7.", "matched PZ-26/7"},
			{"ID", "charge", "", "order " + first.String(), "matched SF260000001"},
			{"TwoNumbers", "charge", "", "SF260000001 and SF260000002", "unmatched"},
			{"SameNumberTwice", "charge", "", "SF260000001 SF260000001", "matched SF260000001"},
			{"PartOfANumber", "charge", "", "SF2600000010", "unmatched"},
			{"OtherCurrency", "charge", "", "SF260000003", "unmatched"},
			{"RefundOfAPayment", "refund", "ch_1", "REFUND", "matched SF260000001"},
			{"RefundOfAnEarlierPayment", "refund", "ch_early", "", "matched SF260000002"},
			{"DisputeIsForPeople", "dispute", "ch_1", "SF260000001", "unmatched"},
			{"Nothing", "charge", "", "", "unmatched"},
		}
		text, want := []string{}, []string{}
		for _, r := range rows {
			text = append(text, row("po_1", r.id, r.category, 100, 0, r.charge, r.description))
			want = append(want, r.id+" "+r.want)
		}
		id := b.load(t, text...).Settlements[0].ID
		require.Equal(t, want, b.matches(t, id))
		state, _ := b.get(t, id)
		require.Equal(t, []int{12, 7}, []int{state.LineCount, state.MatchedCount})
	})
}

func TestMatchByReference(t *testing.T) {
	t.Parallel()
	b := newBooks(t, testkit.SQLite(t))
	b.invoice(t, "SF260000001", "100.00")
	b.invoice(t, "SF260000002", "100.00")
	r, err := b.tryImport(t, "automatic_payout_id,balance_transaction_id,created,currency,gross,fee,net,reporting_category,description,payment_metadata[invoice_no]\n"+
		"po_1,t1,2026-03-02,eur,5,0,5,charge,SF260000001,SF260000002\npo_1,t2,2026-03-02,eur,5,0,5,charge,SF260000001,none\n")
	require.NoError(t, err)
	require.Equal(t, []string{"t1 matched SF260000002", "t2 matched SF260000001"}, b.matches(t, r.Settlements[0].ID))
}

// A refund has the invoice of its payment, also when one report has both in two payouts.
func TestMatchAcrossPayouts(t *testing.T) {
	t.Parallel()
	b := newBooks(t, testkit.SQLite(t))
	b.invoice(t, "SF260000001", "100.00")
	report := []string{row("po_1", "t1", "refund", -100, 0, "ch_1", ""), row("po_2", "t2", "charge", 10000, 0, "ch_1", "SF260000001")}
	for range 2 { // imported again they are matched alike
		settlements := b.load(t, report...).Settlements
		require.Equal(t, []string{"t1 matched SF260000001"}, b.matches(t, settlements[0].ID))
		require.Equal(t, []string{"t2 matched SF260000001"}, b.matches(t, settlements[1].ID))
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		dollars := b.foreignInvoice(t, "SF260000003", parse("10.00", "USD"), parse("9.00", "EUR"))
		euros := b.invoice(t, "SF260000001", "100.00")
		id := b.load(t, row("po_1", "t1", "dispute", -100, 1500, "ch_1", "")).Settlements[0].ID
		_, lines := b.get(t, id)
		_, err := b.tryMatch(t, lines[0].ID, dollars)
		require.Contains(t, refused(t, err, payout.ErrCurrency).Fields(), "invoiceId")
		_, err = b.tryMatch(t, lines[0].ID, tenant.NewID())
		require.Contains(t, refused(t, err, payout.ErrUnknownInvoice).Fields(), "invoiceId")
		l, err := b.tryMatch(t, lines[0].ID, euros)
		require.NoError(t, err)
		require.Equal(t, payout.Manual, l.Card(parse("0", "EUR").Currency()).MatchStatus)
		require.Equal(t, []string{"t1 manual SF260000001"}, b.matches(t, id))
		_, err = b.tryMatch(t, lines[0].ID, tenant.ID{})
		require.NoError(t, err)
		require.Equal(t, []string{"t1 unmatched"}, b.matches(t, id))
		require.Equal(t, 2, b.events(t)["settlement.updated"])
	})
}
