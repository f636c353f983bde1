package asset

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ModernizeInput adds cost to an asset, and perhaps life.
type ModernizeInput struct {
	AssetID tenant.ID
	Date    date.Date
	// Amount is positive and in the base currency.
	Amount          money.Amount
	AddedLifeMonths int
	Notes           string
}

// Modernize adds an amount to the cost from the month after the date: what is left to depreciate then is spread over the
// months left and those added. It posts nothing; the amount reaches the books by a supplier invoice. It may be done several
// times, in months that are not booked yet. Errors: validation, not_found, asset.disposed, asset.invalid_terms,
// asset.month_posted.
func Modernize(ctx context.Context, tx tenant.Tx, in ModernizeInput) (*State, error) {
	if !in.Amount.IsPositive() {
		return nil, apperr.Invalid("amount", "must be more than 0")
	}
	if in.AddedLifeMonths < 0 || in.AddedLifeMonths > maxLifeMonths {
		return nil, apperr.Invalid("addedLifeMonths", "must be 0 to %d", maxLifeMonths)
	}
	rec, err := hold(ctx, tx, in.AssetID)
	if err != nil {
		return nil, err
	}
	before, err := Get(ctx, tx, in.AssetID)
	if err != nil {
		return nil, err
	}
	m := &Modernization{
		AssetID: rec.ID, ModernizationDate: in.Date, AmountMinor: in.Amount.Minor(), AddedLifeMonths: in.AddedLifeMonths,
		Notes: optional(in.Notes), CreatedAt: tx.Now(),
	}
	if err := rec.accepts(m, before); err != nil {
		return nil, err
	}
	if err := tenant.Insert(ctx, tx, m); err != nil {
		return nil, fmt.Errorf("modernising the asset: %w", err)
	}
	return recordChange(ctx, tx, "asset.modernized", before, rec.ID)
}

// accepts refuses a modernisation that the schedule cannot take up.
func (rec *record) accepts(m *Modernization, now *State) error {
	if err := rec.inUse(); err != nil {
		return err
	}
	if m.ModernizationDate.Before(rec.AcquisitionDate) {
		return ErrInvalidTerms.New("The asset %s was acquired on %s; it cannot be modernised before.", rec.Code, rec.AcquisitionDate).
			Field("date", "must be %s or later", rec.AcquisitionDate)
	}
	if last, ok := rec.lastBooked(); ok && monthOf(m.ModernizationDate) <= last {
		open := (last + 1).month()
		return ErrMonthPosted.New("The depreciation of the asset %s is posted up to %s; date the modernisation %s or later.",
			rec.Code, last.month(), open.First()).
			Field("date", "must be %s or later", open.First()).Detail("lastPostedMonth", last.month().String())
	}
	if m.AmountMinor > money.MaxMinor-now.TotalCostMinor {
		return ErrInvalidTerms.New("The cost of the asset %s would become too large.", rec.Code).
			Field("amount", "must be %s or less", money.New(money.MaxMinor-now.TotalCostMinor, rec.Currency))
	}
	if now.TotalLifeMonths+m.AddedLifeMonths > maxLifeMonths {
		return ErrInvalidTerms.New("The asset %s has a life of %d months; it cannot exceed %d.", rec.Code, now.TotalLifeMonths, maxLifeMonths).
			Field("addedLifeMonths", "must be %d or less", maxLifeMonths-now.TotalLifeMonths)
	}
	if !scheduleOf(rec.Asset, append(rec.modernizations, *m)).hasRoom() {
		return ErrInvalidTerms.New("The life of the asset %s is over by then; send addedLifeMonths to spread the amount over.", rec.Code).
			Field("addedLifeMonths", "is required, since no month is left")
	}
	return nil
}
