package invoice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestCancel(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("40")))
		cancelled, err := b.tryCancel(t.Context(), sold.ID)
		require.NoError(t, err)
		require.Equal(t, cancelled, b.get(t, sold.ID))
		require.Equal(t, invoice.StatusIssued, cancelled.Status)
		require.False(t, cancelled.CancelledAt.IsZero())
		require.Equal(t, "0.00", cancelled.Summary().PaidAmount.String())
		require.Equal(t, sold.FullNumber, cancelled.FullNumber)
		require.Equal(t, "0.00", b.owed(t, sold.ID))
		require.Equal(t, []string{"SF PVM1 21 40.00 8.40", "AN PVM1 21 -40.00 -8.40"}, b.register(t, sold.ID))
		for _, account := range []string{"2410", "5000", "4492"} {
			require.Equal(t, "0.00", b.balance(t, account))
		}
		_, err = b.tryCancel(t.Context(), sold.ID)
		require.ErrorIs(t, err, invoice.ErrCancelled)
		require.Equal(t, "SF260000002", *b.issue(t, sale(net("1"))).FullNumber, "the number stays used")
		b.RequireBalanced(t)
	})
}

func TestCancelTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		sold := b.issue(t, sale(net("40")))
		offer := b.issue(t, invoice.CreateInput{Type: invoice.TypeProforma, Lines: []invoice.LineInput{net("1")}})
		for _, id := range []tenant.ID{sold.ID, offer.ID} {
			done := 0
			for _, err := range b.together(t, 3, func(ctx context.Context, _ int) error { _, err := b.tryCancel(ctx, id); return err }) {
				if err == nil {
					done++
					continue
				}
				require.ErrorIs(t, err, invoice.ErrCancelled)
			}
			require.Equal(t, 1, done)
		}
		b.RequireBalanced(t)
	})
}

func TestCancelRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	draft := b.create(t, sale(net("1")))
	paid := b.issue(t, sale(net("100")))
	b.pay(t, paid.ID, "0.01")
	credited := b.issue(t, sale(net("100")))
	credit, err := b.credit(t.Context(), credited.ID, net("1"))
	require.NoError(t, err)
	in := sale(net("1"))
	in.IssueDate = date.MustParse("2025-12-31")
	old := b.issue(t, in)
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Lock(ctx, tx, date.MonthOf(in.IssueDate))
		return err
	})
	for name, tt := range map[string]struct {
		id   tenant.ID
		code *apperr.Code
	}{
		"Draft":       {draft.ID, invoice.ErrNotIssued},
		"Paid":        {paid.ID, invoice.ErrNotCancelled},
		"Credited":    {credited.ID, invoice.ErrNotCancelled},
		"CreditNote":  {credit.ID, invoice.ErrNotCancelled},
		"LockedMonth": {old.ID, ledger.ErrPeriodLocked},
		"Unknown":     {tenant.NewID(), apperr.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.tryCancel(t.Context(), tt.id)
			require.ErrorIs(t, err, tt.code)
		})
	}
	t.Run("WithoutReason", func(t *testing.T) {
		t.Parallel()
		_, err := b.do(t.Context(), func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) {
			return invoice.Cancel(ctx, tx, invoice.CancelInput{ID: paid.ID, Reason: " "})
		})
		require.ErrorIs(t, err, apperr.ErrValidation)
	})
}
