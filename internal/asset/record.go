package asset

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
)

// record is an asset with everything that decides about its months.
type record struct {
	Asset
	modernizations []Modernization
	disposal       *Disposal
	// booked is how many months of the schedule are posted: the first ones, since months are posted in order.
	booked   int
	schedule schedule
}

// bookedRow counts the posted months of an asset.
type bookedRow struct {
	AssetID tenant.ID
	Months  int
}

// hold locks an asset against every other change and posting, and reads what happened to it. Error: not_found.
func hold(ctx context.Context, tx tenant.Tx, id tenant.ID) (*record, error) {
	a, err := tenant.Lock[Asset](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	modernizations, err := tenant.Find[Modernization](ctx, tx, "asset_id = ?", id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	disposal, err := tenant.First[Disposal](ctx, tx, "asset_id = ?", id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	booked, err := tenant.Count[Depreciation](ctx, tx, "asset_id = ?", id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was counted
	}
	return &record{*a, modernizations, disposal, int(booked), scheduleOf(*a, modernizations)}, nil
}

// holdAll is hold for every asset of the company, in the order of ids.
func holdAll(ctx context.Context, tx tenant.Tx) ([]record, error) {
	assets, err := tenant.LockWhere[Asset](ctx, tx, "SELECT * FROM assets WHERE company_id = @company ORDER BY id @forupdate")
	if err != nil {
		return nil, fmt.Errorf("holding the assets: %w", err)
	}
	return recordsOf(ctx, tx, assets)
}

// readAll reads the same without holding anything.
func readAll(ctx context.Context, r tenant.Reader) ([]record, error) {
	assets, err := tenant.Find[Asset](ctx, r, "")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	return recordsOf(ctx, r, assets)
}

func recordsOf(ctx context.Context, r tenant.Reader, assets []Asset) ([]record, error) {
	modernizations, err := tenant.Find[Modernization](ctx, r, "")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	disposals, err := tenant.Find[Disposal](ctx, r, "")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	counts, err := tenant.Query[bookedRow](ctx, r,
		"SELECT asset_id, COUNT(*) AS months FROM asset_depreciations WHERE company_id = @company GROUP BY asset_id")
	if err != nil {
		return nil, fmt.Errorf("counting the months posted: %w", err)
	}
	records := make([]record, len(assets))
	byID := make(map[tenant.ID]*record, len(assets))
	for i, a := range assets {
		records[i].Asset = a
		byID[a.ID] = &records[i]
	}
	// An asset that another transaction has just entered is not among those read; what belongs to it is left out.
	for _, m := range modernizations {
		if rec := byID[m.AssetID]; rec != nil {
			rec.modernizations = append(rec.modernizations, m)
		}
	}
	for i, d := range disposals {
		if rec := byID[d.AssetID]; rec != nil {
			rec.disposal = &disposals[i]
		}
	}
	for _, c := range counts {
		if rec := byID[c.AssetID]; rec != nil {
			rec.booked = c.Months
		}
	}
	for i := range records {
		records[i].schedule = scheduleOf(records[i].Asset, records[i].modernizations)
	}
	return records, nil
}

// due gives what a month takes: nothing outside the schedule and after the month of disposal.
func (rec *record) due(m monthIndex) (amount int64, isDue bool) {
	if rec.disposal != nil && m > monthOf(rec.disposal.DisposalDate) {
		return 0, false
	}
	amount, _, isDue = rec.schedule.at(m)
	return amount, isDue
}

// firstMissing is the first month before m that is due and not booked.
func (rec *record) firstMissing(m monthIndex) (monthIndex, bool) {
	if rec.schedule.dueBefore(m) <= rec.booked {
		return 0, false
	}
	return rec.schedule.monthNumber(rec.booked), true
}

// lastBooked is the last month that was depreciated, here or before the asset was entered.
func (rec *record) lastBooked() (monthIndex, bool) {
	switch {
	case rec.booked > 0:
		return rec.schedule.monthNumber(rec.booked - 1), true
	case rec.OpeningMonths > 0:
		return monthOf(rec.DepreciationStartDate) + monthIndex(rec.OpeningMonths) - 1, true
	default:
		return 0, false
	}
}

func (rec *record) inUse() error {
	if rec.disposal == nil {
		return nil
	}
	return ErrDisposed.New("The asset %s was disposed of on %s; it takes no changes any more.", rec.Code, rec.disposal.DisposalDate).
		Detail("disposalDate", rec.disposal.DisposalDate.String())
}
