package asset_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func equal(n int, part, last string) []string { return append(slices.Repeat([]string{part}, n), last) }

func TestPostReportedCases(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		create := func(code, cost string, life int, opening string, months int) tenant.ID {
			return b.asset(t, asset.CreateInput{
				Code: code, AcquisitionCost: eur(cost), UsefulLifeMonths: life, Opening: eur(opening), OpeningMonths: months,
			}).ID
		}
		b142 := create("B-142", "308414.42", 12, "0", 0)
		b146 := create("B-146", "3407.08", 36, "89.10", 1)
		b148 := create("B-148", "625.58", 36, "0", 0)
		b152 := create("B-152", "12509.79", 18, "0", 0)
		for year := 2025; year <= 2027; year++ {
			b.postYear(t, year)
		}
		require.Equal(t, equal(11, "25701.20", "25701.22"), b.booked(t, b142))
		require.Equal(t, equal(34, "94.80", "94.78"), b.booked(t, b146))
		require.Equal(t, equal(35, "17.38", "17.28"), b.booked(t, b148))
		require.Equal(t, equal(17, "694.99", "694.96"), b.booked(t, b152))

		imported := b.get(t, b146)
		require.Equal(t, asset.StatusFullyDepreciated, imported.Status)
		require.Equal(t, 36, imported.DepreciatedMonths)
		require.Equal(t, int64(0), imported.NetBookMinor)
		require.Equal(t, "324867.77", b.balance(t, "6310"), "everything but the opening is charged")
		require.Equal(t, "-324867.77", b.balance(t, "1227"))
		after := b.post(t, "2028-01")
		require.Equal(t, asset.Result{Total: eur("0")}, *after)
		b.RequireBalanced(t)
	})
}

func TestPost(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("OneTransactionChargesEachGroup", func(t *testing.T) {
			t.Parallel()
			oneTransaction(t, e)
		})
		t.Run("ARepeatedRunPostsWhatIsMissing", func(t *testing.T) {
			t.Parallel()
			repeatedRun(t, e)
		})
		t.Run("MonthsFollowOneAnother", func(t *testing.T) {
			t.Parallel()
			monthsFollow(t, e)
		})
		t.Run("ALockedMonthIsRefused", func(t *testing.T) {
			t.Parallel()
			lockedMonth(t, e)
		})
		t.Run("PartsThatRoundToNothingNeedNoJournal", func(t *testing.T) {
			t.Parallel()
			nothingToPost(t, e)
		})
		t.Run("WhatIsBookedNeverChanges", func(t *testing.T) {
			t.Parallel()
			appendOnly(t, e)
		})
	})
}

func oneTransaction(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.asset(t, asset.CreateInput{Code: "A", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.asset(t, asset.CreateInput{Code: "B", AcquisitionCost: eur("2400"), UsefulLifeMonths: 12})
	b.asset(t, asset.CreateInput{Code: "C", AcquisitionCost: eur("360"), GroupID: b.software})
	rows, total := b.preview(t, "2025-01")
	require.Len(t, rows, 3)
	require.Equal(t, "310.00", total)
	run := b.post(t, "2025-01")
	require.Equal(t, 3, run.Posted)
	require.Equal(t, 0, run.Skipped)
	require.Equal(t, "310.00", run.Total.String())
	require.Equal(t, []string{
		"2025-01-31 depreciation_run", "Dr 6310 300.00", "Cr 1227 300.00", "Dr 6302 10.00", "Cr 1138 10.00",
	}, b.journal(t, *run.JournalTransactionID))
	posted, total := b.preview(t, "2025-01")
	require.Equal(t, "310.00", total)
	for i := range rows {
		require.False(t, rows[i].AlreadyPosted)
		rows[i].AlreadyPosted = true
	}
	require.Equal(t, rows, posted, "a preview shows what the run posts")
	require.Equal(t, 1, b.actions(t)["depreciation_run.posted"])
}

func repeatedRun(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.asset(t, asset.CreateInput{Code: "A", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.post(t, "2025-01")
	b.asset(t, asset.CreateInput{Code: "B", AcquisitionCost: eur("2400"), UsefulLifeMonths: 12})
	second := b.post(t, "2025-01")
	require.Equal(t, 1, second.Posted)
	require.Equal(t, 1, second.Skipped)
	require.Equal(t, "200.00", second.Total.String())
	third := b.post(t, "2025-01")
	require.Equal(t, asset.Result{Skipped: 2, Total: eur("0")}, *third)
	require.Equal(t, "300.00", b.balance(t, "6310"))
	require.Equal(t, 2, b.actions(t)["depreciation_run.posted"], "a run that books nothing changes nothing")
}

func monthsFollow(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.asset(t, asset.CreateInput{Code: "A", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.post(t, "2025-01")
	b.asset(t, asset.CreateInput{Code: "C", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.asset(t, asset.CreateInput{Code: "B", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	_, err := b.tryPost(t, "2025-03")
	details := refused(t, err, asset.ErrMonthsMissing).details
	require.Equal(t, "2025-01", details["firstMissingMonth"])
	require.Equal(t, []string{"B", "C"}, details["assetCodes"])
	require.Equal(t, "100.00", b.balance(t, "6310"), "nothing is posted")
	b.post(t, "2025-01")
	_, err = b.tryPost(t, "2025-03")
	require.Equal(t, "2025-02", refused(t, err, asset.ErrMonthsMissing).details["firstMissingMonth"])
	b.post(t, "2025-02")
	require.Equal(t, 3, b.post(t, "2025-03").Posted)
	require.Equal(t, asset.Result{Total: eur("0")}, *b.post(t, "2024-12"), "no asset has begun")
}

func lockedMonth(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	lock := func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Lock(ctx, tx, month("2025-01"))
		return err
	}
	b.Mutate(t, lock)
	_, err := b.tryPost(t, "2025-01")
	refused(t, err, ledger.ErrPeriodLocked)
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Unlock(ctx, tx, month("2025-01"), "Depreciation was forgotten")
		return err
	})
	b.post(t, "2025-01")
	b.Mutate(t, lock)
	require.Equal(t, 1, b.post(t, "2025-01").Skipped, "a run that books nothing needs no open month")
}

func nothingToPost(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("0.01"), UsefulLifeMonths: 3})
	first := b.post(t, "2025-01")
	require.Equal(t, 1, first.Posted)
	require.Nil(t, first.JournalTransactionID)
	require.NotNil(t, first.RunID)
	b.post(t, "2025-02")
	require.Equal(t, "0.01", b.post(t, "2025-03").Total.String())
	require.Equal(t, []string{"0.00", "0.00", "0.01"}, b.booked(t, a.ID))
	require.Equal(t, asset.StatusFullyDepreciated, b.get(t, a.ID).Status)
}

func appendOnly(t *testing.T, e *testkit.Engine) {
	b := newBooks(t, e)
	a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
	b.post(t, "2025-01")
	err := b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "UPDATE asset_depreciations SET amount_minor = 1 WHERE company_id = @company")
		return err
	})
	require.Error(t, err)
	err = b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "DELETE FROM asset_depreciations WHERE company_id = @company")
		return err
	})
	require.Error(t, err)
	err = b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		run, err := tenant.First[asset.Run](ctx, tx, "")
		require.NoError(t, err)
		return tenant.Insert(ctx, tx, &asset.Depreciation{AssetID: a.ID, RunID: run.ID, Year: 2025, Month: 1, CreatedAt: tx.Now()})
	})
	name, isDuplicate := e.DB.DuplicateIndex(err)
	require.True(t, isDuplicate)
	require.Equal(t, "asset_depreciations_month", name)
	require.Equal(t, []string{"100.00"}, b.booked(t, a.ID))
}

func TestPostAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		const runs, assets = 50, 20
		b := newBooks(t, e)
		ids := make([]tenant.ID, assets)
		for i := range ids {
			ids[i] = b.asset(t, asset.CreateInput{Code: string(rune('A' + i)), AcquisitionCost: eur("1200"), UsefulLifeMonths: 12}).ID
		}
		results := make([]*asset.Result, runs)
		errs := make([]error, runs)
		var wait sync.WaitGroup
		for i := range runs {
			wait.Go(func() { results[i], errs[i] = b.tryPost(t, "2025-01") })
		}
		wait.Wait()
		posted := 0
		for i, run := range results {
			require.NoError(t, errs[i])
			require.Equal(t, assets, run.Posted+run.Skipped, "a run posts all or finds all posted")
			posted += run.Posted
		}
		require.Equal(t, assets, posted)
		for _, id := range ids {
			require.Equal(t, []string{"100.00"}, b.booked(t, id))
		}
		require.Equal(t, "2000.00", b.balance(t, "6310"))
		require.Equal(t, 1, b.actions(t)["depreciation_run.posted"])
		b.RequireBalanced(t)
	})
}

func TestModernize(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), SalvageValue: eur("0.10"), UsefulLifeMonths: 12})
		b.post(t, "2025-01")
		b.post(t, "2025-02")
		at := func(day, amount string, months int) asset.ModernizeInput {
			return asset.ModernizeInput{AssetID: a.ID, Date: date.MustParse(day), Amount: eur(amount), AddedLifeMonths: months}
		}
		for name, example := range map[string]struct {
			in    asset.ModernizeInput
			code  *apperr.Code
			field string
		}{
			"MonthIsPosted":        {at("2025-02-28", "1", 0), asset.ErrMonthPosted, "date"},
			"LaterMonthIsPosted":   {at("2025-01-15", "1", 0), asset.ErrMonthPosted, "date"},
			"BeforeTheAcquisition": {at("2024-12-04", "1", 0), asset.ErrInvalidTerms, "date"},
			"LifeIsOver":           {at("2025-12-01", "1", 0), asset.ErrInvalidTerms, "addedLifeMonths"},
			"LifeBecomesEndless":   {at("2025-03-01", "1", 1189), asset.ErrInvalidTerms, "addedLifeMonths"},
			"CostBecomesTooLarge":  {at("2025-03-01", "9999999999999", 1), asset.ErrInvalidTerms, "amount"},
			"AmountIsNothing":      {at("2025-03-01", "0", 1), apperr.ErrValidation, "amount"},
		} {
			_, err := b.modernize(t, example.in)
			require.Contains(t, refused(t, err, example.code).fields, example.field, name)
		}
		_, err := b.modernize(t, asset.ModernizeInput{AssetID: tenant.NewID(), Date: date.MustParse("2025-03-01"), Amount: eur("1")})
		require.ErrorIs(t, err, apperr.ErrNotFound)

		state, err := b.modernize(t, at("2025-03-20", "500", 3))
		require.NoError(t, err)
		require.Equal(t, int64(170000), state.TotalCostMinor)
		require.Equal(t, 15, state.TotalLifeMonths)
		b.post(t, "2025-03")
		_, err = b.modernize(t, at("2025-04-01", "0.07", 0))
		require.NoError(t, err)
		for m := month("2025-04"); m.Compare(month("2026-03")) <= 0; m = m.Next() {
			b.post(t, m.String())
		}
		// 1199.90 over 12 is 99.99; after three months 899.93 and 500.00 over 12 are 116.66; after one 1283.27 and 0.07 over 11.
		want := append([]string{"99.99", "99.99", "99.99", "116.66"}, equal(10, "116.67", "116.64")...)
		require.Equal(t, want, b.booked(t, a.ID))
		state2 := b.get(t, a.ID)
		require.Equal(t, asset.StatusFullyDepreciated, state2.Status)
		require.Equal(t, int64(10), state2.NetBookMinor, "the salvage value is left")
		require.Equal(t, 2, b.actions(t)["asset.modernized"])
		_, err = b.modernize(t, at("2026-05-05", "120", 2))
		require.NoError(t, err)
		require.Equal(t, asset.StatusActive, b.get(t, a.ID).Status)
		require.Equal(t, 0, b.post(t, "2026-05").Posted)
		require.Equal(t, "60.00", b.post(t, "2026-06").Total.String())
	})
}

func TestModernizeDuringRuns(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		a := b.asset(t, asset.CreateInput{AcquisitionCost: eur("1200"), UsefulLifeMonths: 12})
		var wait sync.WaitGroup
		var modernized error
		wait.Go(func() { b.post(t, "2025-01") })
		wait.Go(func() {
			_, modernized = b.modernize(t, asset.ModernizeInput{AssetID: a.ID, Date: date.MustParse("2025-01-10"), Amount: eur("110")})
		})
		wait.Wait()
		want, cost := equal(11, "100.00", "100.00"), "1200.00"
		if modernized == nil {
			want, cost = append([]string{"100.00"}, equal(10, "110.00", "110.00")...), "1310.00"
		} else {
			refused(t, modernized, asset.ErrMonthPosted)
		}
		for m := month("2025-02"); m.Year == 2025; m = m.Next() {
			b.post(t, m.String())
		}
		require.Equal(t, want, b.booked(t, a.ID))
		require.Equal(t, cost, b.balance(t, "6310"))
	})
}

func TestPreviewLooksAhead(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		b.asset(t, asset.CreateInput{Code: "B", AcquisitionCost: eur("100"), UsefulLifeMonths: 3})
		b.asset(t, asset.CreateInput{Code: "A", AcquisitionCost: eur("100"), UsefulLifeMonths: 2})
		rows, total := b.preview(t, "2025-03")
		require.Len(t, rows, 1)
		require.Equal(t, "33.34", total)
		rows, _ = b.preview(t, "2025-02")
		require.Equal(t, "A B", strings.Join([]string{rows[0].Code, rows[1].Code}, " "))
		rows, total = b.preview(t, "2025-04")
		require.Empty(t, rows)
		require.Equal(t, "0.00", total)
	})
}
