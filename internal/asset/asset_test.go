package asset_test

import (
	"context"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestCreateGroup(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		try := func(change func(*asset.CreateGroupInput)) error {
			in := asset.CreateGroupInput{Code: "V", Name: "Vehicles", AssetAccountCode: "1230", DepreciationAccountCode: "1237"}
			change(&in)
			_, err := result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*asset.Group, error) {
				return asset.CreateGroup(ctx, tx, in)
			})
			return err
		}
		for name, example := range map[string]struct {
			change func(*asset.CreateGroupInput)
			code   *apperr.Code
			field  string
		}{
			"CodeIsTaken":          {func(in *asset.CreateGroupInput) { in.Code = " M " }, asset.ErrGroupExists, "code"},
			"AccountIsMissing":     {func(in *asset.CreateGroupInput) { in.AssetAccountCode = "1231" }, ledger.ErrUnknownAccount, "assetAccountCode"},
			"AccountIsHeading":     {func(in *asset.CreateGroupInput) { in.DepreciationAccountCode = "12" }, ledger.ErrNotPostable, "depreciationAccountCode"},
			"AccountIsOfOtherType": {func(in *asset.CreateGroupInput) { in.ExpenseAccountCode = "5000" }, asset.ErrWrongAccount, "expenseAccountCode"},
			"AccountsAreTheSame":   {func(in *asset.CreateGroupInput) { in.DepreciationAccountCode = "1230" }, asset.ErrWrongAccount, "depreciationAccountCode"},
			"LifeIsEndless": {
				func(in *asset.CreateGroupInput) { life := 1201; in.DefaultUsefulLifeMonths = &life }, apperr.ErrValidation, "defaultUsefulLifeMonths",
			},
		} {
			require.Contains(t, refused(t, try(example.change), example.code).fields, example.field, name)
		}
		require.NoError(t, try(func(*asset.CreateGroupInput) {}))
		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := asset.ListGroups(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Equal(t, 3, page.Total)
			require.Equal(t, []string{"M", "S", "V"}, []string{page.Rows[0].Code, page.Rows[1].Code, page.Rows[2].Code})
			require.Equal(t, "6310", page.Rows[0].ExpenseAccountCode, "the posting rule of depreciation")
			require.Equal(t, "6302", page.Rows[1].ExpenseAccountCode)
			return nil
		})
		require.Equal(t, 3, b.actions(t)["asset_group.created"])
	})
}

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		first := b.asset(t, asset.CreateInput{Code: "A1", AcquisitionCost: eur("1200"), UsefulLifeMonths: 12, SalvageValue: eur("0.01")})
		require.Equal(t, "2025-01-01", first.DepreciationStartDate.String(), "the month after the acquisition")
		require.Equal(t, asset.StatusActive, first.Status)
		require.Equal(t, int64(120000), first.NetBookMinor)
		byDefault := b.asset(t, asset.CreateInput{Code: "A2", GroupID: b.software, AcquisitionCost: eur("1"), Notes: "  "})
		require.Equal(t, 36, byDefault.UsefulLifeMonths)
		require.Nil(t, byDefault.Notes)

		for name, example := range map[string]struct {
			in    asset.CreateInput
			code  *apperr.Code
			field string
		}{
			"CodeIsTaken":      {asset.CreateInput{Code: "A1", AcquisitionCost: eur("1"), UsefulLifeMonths: 1}, asset.ErrCodeExists, "code"},
			"GroupIsUnknown":   {asset.CreateInput{GroupID: tenant.NewID(), AcquisitionCost: eur("1"), UsefulLifeMonths: 1}, asset.ErrUnknownGroup, "groupId"},
			"CostIsNothing":    {asset.CreateInput{AcquisitionCost: eur("0"), UsefulLifeMonths: 1}, apperr.ErrValidation, "acquisitionCost"},
			"LifeIsNowhere":    {asset.CreateInput{Code: "X", AcquisitionCost: eur("1")}, asset.ErrInvalidTerms, "usefulLifeMonths"},
			"SalvageIsTooMuch": {asset.CreateInput{Code: "X", AcquisitionCost: eur("1"), SalvageValue: eur("1.01"), UsefulLifeMonths: 1}, asset.ErrInvalidTerms, "salvageValue"},
			"StartsBeforeItIsAcquired": {
				asset.CreateInput{Code: "X", AcquisitionCost: eur("1"), UsefulLifeMonths: 1, DepreciationStartDate: date.MustParse("2024-11-30")},
				asset.ErrInvalidTerms, "depreciationStartDate",
			},
			"StartsAfterTheCalendar": {
				asset.CreateInput{Code: "X", AcquisitionCost: eur("1"), UsefulLifeMonths: 1, AcquisitionDate: date.MustParse("2199-12-01")},
				asset.ErrInvalidTerms, "depreciationStartDate",
			},
			"OpeningIsTooMuch": {
				asset.CreateInput{Code: "X", AcquisitionCost: eur("5"), SalvageValue: eur("1"), UsefulLifeMonths: 4, Opening: eur("4.01"), OpeningMonths: 1},
				asset.ErrInvalidTerms, "openingAccumulatedDepreciation",
			},
			"OpeningWithoutMonths": {
				asset.CreateInput{Code: "X", AcquisitionCost: eur("5"), UsefulLifeMonths: 4, Opening: eur("1")},
				asset.ErrInvalidTerms, "openingDepreciatedMonths",
			},
			"OpeningIsLongerThanLife": {
				asset.CreateInput{Code: "X", AcquisitionCost: eur("5"), UsefulLifeMonths: 4, Opening: eur("1"), OpeningMonths: 5},
				asset.ErrInvalidTerms, "openingDepreciatedMonths",
			},
			"WholeLifeLeavesARest": {
				asset.CreateInput{Code: "X", AcquisitionCost: eur("5"), UsefulLifeMonths: 4, Opening: eur("4.99"), OpeningMonths: 4},
				asset.ErrInvalidTerms, "openingAccumulatedDepreciation",
			},
		} {
			_, err := b.tryAsset(t, example.in)
			require.Contains(t, refused(t, err, example.code).fields, example.field, name)
		}
		_, err := b.tryAsset(t, asset.CreateInput{Code: "A1", AcquisitionCost: eur("1"), UsefulLifeMonths: 1})
		require.Equal(t, first.ID, refused(t, err, asset.ErrCodeExists).details["existingId"])
		require.Equal(t, 2, b.actions(t)["asset.created"])

		other := newBooks(t, e)
		_, err = other.tryAsset(t, asset.CreateInput{GroupID: b.machines, AcquisitionCost: eur("1"), UsefulLifeMonths: 1})
		refused(t, err, asset.ErrUnknownGroup)
		other.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			_, err := asset.Get(ctx, r, first.ID)
			require.ErrorIs(t, err, apperr.ErrNotFound)
			return nil
		})
	})
}

func TestCreateRace(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		in := asset.CreateInput{
			GroupID: b.machines, Code: "A1", Name: "Press", AcquisitionDate: date.MustParse("2024-12-05"), AcquisitionCost: eur("1"),
			UsefulLifeMonths: 1,
		}
		errs := make(chan error)
		const twins = 8
		for range twins {
			go func() {
				errs <- b.TryMutate(context.WithoutCancel(t.Context()), func(ctx context.Context, tx tenant.Tx) error {
					_, err := asset.Create(ctx, tx, in)
					return err
				})
			}()
		}
		won := 0
		for range twins {
			err := <-errs
			if err == nil {
				won++
				continue
			}
			if race, ok := errors.AsType[*tenant.DuplicateError](err); ok {
				err = e.Store.Snapshot(t.Context(), b.Scope, race.Resolve)
			}
			require.ErrorIs(t, err, asset.ErrCodeExists)
		}
		require.Equal(t, 1, won)
	})
}

func TestList(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := newBooks(t, e)
		b.asset(t, asset.CreateInput{Code: "B", AcquisitionCost: eur("100"), UsefulLifeMonths: 2})
		b.asset(t, asset.CreateInput{Code: "A", AcquisitionCost: eur("100"), UsefulLifeMonths: 1})
		gone := b.asset(t, asset.CreateInput{Code: "C", AcquisitionCost: eur("100"), UsefulLifeMonths: 10})
		b.post(t, "2025-01")
		_, err := b.dispose(t, asset.DisposeInput{AssetID: gone.ID, Date: date.MustParse("2025-01-31"), Reason: "Scrapped"})
		require.NoError(t, err)

		codes := func(q tenant.ListQuery) []string {
			codes := []string{}
			b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				page, err := asset.List(ctx, r, q)
				require.NoError(t, err)
				require.Len(t, page.Rows, page.Total)
				for _, a := range page.Rows {
					one, err := asset.Get(ctx, r, a.ID)
					require.NoError(t, err)
					require.Equal(t, *one, a, "a list shows what a single asset shows")
					codes = append(codes, a.Code)
				}
				return nil
			})
			return codes
		}
		filter := func(field, op, value string) tenant.ListQuery {
			return tenant.ListQuery{Filter: []tenant.Filter{{Field: field, Op: tenant.FilterOp(op), Value: jsontext.Value(value)}}}
		}
		require.Equal(t, []string{"A", "B", "C"}, codes(tenant.ListQuery{}))
		require.Equal(t, []string{"B"}, codes(filter("status", "eq", `"active"`)))
		require.Equal(t, []string{"A"}, codes(filter("status", "eq", `"fully_depreciated"`)))
		require.Equal(t, []string{"C"}, codes(filter("disposalDate", "gte", `"2025-01-31"`)))
		require.Equal(t, []string{"B"}, codes(filter("netBookValue", "gte", `"50.00"`)))
		require.Equal(t, []string{"C", "B", "A"}, codes(tenant.ListQuery{Sort: []tenant.Sort{{Field: "totalLifeMonths", Dir: "desc"}}}))
	})
}
