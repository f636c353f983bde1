package asset

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Card is an asset as clients see it and as the audit log keeps it.
type Card struct {
	ID                      tenant.ID    `json:"id" description:"Id of the asset."`
	GroupID                 tenant.ID    `json:"groupId" description:"Group that gives the accounts."`
	Code                    string       `json:"code" description:"Inventory code, one per company."`
	Name                    string       `json:"name" description:"What the asset is."`
	AcquisitionDate         date.Date    `json:"acquisitionDate" description:"Day the asset was acquired."`
	DepreciationStartDate   date.Date    `json:"depreciationStartDate" description:"Day in the first month of depreciation."`
	AcquisitionCost         money.Amount `json:"acquisitionCost" description:"Cost without modernisations."`
	SalvageValue            money.Amount `json:"salvageValue" description:"Value that is never depreciated."`
	UsefulLifeMonths        int          `json:"usefulLifeMonths" description:"Life without modernisations."`
	TotalCost               money.Amount `json:"totalCost" description:"Cost with modernisations."`
	AccumulatedDepreciation money.Amount `json:"accumulatedDepreciation" description:"Depreciated so far, here and before."`
	NetBookValue            money.Amount `json:"netBookValue" description:"Total cost less depreciation; nothing after disposal."`
	DepreciatedMonths       int          `json:"depreciatedMonths" description:"Months depreciated so far, here and before."`
	TotalLifeMonths         int          `json:"totalLifeMonths" description:"Life with modernisations."`
	Status                  Status       `json:"status" description:"State of the asset."`
	Notes                   *string      `json:"notes,omitzero" description:"Remarks."`
	CreatedAt               clock.Time   `json:"createdAt" description:"When the asset was entered."`

	OpeningAccumulatedDepreciation *money.Amount `json:"openingAccumulatedDepreciation,omitzero" description:"Depreciated before the asset was entered; never posted."`
	OpeningDepreciatedMonths       int           `json:"openingDepreciatedMonths,omitzero" description:"Months depreciated before the asset was entered."`
	DisposalDate                   date.Date     `json:"disposalDate,omitzero" description:"Day the asset was disposed of."`
	DisposalReason                 *string       `json:"disposalReason,omitzero" description:"Why it was disposed of."`
}

// Card shows the asset to its company.
func (s State) Card() Card {
	in := func(minor int64) money.Amount { return money.New(minor, s.Currency) }
	c := Card{
		ID: s.ID, GroupID: s.GroupID, Code: s.Code, Name: s.Name, AcquisitionDate: s.AcquisitionDate,
		DepreciationStartDate: s.DepreciationStartDate, AcquisitionCost: in(s.CostMinor), SalvageValue: in(s.SalvageMinor),
		UsefulLifeMonths: s.UsefulLifeMonths, TotalCost: in(s.TotalCostMinor), AccumulatedDepreciation: in(s.AccumulatedMinor),
		NetBookValue: in(s.NetBookMinor), DepreciatedMonths: s.DepreciatedMonths, TotalLifeMonths: s.TotalLifeMonths,
		Status: s.Status, Notes: s.Notes, CreatedAt: s.CreatedAt, OpeningDepreciatedMonths: s.OpeningMonths,
		DisposalDate: s.DisposalDate, DisposalReason: s.DisposalReason,
	}
	if s.OpeningMonths > 0 {
		opening := in(s.OpeningMinor)
		c.OpeningAccumulatedDepreciation = &opening
	}
	return c
}
