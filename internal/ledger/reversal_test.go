package ledger_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestReverse(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		// B-092: however many lines there are, each is negated.
		for name, test := range map[string]struct{ table, mirror string }{
			"TwoLines": {"Dr 2710 5.00 / Cr 2720 5.00", "Cr 2710 5.00 / Dr 2720 5.00"},
			"ThreeLines": {
				"Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00", "Cr 2410 121.00 / Dr 5000 100.00 / Dr 4492 21.00",
			},
			"SevenLines": {
				"Dr 6300 0.01 / Dr 6301 0.02 / Dr 6302 0.03 / Dr 6300 0.04 / Dr 6303 0.05 / Dr 2441 0.06 / Cr 4430 0.21",
				"Cr 6300 0.01 / Cr 6301 0.02 / Cr 6302 0.03 / Cr 6300 0.04 / Cr 6303 0.05 / Cr 2441 0.06 / Dr 4430 0.21",
			},
			"ForeignCurrency": {
				"Dr 2710 USD 100.00 = 95.00 / Cr 2410 USD 100.00 = 90.00 / Cr 5800 5.00",
				"Cr 2710 USD 100.00 = 95.00 / Dr 2410 USD 100.00 = 90.00 / Dr 5800 5.00",
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := books(t, e)
				original := post(t, c, "2026-01-15", test.table)
				mirror, err := reverse(t, c, ledger.Reversal{TransactionID: original.ID})
				require.NoError(t, err)
				require.Equal(t, test.mirror, entries(t, c, mirror.ID))
				require.Equal(t, test.table, entries(t, c, original.ID), "the original stays")
				require.Equal(t, original.ID, *mirror.ReversesID)
				require.Equal(t, original.TransactionDate, mirror.TransactionDate)
				require.Empty(t, balances(t, c))
			})
		}
	})
}

// B-040, B-096: a refused reversal changes nothing.
func TestReverseHappensOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		post(t, c, "2026-01-10", "Dr 2710 500.00 / Cr 3011 500.00")
		payment := post(t, c, "2026-01-15", "Dr 4430 1.00 / Cr 2710 1.00")
		mirror, err := reverse(t, c, ledger.Reversal{TransactionID: payment.ID})
		require.NoError(t, err)
		reversed := balances(t, c)
		require.Equal(t, map[string]string{"2710": "500.00", "3011": "-500.00"}, reversed)
		transactions, lines := rows(t, c)

		for range 2 {
			_, err = reverse(t, c, ledger.Reversal{TransactionID: payment.ID})
			require.ErrorIs(t, err, ledger.ErrAlreadyReversed)
			require.Equal(t, mirror.ID, refusalOf(t, err).Details()["existingId"])
			require.Equal(t, reversed, balances(t, c))
		}
		_, err = reverse(t, c, ledger.Reversal{TransactionID: mirror.ID})
		require.ErrorIs(t, err, ledger.ErrIsReversal)
		require.Equal(t, reversed, balances(t, c))
		afterTransactions, afterLines := rows(t, c)
		require.Equal(t, []int64{transactions, lines}, []int64{afterTransactions, afterLines})
	})
}

func TestReverseAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		payment := post(t, c, "2026-01-15", "Dr 4430 1.00 / Cr 2710 1.00")
		const twins = 6
		errs := make([]error, twins)
		var running sync.WaitGroup
		for i := range twins {
			running.Go(func() {
				errs[i] = persistently(t, c, func(ctx context.Context, tx tenant.Tx) error {
					_, err := ledger.Reverse(ctx, tx, ledger.Reversal{TransactionID: payment.ID})
					return err
				})
			})
		}
		running.Wait()
		succeeded := 0
		for _, err := range errs {
			if err == nil {
				succeeded++
				continue
			}
			require.ErrorIs(t, err, ledger.ErrAlreadyReversed)
		}
		require.Equal(t, 1, succeeded)
		require.Empty(t, balances(t, c))
	})
}

func TestReverseRefuses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, stranger := books(t, e), books(t, e)
		p := posting(t, "2026-01-15", "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00")
		p.DocumentType, p.DocumentID = "sale_invoice", tenant.NewID()
		invoice, err := try(t, c, p)
		require.NoError(t, err)

		_, err = reverse(t, c, ledger.Reversal{TransactionID: invoice.ID})
		require.ErrorIs(t, err, ledger.ErrBelongsToDocument)
		_, err = reverse(t, stranger, ledger.Reversal{TransactionID: invoice.ID, OfDocument: true})
		require.ErrorIs(t, err, apperr.ErrNotFound, "another company's transaction")
		_, err = reverse(t, c, ledger.Reversal{TransactionID: invoice.ID, OfDocument: true, Date: date.MustParse("2026-01-14")})
		require.ErrorIs(t, err, ledger.ErrInvalidPosting)
		require.Len(t, balances(t, c), 3)

		mirror, err := reverse(t, c, ledger.Reversal{TransactionID: invoice.ID, OfDocument: true})
		require.NoError(t, err)
		require.Equal(t, p.DocumentID, *mirror.DocumentID, "the mirror names the same document")
		require.Empty(t, balances(t, c))
	})
}

func TestReversalDate(t *testing.T) {
	t.Parallel()
	c := books(t, testkit.SQLite(t))
	first, second := post(t, c, "2026-01-15", "Dr 6300 1.00 / Cr 2710 1.00"), post(t, c, "2026-01-16", "Dr 6300 2.00 / Cr 2710 2.00")
	lock(t, c, january)

	_, err := reverse(t, c, ledger.Reversal{TransactionID: first.ID, Date: first.TransactionDate})
	require.ErrorIs(t, err, ledger.ErrPeriodLocked, "a date that was asked for is not changed")
	mirror, err := reverse(t, c, ledger.Reversal{TransactionID: first.ID})
	require.NoError(t, err)
	require.Equal(t, "2026-03-10", mirror.TransactionDate.String(), "today, once the month is locked")
	mirror, err = reverse(t, c, ledger.Reversal{TransactionID: second.ID, Date: date.MustParse("2026-02-01"), Description: "Wrong bill"})
	require.NoError(t, err)
	require.Equal(t, "2026-02-01", mirror.TransactionDate.String())
	require.Equal(t, "Wrong bill", *mirror.Description)
}

func TestReverseClosedAccount(t *testing.T) {
	t.Parallel()
	c := books(t, testkit.SQLite(t))
	original := post(t, c, "2026-01-15", "Dr 6300 1.00 / Cr 2710 1.00")
	closeAccount(t, c, "6300")
	_, err := try(t, c, posting(t, "2026-01-15", "Dr 6300 1.00 / Cr 2710 1.00"))
	require.ErrorIs(t, err, ledger.ErrNotPostable)
	_, err = reverse(t, c, ledger.Reversal{TransactionID: original.ID})
	require.NoError(t, err)
	require.Empty(t, balances(t, c))
}
