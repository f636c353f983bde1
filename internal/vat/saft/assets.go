package saft

import (
	"context"
	"fmt"
	"iter"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// asset is a fixed asset that was there on some day of the period, with amounts in minor units of the base currency.
type asset struct {
	ID                    tenant.ID
	Name                  string
	AssetAccount          string
	DepreciationAccount   string
	AcquisitionDate       date.Date
	DepreciationStartDate date.Date
	CostMinor             int64
	LifeMonths            int
	OpeningMinor          int64
	// AddedBefore and AddedThrough are modernisations, DepreciatedBefore and DepreciatedThrough what was booked, before the first day
	// and by the last.
	AddedBefore, AddedThrough             int64
	DepreciatedBefore, DepreciatedThrough int64
	DisposedOn                            date.Date
}

func assetsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[asset, error] {
	return paged(func(after *asset) ([]asset, error) {
		var id tenant.ID
		if after != nil {
			id = after.ID
		}
		rows, err := tenant.Query[asset](ctx, r, `SELECT a.id, a.name, g.asset_account_code AS asset_account,
				g.depreciation_account_code AS depreciation_account, a.acquisition_date, a.depreciation_start_date, a.cost_minor,
				a.opening_minor, a.useful_life_months + COALESCE((SELECT SUM(m.added_life_months) FROM asset_modernizations m
					WHERE m.company_id = a.company_id AND m.asset_id = a.id AND m.modernization_date <= ?), 0) AS life_months,
				COALESCE((SELECT SUM(m.amount_minor) FROM asset_modernizations m
					WHERE m.company_id = a.company_id AND m.asset_id = a.id AND m.modernization_date < ?), 0) AS added_before,
				COALESCE((SELECT SUM(m.amount_minor) FROM asset_modernizations m
					WHERE m.company_id = a.company_id AND m.asset_id = a.id AND m.modernization_date <= ?), 0) AS added_through,
				COALESCE((SELECT SUM(d.amount_minor) FROM asset_depreciations d
					JOIN asset_depreciation_runs n ON n.company_id = d.company_id AND n.id = d.run_id
					JOIN journal_transactions t ON t.company_id = n.company_id AND t.id = n.journal_transaction_id
					WHERE d.company_id = a.company_id AND d.asset_id = a.id AND t.transaction_date < ?), 0) AS depreciated_before,
				COALESCE((SELECT SUM(d.amount_minor) FROM asset_depreciations d
					JOIN asset_depreciation_runs n ON n.company_id = d.company_id AND n.id = d.run_id
					JOIN journal_transactions t ON t.company_id = n.company_id AND t.id = n.journal_transaction_id
					WHERE d.company_id = a.company_id AND d.asset_id = a.id AND t.transaction_date <= ?), 0) AS depreciated_through,
				s.disposal_date AS disposed_on
			FROM assets a JOIN asset_groups g ON g.company_id = a.company_id AND g.id = a.group_id
			LEFT JOIN asset_disposals s ON s.company_id = a.company_id AND s.asset_id = a.id
			WHERE a.company_id = @company AND a.id > ? AND a.acquisition_date <= ? AND (s.disposal_date IS NULL OR s.disposal_date >= ?)
			ORDER BY a.id LIMIT ?`, o.To, o.From, o.To, o.From, o.To, id, o.To, o.From, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading assets: %w", err)
		}
		return rows, nil
	})
}

func (f *file) asset(a asset) {
	amount := func(minor int64) money.Amount { return money.New(minor, f.content.company.BaseCurrency) }
	costBefore, accumulatedBefore := a.CostMinor+a.AddedBefore, a.OpeningMinor+a.DepreciatedBefore
	cost, accumulated := a.CostMinor+a.AddedThrough, a.OpeningMinor+a.DepreciatedThrough
	if !a.AcquisitionDate.Before(f.options.From) {
		costBefore, accumulatedBefore = 0, 0
	}
	isDisposed := !a.DisposedOn.IsZero() && !a.DisposedOn.After(f.options.To)
	disposed := cost
	if isDisposed {
		cost, accumulated = 0, 0
	}
	f.in("Asset", func() {
		f.text("AssetID", lengthMiddle, short(a.ID))
		f.text("AccountID", lengthName, a.AssetAccount)
		f.text("Description", lengthLong, a.Name)
		f.optionalDay("DateOfAcquisition", a.AcquisitionDate)
		f.day("StartUpDate", a.DepreciationStartDate)
		f.in("Valuations", func() {
			f.in("Valuation", func() {
				f.text("AssetValuationType", lengthCode, acquisitionCost)
				f.text("AccountID", lengthName, a.AssetAccount)
				f.amount("AcquisitionAndProductionCostsBegin", amount(costBefore))
				f.amount("AcquisitionAndProductionCostsEnd", amount(cost))
				f.text("AssetLifeMonth", lengthCode, itoa(a.LifeMonths))
				if isDisposed {
					f.amount("AssetDisposal", amount(disposed))
					f.optionalDay("AssetDisposalDate", a.DisposedOn)
				}
				f.amount("BookValueBegin", amount(costBefore-accumulatedBefore))
				f.text("DepreciationMethod", lengthMiddle, "T")
				f.amount("DepreciationForPeriod", amount(a.DepreciatedThrough-a.DepreciatedBefore))
				f.text("AccountID2", lengthName, a.DepreciationAccount)
				f.amount("AccumulatedDepreciation", amount(accumulated))
				f.amount("BookValueEnd", amount(cost-accumulated))
			})
		})
	})
}

// acquisitionCost is the way assets are valued: įsigijimo savikaina.
const acquisitionCost = "IS"
