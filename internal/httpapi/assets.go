package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// assetOperations are the operations of fixed assets and their depreciation.
func assetOperations() []Operation {
	return []Operation{
		mutation("/v1/assets/groups/create", tenant.WriteLedger, "Create an asset group", createAssetGroup, about("asset_group"),
			described("The accounts must exist and take postings: cost and accumulated depreciation of type asset, expense of type expense.")),
		query("/v1/assets/groups/list", tenant.ReadBooks, "List asset groups", listAssetGroups),
		mutation("/v1/assets/assets/create", tenant.WriteLedger, "Enter a fixed asset", createAsset, about("asset"),
			described("Posts nothing: the cost reaches the asset account by a supplier invoice, and depreciation booked before the asset "+
				"was entered by the opening balances. Depreciation is a straight line of whole months.")),
		query("/v1/assets/assets/get", tenant.ReadBooks, "Show a fixed asset", getAsset),
		query("/v1/assets/assets/list", tenant.ReadBooks, "List fixed assets", listAssets),
		mutation("/v1/assets/assets/modernize", tenant.WriteLedger, "Add cost to a fixed asset", modernizeAsset, about("asset"),
			described("From the month after the date, what is left to depreciate and the amount are spread over the months left and those "+
				"added. The month of the date must not be posted yet. Posts nothing: the amount reaches the books by a supplier invoice.")),
		mutation("/v1/assets/assets/dispose", tenant.WriteLedger, "Dispose of a fixed asset", disposeAsset, about("asset"),
			described("Books the month of the disposal if it is due, then takes cost and accumulated depreciation out of their accounts and "+
				"charges the net book value to the expense account. The months before must be posted; none after it ever is. What a buyer "+
				"pays is a sales invoice.")),
		query("/v1/assets/depreciation/preview", tenant.ReadBooks, "Preview the depreciation of a month", previewDepreciation,
			described("Shows every asset that the month takes something from, posted or not; total is the sum of the rows.")),
		mutation("/v1/assets/depreciation/post", tenant.WriteLedger, "Post the depreciation of a month", postDepreciation,
			about("depreciation_run"),
			described("Posts one journal transaction on the last day of the month for all assets whose month is not posted yet. It may be "+
				"repeated: each month of an asset is posted once. The months of an asset are posted in order.")),
	}
}

type createAssetGroupRequest struct {
	Code                    string `json:"code" maxLength:"50" description:"Code, one per company."`
	Name                    string `json:"name" maxLength:"255" description:"What the group holds."`
	DefaultUsefulLifeMonths *int   `json:"defaultUsefulLifeMonths,omitzero" minimum:"1" maximum:"1200" description:"Life of an asset that names none."`
	AssetAccountCode        string `json:"assetAccountCode" maxLength:"20" description:"Account of the cost."`
	DepreciationAccountCode string `json:"depreciationAccountCode" maxLength:"20" description:"Account of accumulated depreciation."`
	ExpenseAccountCode      string `json:"expenseAccountCode,omitzero" maxLength:"20" description:"Account that each month is charged to; the posting rule of depreciation unless given."`
}

func createAssetGroup(ctx context.Context, tx tenant.Tx, in createAssetGroupRequest) (asset.GroupCard, error) {
	g, err := asset.CreateGroup(ctx, tx, asset.CreateGroupInput(in))
	if err != nil {
		return asset.GroupCard{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return g.Card(), nil
}

func listAssetGroups(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[asset.GroupCard], error) {
	page, err := asset.ListGroups(ctx, r, q)
	return tenant.MapPage(page, asset.Group.Card), err
}

type createAssetRequest struct {
	GroupID               tenant.ID     `json:"groupId" description:"Group that gives the accounts."`
	Code                  string        `json:"code" maxLength:"50" description:"Inventory code, one per company."`
	Name                  string        `json:"name" maxLength:"255" description:"What the asset is."`
	AcquisitionDate       date.Date     `json:"acquisitionDate" description:"Day the asset was acquired."`
	DepreciationStartDate date.Date     `json:"depreciationStartDate,omitzero" description:"Day in the first month of depreciation; the first day of the month after the acquisition unless given."`
	AcquisitionCost       money.Decimal `json:"acquisitionCost" description:"Cost in the base currency."`
	SalvageValue          money.Decimal `json:"salvageValue,omitzero" description:"Value that is never depreciated; nothing unless given."`
	UsefulLifeMonths      int           `json:"usefulLifeMonths,omitzero" minimum:"1" maximum:"1200" description:"Months of depreciation; the default of the group unless given."`
	Notes                 string        `json:"notes,omitzero" maxLength:"2000" description:"Remarks."`

	OpeningAccumulatedDepreciation money.Decimal `json:"openingAccumulatedDepreciation,omitzero" description:"Depreciated elsewhere before the asset is entered here; it is never posted."`
	OpeningDepreciatedMonths       int           `json:"openingDepreciatedMonths,omitzero" minimum:"0" maximum:"1200" description:"How many months, from depreciationStartDate on, that was; the next one is the first posted here."`
}

func createAsset(ctx context.Context, tx tenant.Tx, in createAssetRequest) (asset.Card, error) {
	base := tx.Company().BaseCurrency
	cost, err := assetAmount("acquisitionCost", in.AcquisitionCost, base)
	if err != nil {
		return asset.Card{}, err
	}
	salvage, err := assetAmount("salvageValue", in.SalvageValue, base)
	if err != nil {
		return asset.Card{}, err
	}
	opening, err := assetAmount("openingAccumulatedDepreciation", in.OpeningAccumulatedDepreciation, base)
	if err != nil {
		return asset.Card{}, err
	}
	a, err := asset.Create(ctx, tx, asset.CreateInput{
		GroupID: in.GroupID, Code: in.Code, Name: in.Name, AcquisitionDate: in.AcquisitionDate,
		DepreciationStartDate: in.DepreciationStartDate, AcquisitionCost: cost, SalvageValue: salvage,
		UsefulLifeMonths: in.UsefulLifeMonths, Notes: in.Notes, Opening: opening, OpeningMonths: in.OpeningDepreciatedMonths,
	})
	if err != nil {
		return asset.Card{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return a.Card(), nil
}

func assetAmount(member string, d money.Decimal, base money.Currency) (money.Amount, error) {
	amount, err := money.Parse(d.String(), base)
	if err != nil {
		return money.Amount{}, apperr.Invalid(member, "%s", err.Error())
	}
	return amount, nil
}

func getAsset(ctx context.Context, r tenant.ReadTx, in idRequest) (asset.Card, error) {
	a, err := asset.Get(ctx, r, in.ID)
	if err != nil {
		return asset.Card{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return a.Card(), nil
}

func listAssets(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[asset.Card], error) {
	page, err := asset.List(ctx, r, q)
	return tenant.MapPage(page, asset.State.Card), err
}

type modernizeAssetRequest struct {
	ID              tenant.ID     `json:"id" description:"Id of the asset."`
	Date            date.Date     `json:"date" description:"Day of the modernisation; it counts from the month after."`
	Amount          money.Decimal `json:"amount" description:"Cost to add, in the base currency."`
	AddedLifeMonths int           `json:"addedLifeMonths,omitzero" minimum:"0" maximum:"1200" description:"Months by which the life grows."`
	Notes           string        `json:"notes,omitzero" maxLength:"2000" description:"Remarks."`
}

func modernizeAsset(ctx context.Context, tx tenant.Tx, in modernizeAssetRequest) (asset.Card, error) {
	amount, err := assetAmount("amount", in.Amount, tx.Company().BaseCurrency)
	if err != nil {
		return asset.Card{}, err
	}
	a, err := asset.Modernize(ctx, tx, asset.ModernizeInput{
		AssetID: in.ID, Date: in.Date, Amount: amount, AddedLifeMonths: in.AddedLifeMonths, Notes: in.Notes,
	})
	if err != nil {
		return asset.Card{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return a.Card(), nil
}

type disposeAssetRequest struct {
	ID                 tenant.ID `json:"id" description:"Id of the asset."`
	Date               date.Date `json:"date" description:"Day the asset left; its month must be open."`
	Reason             string    `json:"reason" maxLength:"500" description:"Why it left, such as sold, scrapped or lost."`
	ExpenseAccountCode string    `json:"expenseAccountCode,omitzero" maxLength:"20" description:"Account that takes the net book value; the expense account of the group unless given."`
}

type disposeAssetResponse struct {
	asset.Card
	JournalTransactionID tenant.ID `json:"journalTransactionId" description:"Journal transaction that took the asset out of its accounts."`
}

func disposeAsset(ctx context.Context, tx tenant.Tx, in disposeAssetRequest) (disposeAssetResponse, error) {
	a, journal, err := asset.Dispose(ctx, tx, asset.DisposeInput{
		AssetID: in.ID, Date: in.Date, Reason: in.Reason, ExpenseAccountCode: in.ExpenseAccountCode,
	})
	if err != nil {
		return disposeAssetResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return disposeAssetResponse{a.Card(), journal}, nil
}
