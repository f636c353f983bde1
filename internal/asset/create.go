package asset

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// maxLifeMonths is a hundred years: more is a typing error.
const maxLifeMonths = 1200

// CreateInput is what a new asset needs. Amounts are in the base currency.
type CreateInput struct {
	GroupID         tenant.ID
	Code            string
	Name            string
	AcquisitionDate date.Date
	// DepreciationStartDate is zero for the first day of the month after the acquisition.
	DepreciationStartDate date.Date
	AcquisitionCost       money.Amount
	SalvageValue          money.Amount
	// UsefulLifeMonths is 0 for the default of the group.
	UsefulLifeMonths int
	Notes            string
	// Opening is what was depreciated elsewhere in the first OpeningMonths months of the life; both are zero for a new asset.
	Opening       money.Amount
	OpeningMonths int
}

// Create stores an asset and posts nothing: its cost reaches the books by a supplier invoice, and what was depreciated
// before by the opening balances. Errors: validation, asset.unknown_group, asset.code_exists, asset.invalid_terms.
func Create(ctx context.Context, tx tenant.Tx, in CreateInput) (*State, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	a, err := in.asset(ctx, tx)
	if err != nil {
		return nil, err
	}
	if err := codeIsFree(ctx, tx, a.Code); err != nil {
		return nil, err
	}
	if err := a.checkTerms(); err != nil {
		return nil, err
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, a), "assets_code",
		func(ctx context.Context, r tenant.ReadTx) error { return codeIsFree(ctx, r, a.Code) })
	if err != nil {
		return nil, fmt.Errorf("creating the asset: %w", err)
	}
	return recordChange(ctx, tx, "asset.created", nil, a.ID)
}

// validate refuses what no asset can have.
func (in CreateInput) validate() error {
	faults := apperr.ErrValidation.New("Some fields are not valid; see fieldErrors.")
	if !in.AcquisitionCost.IsPositive() || in.AcquisitionCost.Minor() > money.MaxMinor {
		faults.Field("acquisitionCost", "must be more than 0")
	}
	if in.SalvageValue.IsNegative() {
		faults.Field("salvageValue", "must not be negative")
	}
	if in.UsefulLifeMonths < 0 || in.UsefulLifeMonths > maxLifeMonths {
		faults.Field("usefulLifeMonths", "must be 1 to %d", maxLifeMonths)
	}
	if in.Opening.IsNegative() {
		faults.Field("openingAccumulatedDepreciation", "must not be negative")
	}
	if in.OpeningMonths < 0 || in.OpeningMonths > maxLifeMonths {
		faults.Field("openingDepreciatedMonths", "must be 0 to %d", maxLifeMonths)
	}
	if len(faults.Fields()) > 0 {
		return faults
	}
	return nil
}

// asset fills in what the request leaves to the group and to the calendar.
func (in CreateInput) asset(ctx context.Context, tx tenant.Tx) (*Asset, error) {
	group, err := tenant.Get[Group](ctx, tx, in.GroupID)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, ErrUnknownGroup.New("There is no asset group with the id %s; create it first.", in.GroupID).
			Field("groupId", "names no asset group")
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	a := &Asset{
		Row: tenant.Row{ID: tenant.NewID()}, GroupID: group.ID, Code: strings.TrimSpace(in.Code), Name: strings.TrimSpace(in.Name),
		AcquisitionDate: in.AcquisitionDate, DepreciationStartDate: in.DepreciationStartDate, Currency: tx.Company().BaseCurrency,
		CostMinor: in.AcquisitionCost.Minor(), SalvageMinor: in.SalvageValue.Minor(), UsefulLifeMonths: in.UsefulLifeMonths,
		OpeningMinor: in.Opening.Minor(), OpeningMonths: in.OpeningMonths, Notes: optional(in.Notes), CreatedAt: tx.Now(),
	}
	if a.DepreciationStartDate.IsZero() {
		a.DepreciationStartDate = date.MonthOf(a.AcquisitionDate).Next().First()
	}
	if a.UsefulLifeMonths == 0 && group.DefaultUsefulLifeMonths != nil {
		a.UsefulLifeMonths = *group.DefaultUsefulLifeMonths
	}
	return a, nil
}

// checkTerms refuses terms that no schedule can end at the salvage value.
func (a *Asset) checkTerms() error {
	faults := ErrInvalidTerms.New("The terms of the asset do not fit together; see fieldErrors.")
	depreciable := a.CostMinor - a.SalvageMinor
	switch {
	case a.UsefulLifeMonths == 0:
		faults.Field("usefulLifeMonths", "is required, since the group has no default life")
	case a.OpeningMonths > a.UsefulLifeMonths:
		faults.Field("openingDepreciatedMonths", "must not exceed the useful life of %d months", a.UsefulLifeMonths)
	case a.OpeningMonths == a.UsefulLifeMonths && a.OpeningMinor != depreciable:
		faults.Field("openingAccumulatedDepreciation", "must be %s after the whole useful life", money.New(depreciable, a.Currency))
	}
	if depreciable < 0 {
		faults.Field("salvageValue", "must not exceed the acquisition cost")
	} else if a.OpeningMinor > depreciable {
		faults.Field("openingAccumulatedDepreciation", "must not exceed cost less salvage value, %s", money.New(depreciable, a.Currency))
	}
	if a.OpeningMinor > 0 && a.OpeningMonths == 0 {
		faults.Field("openingDepreciatedMonths", "is required with openingAccumulatedDepreciation")
	}
	if _, err := date.Parse(a.DepreciationStartDate.String()); err != nil {
		faults.Field("depreciationStartDate", "would lie after the year 2199")
	}
	if first := a.AcquisitionDate.FirstOfMonth(); a.DepreciationStartDate.Before(first) {
		faults.Field("depreciationStartDate", "must be %s or later, since the asset was acquired in that month", first)
	}
	if len(faults.Fields()) > 0 {
		return faults
	}
	return nil
}

func codeIsFree(ctx context.Context, r tenant.Reader, code string) error {
	existing, err := tenant.First[Asset](ctx, r, "code = ?", code)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrCodeExists.New("The asset %s exists already: %s. Use it, or choose another code.", code, existing.Name).
		Field("code", "is taken").Detail("existingId", existing.ID).Detail("index", "one asset per code")
}

// recordChange audits a change of an asset and gives the asset as it is now; before is nil for a new one.
func recordChange(ctx context.Context, tx tenant.Tx, action string, before *State, id tenant.ID) (*State, error) {
	after, err := Get(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	e := audit.Entry{Action: action, Entity: entityAsset, EntityID: id.String(), After: after.Card()}
	if before != nil {
		e.Before = before.Card()
	}
	return after, audit.Record(ctx, tx, e) //nolint:wrapcheck // says what was recorded
}

func optional(s string) *string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return &s
}
