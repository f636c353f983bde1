package asset

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Status is the state of an asset.
type Status string

// The states. An asset is fully depreciated when nothing above its salvage value is left, which a modernisation can change.
const (
	StatusActive           Status = "active"
	StatusFullyDepreciated Status = "fully_depreciated"
	StatusDisposed         Status = "disposed"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusActive, StatusFullyDepreciated, StatusDisposed} }

// Names in the audit log and in the journal.
const (
	entityGroup      = "asset_group"
	entityAsset      = "asset"
	documentRun      = "depreciation_run"
	documentDisposal = "asset_disposal"
)

// Asset is a fixed asset as it was entered; it never changes. Amounts are minor units of Currency, the base currency.
type Asset struct {
	tenant.Row
	GroupID         tenant.ID
	Code            string
	Name            string
	AcquisitionDate date.Date
	// DepreciationStartDate lies in the first month of the asset's life; whole months count.
	DepreciationStartDate date.Date
	Currency              money.Currency
	CostMinor             int64
	SalvageMinor          int64
	UsefulLifeMonths      int
	// OpeningMinor and OpeningMonths are what was depreciated before the asset was entered, from the first month of its life
	// on. They are never posted.
	OpeningMinor  int64
	OpeningMonths int
	Notes         *string
	CreatedAt     clock.Time
}

// TableName names the table for the mapper.
func (Asset) TableName() string { return "assets" }

// Modernization adds cost, and perhaps life, to an asset from the month after its date.
type Modernization struct {
	tenant.Row
	AssetID           tenant.ID
	ModernizationDate date.Date
	AmountMinor       int64
	AddedLifeMonths   int
	Notes             *string
	CreatedAt         clock.Time
}

// TableName names the table for the mapper.
func (Modernization) TableName() string { return "asset_modernizations" }

// State is an asset with what followed from it so far. TotalCostMinor and TotalLifeMonths include all modernisations,
// AccumulatedMinor and DepreciatedMonths what was depreciated before the asset was entered.
type State struct {
	Asset
	TotalCostMinor    int64
	TotalLifeMonths   int
	AccumulatedMinor  int64
	DepreciatedMonths int
	// NetBookMinor is nothing once the asset is disposed of.
	NetBookMinor int64
	Status       Status
	// DisposalDate and DisposalReason are empty while the asset is in use.
	DisposalDate   date.Date
	DisposalReason *string
}

// statesHead and statesTail enclose further conditions on the asset a. Status and net book value are worked out here
// alone, so that a list filtered by them shows what a single asset shows.
const (
	statesHead = `SELECT f.*,
		CASE WHEN f.disposal_date IS NULL THEN f.total_cost_minor - f.accumulated_minor ELSE 0 END AS net_book_minor,
		CASE WHEN f.disposal_date IS NOT NULL THEN 'disposed'
			WHEN f.accumulated_minor >= f.total_cost_minor - f.salvage_minor THEN 'fully_depreciated' ELSE 'active' END AS status
		FROM (SELECT a.*, x.disposal_date, x.reason AS disposal_reason,
			a.cost_minor + COALESCE((SELECT SUM(m.amount_minor) FROM asset_modernizations m
				WHERE m.company_id = a.company_id AND m.asset_id = a.id), 0) AS total_cost_minor,
			a.useful_life_months + COALESCE((SELECT SUM(m.added_life_months) FROM asset_modernizations m
				WHERE m.company_id = a.company_id AND m.asset_id = a.id), 0) AS total_life_months,
			a.opening_minor + COALESCE((SELECT SUM(d.amount_minor) FROM asset_depreciations d
				WHERE d.company_id = a.company_id AND d.asset_id = a.id), 0) AS accumulated_minor,
			a.opening_months + (SELECT COUNT(*) FROM asset_depreciations d
				WHERE d.company_id = a.company_id AND d.asset_id = a.id) AS depreciated_months
			FROM assets a LEFT JOIN asset_disposals x ON x.company_id = a.company_id AND x.asset_id = a.id
			WHERE a.company_id = @company`
	statesTail = `) f`
)

// Get reads an asset with its figures. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*State, error) {
	s, err := tenant.QueryOne[State](ctx, r, statesHead+" AND a.id = ?"+statesTail, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	if s == nil {
		return nil, tenant.NotFound(entityAsset, id)
	}
	return s, nil
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "(" + statesHead + statesTail + ") states", As: "states",
		Fields: map[string]tenant.Field{
			"id":                      tenant.IDField("id"),
			"groupId":                 tenant.IDField("group_id"),
			"code":                    tenant.TextField("code"),
			"name":                    tenant.TextField("name"),
			"acquisitionDate":         tenant.DateField("acquisition_date"),
			"depreciationStartDate":   tenant.DateField("depreciation_start_date"),
			"acquisitionCost":         tenant.MoneyField("cost_minor"),
			"salvageValue":            tenant.MoneyField("salvage_minor"),
			"usefulLifeMonths":        tenant.IntField("useful_life_months"),
			"totalCost":               tenant.MoneyField("total_cost_minor"),
			"accumulatedDepreciation": tenant.MoneyField("accumulated_minor"),
			"netBookValue":            tenant.MoneyField("net_book_minor"),
			"depreciatedMonths":       tenant.IntField("depreciated_months"),
			"totalLifeMonths":         tenant.IntField("total_life_months"),
			"status":                  tenant.TextField("status"),
			"disposalDate":            tenant.DateField("disposal_date"),
			"createdAt":               tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "code"}},
}

// List reads a page of assets with their figures, by code unless asked otherwise. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[State], error) {
	return tenant.ListRows[State](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
