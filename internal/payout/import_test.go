package payout_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestImport(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for name, test := range map[string]func(*testing.T, *testkit.Engine){
			"StoresEveryPayout": storesEveryPayout, "ReplacesUntilPosted": replacesUntilPosted, "RefusesWhatDoesNotAddUp": refusesSums,
			"B154_AMovementIsPaidOnce": movementOnce, "MovesALineBetweenPayouts": movesLine, "AtOnceGivesOneSettlement": importAtOnce,
			"OtherCompaniesAreApart": apart,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, e)
			})
		}
	})
}

func storesEveryPayout(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	r := b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", ""), row("po_2", "t2", "charge", 500, 0, "", ""),
		row("po_1", "t3", "refund", -2000, 0, "ch_1", ""), row("", "t4", "charge", 1, 0, "", ""), row("po_1", "p", "payout", -7680, 0, "", ""))
	require.Equal(t, []int{2, 0, 0, 1, 1, 0}, []int{r.Imported, r.Updated, r.Skipped, r.SkippedUnassigned, r.SkippedPayoutRows, r.SkippedNotSettled})
	card := r.Settlements[0].Card()
	require.Equal(t, "po_1 2026-03-05 EUR 80.00 3.20 76.80 imported 2 0 2", fmt.Sprint(card.PayoutID, " ", card.PayoutDate, " ", card.Currency, " ",
		card.GrossTotal, " ", card.FeeTotal, " ", card.NetTotal, " ", card.Status, " ", card.LineCount, " ", card.MatchedCount, " ", card.UnmatchedCount))
	require.Equal(t, []string{"t1 unmatched", "t3 unmatched"}, b.matches(t, card.ID))
	require.Equal(t, map[string]int{"settlement.imported": 2}, b.events(t))
	b.sound(t)
}

func replacesUntilPosted(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	invoice, other := b.invoice(t, "SF260000001", "100.00"), b.invoice(t, "SF260000002", "70.00")
	first := b.load(t, row("po_1", "t1", "charge", 10000, 0, "ch_1", "SF260000001"), row("po_1", "t2", "charge", 7000, 0, "ch_2", ""), row("po_1", "t3", "charge", 1, 0, "", ""))
	id := first.Settlements[0].ID
	_, lines := b.get(t, id)
	_, err := b.tryMatch(t, lines[0].ID, tenant.ID{})
	require.NoError(t, err)
	_, err = b.tryMatch(t, lines[1].ID, other)
	require.NoError(t, err)
	require.Equal(t, []string{"t1 unmatched", "t2 manual SF260000002", "t3 unmatched"}, b.matches(t, id))

	again := b.load(t, row("po_1", "t4", "charge", 3000, 0, "", "for SF260000001."), row("po_1", "t1", "charge", 10000, 0, "ch_1", "SF260000001"), row("po_1", "t2", "charge", 7000, 0, "ch_2", ""))
	require.Equal(t, []int{0, 1, 0}, []int{again.Imported, again.Updated, again.Skipped})
	require.Equal(t, id, again.Settlements[0].ID)
	require.Equal(t, []string{"t4 matched SF260000001", "t1 unmatched", "t2 manual SF260000002"}, b.matches(t, id), "what was decided by hand stays")
	_, after := b.get(t, id)
	require.Equal(t, lines[0].ID, after[1].ID)
	require.Equal(t, lines[1].ID, after[2].ID)
	require.Equal(t, "200.00", again.Settlements[0].Card().GrossTotal.String())

	b.post(t, id)
	skipped := b.load(t, row("po_1", "t9", "charge", 1, 0, "", ""), row("po_2", "t8", "charge", 1, 0, "", ""))
	require.Equal(t, []int{1, 0, 1}, []int{skipped.Imported, skipped.Updated, skipped.Skipped})
	require.Equal(t, payout.StatusPosted, skipped.Settlements[0].Status)
	_, final := b.get(t, id)
	require.Equal(t, after, final)
	_, err = b.tryMatch(t, final[0].ID, invoice)
	require.ErrorIs(t, err, payout.ErrPosted)
	require.Equal(t, map[string]int{"settlement.imported": 2, "settlement.updated": 3, "settlement.posted": 1, "sale_invoice.paid": 1}, b.events(t))
	b.sound(t)
}

func refusesSums(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	_, err := b.tryImport(t, columns+row("po_0", "t0", "charge", 100, 0, "", "")+row("po_1", "t1", "charge", 100, 0, "", "")+row("po_1", "p", "payout", -99, 0, "", ""))
	refusal := refused(t, err, payout.ErrMismatch)
	require.Equal(t, map[string]any{"payoutId": "po_1", "expected": "0.99", "found": "1.00"}, refusal.Details())
	require.Equal(t, apperr.Rule, refusal.Kind())
	_, err = b.tryImport(t, columns+row("po_0", "t0", "charge", 100, 0, "", "")+"po_1,x\n")
	refusal = refused(t, err, payout.ErrUnreadable)
	require.Equal(t, map[string]any{"line": 3}, refusal.Details())
	require.Contains(t, refusal.Fields(), "content")
	require.Empty(t, b.list(t).Rows, "nothing was imported")
	require.Empty(t, b.events(t))
}

func movementOnce(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	first := b.load(t, row("po_1", "L-9", "charge", 1000, 0, "", ""))
	_, err := b.tryImport(t, columns+row("po_2", "L-8", "charge", 1000, 0, "", "")+row("po_2", "L-9", "charge", 1000, 0, "", ""))
	refusal := refused(t, err, payout.ErrLineElsewhere)
	require.Equal(t, first.Settlements[0].ID, refusal.Details()["existingId"])
	require.Equal(t, "po_1", refusal.Details()["payoutId"])
	require.Contains(t, refusal.Message(), "po_1")
	b.post(t, first.Settlements[0].ID)
	_, err = b.tryImport(t, columns+row("po_2", "L-9", "charge", 1000, 0, "", ""))
	require.ErrorIs(t, err, payout.ErrLineElsewhere)
	require.Len(t, b.list(t).Rows, 1)
	require.Equal(t, "10.00", b.balance(t, "2710"), "paid once")
}

func movesLine(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.load(t, row("po_1", "t1", "charge", 1000, 0, "", ""), row("po_1", "t2", "charge", 200, 0, "", ""), row("po_2", "t3", "charge", 30, 0, "", ""))
	r := b.load(t, row("po_2", "t1", "charge", 1000, 0, "", ""), row("po_1", "t2", "charge", 200, 0, "", ""), row("po_2", "t3", "charge", 30, 0, "", ""))
	require.Equal(t, 2, r.Updated)
	require.Equal(t, []string{"t1 unmatched", "t3 unmatched"}, b.matches(t, r.Settlements[0].ID))
	require.Equal(t, []string{"t2 unmatched"}, b.matches(t, r.Settlements[1].ID))
	b.sound(t)
}

func importAtOnce(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	const imports = 20
	results, errs := make([]*payout.ImportResult, imports), make([]error, imports)
	var wait sync.WaitGroup
	for i := range imports {
		wait.Go(func() {
			results[i], errs[i] = b.tryImport(t, columns+row("po_1", "t1", "charge", 1000, 0, "", "")+row("po_2", "t2", "charge", 200, 0, "", ""))
		})
	}
	wait.Wait()
	imported := 0
	for i, r := range results {
		require.NoError(t, errs[i])
		require.Equal(t, 2, r.Imported+r.Updated)
		imported += r.Imported
	}
	require.Equal(t, 2, imported)
	require.Len(t, b.list(t).Rows, 2)
	b.sound(t)
}

func apart(t *testing.T, e *testkit.Engine) {
	a, b := newBooks(t, e), newBooks(t, e)
	invoice := a.invoice(t, "SF260000001", "10.00")
	rows := row("po_1", "t1", "charge", 1000, 0, "", "SF260000001")
	mine, theirs := a.load(t, rows), b.load(t, rows)
	require.Equal(t, 1, theirs.Imported)
	require.Equal(t, []string{"t1 matched SF260000001"}, a.matches(t, mine.Settlements[0].ID))
	require.Equal(t, []string{"t1 unmatched"}, b.matches(t, theirs.Settlements[0].ID))
	_, lines := b.get(t, theirs.Settlements[0].ID)
	_, err := b.tryMatch(t, lines[0].ID, invoice)
	require.ErrorIs(t, err, payout.ErrUnknownInvoice)
	_, err = a.tryMatch(t, lines[0].ID, invoice)
	require.ErrorIs(t, err, apperr.ErrNotFound)
	_, err = a.tryPost(t, payout.PostInput{ID: theirs.Settlements[0].ID})
	require.ErrorIs(t, err, apperr.ErrNotFound)
}

func TestImportOfTenMegabytes(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		b.invoice(t, "SF260000001", "10.00")
		var rows strings.Builder
		rows.WriteString(columns)
		const lines = 30_000
		for i := range lines {
			rows.WriteString(row(fmt.Sprint("po_", i%2), fmt.Sprint("txn_", i), "charge", 1000, 32, fmt.Sprint("ch_", i), strings.Repeat("x", 200)+fmt.Sprint(" order ", i)))
		}
		rows.WriteString(row("po_0", "last", "charge", 1000, 0, "", "SF260000001"))
		require.Greater(t, rows.Len(), 8<<20)
		r, err := b.tryImport(t, rows.String())
		require.NoError(t, err)
		require.Equal(t, []int{lines/2 + 1, 1, lines / 2}, []int{r.Settlements[0].LineCount, r.Settlements[0].MatchedCount, r.Settlements[1].LineCount})
		posted := b.post(t, r.Settlements[0].ID)
		require.Equal(t, "10.00", posted.Summary.ReceivableApplied.String())
	})
}
