package asset_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// purchase posts the cost of an asset as its supplier invoice does.
func (b books) purchase(t *testing.T, amount money.Amount) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Post(ctx, tx, ledger.Posting{Date: date.MustParse("2024-12-05"), Lines: []ledger.Line{
			{AccountCode: "1220", Debit: amount}, {AccountCode: "4430", Credit: amount},
		}})
		return err
	})
}

func TestDispose(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("B144_NothingIsDepreciatedAfterwards", func(t *testing.T) {
			t.Parallel()
			nothingAfterwards(t, e)
		})
		t.Run("ANamedAccountTakesTheLoss", func(t *testing.T) {
			t.Parallel()
			namedAccount(t, e)
		})
		t.Run("AFullyDepreciatedAssetLeavesWithoutLoss", func(t *testing.T) {
			t.Parallel()
			withoutLoss(t, e)
		})
		t.Run("BadDaysAreRefused", func(t *testing.T) {
			t.Parallel()
			badDays(t, e)
		})
	})
}

func nothingAfterwards(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.purchase(t, eur("1200"))
	a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.post(t, "2025-01")
	b.post(t, "2025-02")
	disposed, err := b.dispose(t, asset.DisposeInput{AssetID: a.ID, Date: date.MustParse("2025-03-15"), Reason: " Sold "})
	require.NoError(t, err)
	require.Equal(t, asset.StatusDisposed, disposed.Status)
	require.Equal(t, int64(30000), disposed.AccumulatedMinor, "the month of the disposal is depreciated")
	require.Equal(t, int64(0), disposed.NetBookMinor)
	require.Equal(t, "Sold", *disposed.DisposalReason)

	march := b.post(t, "2025-03")
	require.Equal(t, asset.Result{Skipped: 1, Total: eur("0")}, *march)
	april := b.post(t, "2025-04")
	require.Equal(t, asset.Result{Total: eur("0")}, *april)
	rows, _ := b.preview(t, "2025-04")
	require.Empty(t, rows)
	require.Equal(t, []string{"100.00", "100.00", "100.00"}, b.booked(t, a.ID))
	require.Equal(t, "0.00", b.balance(t, "1220"))
	require.Equal(t, "0.00", b.balance(t, "1227"))
	require.Equal(t, "1200.00", b.balance(t, "6310"), "depreciation and what was left")

	_, err = b.dispose(t, asset.DisposeInput{AssetID: a.ID, Date: date.MustParse("2025-03-16"), Reason: "Sold"})
	refused(t, err, asset.ErrDisposed)
	_, err = b.modernize(t, asset.ModernizeInput{AssetID: a.ID, Date: date.MustParse("2025-04-16"), Amount: eur("1")})
	refused(t, err, asset.ErrDisposed)
	require.Equal(t, 1, b.actions(t)["asset.disposed"])
	b.RequireBalanced(t)
}

func namedAccount(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.purchase(t, eur("1250"))
	a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 12, SalvageValue: eur("600")})
	_, err := b.modernize(t, asset.ModernizeInput{AssetID: a.ID, Date: date.MustParse("2024-12-20"), Amount: eur("50"), AddedLifeMonths: 1})
	require.NoError(t, err)
	in := asset.DisposeInput{AssetID: a.ID, Date: date.MustParse("2025-01-31"), Reason: "Lost", ExpenseAccountCode: "5000"}
	_, err = b.dispose(t, in)
	refused(t, err, asset.ErrWrongAccount)
	require.Empty(t, b.booked(t, a.ID), "a refusal leaves nothing")
	in.ExpenseAccountCode = "6201"
	journal, err := result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (tenant.ID, error) {
		_, id, err := asset.Dispose(ctx, tx, in)
		return id, err
	})
	require.NoError(t, err)
	require.Equal(t, []string{"2025-01-31 asset_disposal", "Dr 1227 50.00", "Dr 6201 1200.00", "Cr 1220 1250.00"}, b.journal(t, journal))
	require.Equal(t, "0.00", b.balance(t, "1220"))
}

func withoutLoss(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 1})
	b.post(t, "2025-01")
	journal, err := result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (tenant.ID, error) {
		_, id, err := asset.Dispose(ctx, tx, asset.DisposeInput{AssetID: a.ID, Date: date.MustParse("2026-07-01"), Reason: "Scrapped"})
		return id, err
	})
	require.NoError(t, err)
	require.Equal(t, []string{"2026-07-01 asset_disposal", "Dr 1227 1200.00", "Cr 1220 1200.00"}, b.journal(t, journal))
}

func badDays(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.post(t, "2025-01")
	b.post(t, "2025-02")
	_, err := b.modernize(t, asset.ModernizeInput{AssetID: a.ID, Date: date.MustParse("2025-04-20"), Amount: eur("50")})
	require.NoError(t, err)
	for name, example := range map[string]struct {
		day  string
		code *apperr.Code
	}{
		"BeforeTheModernisation": {"2025-04-19", asset.ErrInvalidTerms},
		"MonthsAreMissing":       {"2025-05-01", asset.ErrMonthsMissing},
	} {
		_, err := b.dispose(t, asset.DisposeInput{AssetID: a.ID, Date: date.MustParse(example.day), Reason: "Sold"})
		require.ErrorIs(t, err, example.code, name)
	}
	other := b.asset(t, asset.CreateInput{Code: "A2", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.post(t, "2025-01")
	b.post(t, "2025-02")
	_, err = b.dispose(t, asset.DisposeInput{AssetID: other.ID, Date: date.MustParse("2025-01-31"), Reason: "Sold"})
	require.Equal(t, "2025-02", refused(t, err, asset.ErrMonthPosted).details["lastPostedMonth"])
	_, err = b.dispose(t, asset.DisposeInput{AssetID: other.ID, Date: date.MustParse("2025-02-28")})
	refused(t, err, apperr.ErrValidation)
	_, err = b.dispose(t, asset.DisposeInput{AssetID: other.ID, Date: date.MustParse("2025-02-28"), Reason: "Sold"})
	require.NoError(t, err)
}
