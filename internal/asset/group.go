package asset

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

// maxGroups keeps the posting of a run, two lines for each group, below the 500 lines that the journal takes; requests
// that pass the count together still fit.
const maxGroups = 200

// Group is a class of assets with the accounts they are kept in.
type Group struct {
	tenant.Row
	Code string
	Name string
	// DefaultUsefulLifeMonths is the life of an asset that names none, or nil.
	DefaultUsefulLifeMonths *int
	// AssetAccountCode holds cost, DepreciationAccountCode accumulated depreciation, ExpenseAccountCode takes each month.
	AssetAccountCode        string
	DepreciationAccountCode string
	ExpenseAccountCode      string
	CreatedAt               clock.Time
}

// TableName names the table for the mapper.
func (Group) TableName() string { return "asset_groups" }

// GroupCard is a group as clients see it and as the audit log keeps it.
type GroupCard struct {
	Code                    string     `json:"code" description:"Code of the group, one per company."`
	Name                    string     `json:"name" description:"What the group holds."`
	DefaultUsefulLifeMonths *int       `json:"defaultUsefulLifeMonths,omitzero" description:"Life of an asset that names none."`
	AssetAccountCode        string     `json:"assetAccountCode" description:"Account of the cost."`
	DepreciationAccountCode string     `json:"depreciationAccountCode" description:"Account of accumulated depreciation."`
	ExpenseAccountCode      string     `json:"expenseAccountCode" description:"Account that each month is charged to."`
	ID                      tenant.ID  `json:"id" description:"Id of the group."`
	CreatedAt               clock.Time `json:"createdAt" description:"When the group was created."`
}

// Card shows the group to its company.
func (g Group) Card() GroupCard {
	return GroupCard{
		Code: g.Code, Name: g.Name, DefaultUsefulLifeMonths: g.DefaultUsefulLifeMonths, AssetAccountCode: g.AssetAccountCode,
		DepreciationAccountCode: g.DepreciationAccountCode, ExpenseAccountCode: g.ExpenseAccountCode, ID: g.ID, CreatedAt: g.CreatedAt,
	}
}

// CreateGroupInput is what a new group needs.
type CreateGroupInput struct {
	Code                    string
	Name                    string
	DefaultUsefulLifeMonths *int
	AssetAccountCode        string
	DepreciationAccountCode string
	// ExpenseAccountCode is empty for the account of the posting rule of depreciation.
	ExpenseAccountCode string
}

// CreateGroup stores a group. Errors: validation, asset.group_exists, asset.too_many_groups, asset.wrong_account,
// ledger.unknown_account, ledger.account_not_postable.
func CreateGroup(ctx context.Context, tx tenant.Tx, in CreateGroupInput) (*Group, error) {
	g := &Group{
		Row: tenant.Row{ID: tenant.NewID()}, Code: strings.TrimSpace(in.Code), Name: strings.TrimSpace(in.Name),
		DefaultUsefulLifeMonths: in.DefaultUsefulLifeMonths, AssetAccountCode: in.AssetAccountCode,
		DepreciationAccountCode: in.DepreciationAccountCode, ExpenseAccountCode: in.ExpenseAccountCode, CreatedAt: tx.Now(),
	}
	if months := in.DefaultUsefulLifeMonths; months != nil && (*months < 1 || *months > maxLifeMonths) {
		return nil, apperr.Invalid("defaultUsefulLifeMonths", "must be 1 to %d", maxLifeMonths)
	}
	if err := groupCodeIsFree(ctx, tx, g.Code); err != nil {
		return nil, err
	}
	if err := g.checkAccounts(ctx, tx); err != nil {
		return nil, err
	}
	count, err := tenant.Count[Group](ctx, tx, "")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was counted
	}
	if count >= maxGroups {
		return nil, ErrTooManyGroups.New("The company has %d asset groups already; use one of them.", count)
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, g), "asset_groups_code",
		func(ctx context.Context, r tenant.ReadTx) error { return groupCodeIsFree(ctx, r, g.Code) })
	if err != nil {
		return nil, fmt.Errorf("creating the asset group: %w", err)
	}
	return g, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "asset_group.created", Entity: entityGroup, EntityID: g.ID.String(), After: g.Card(),
	})
}

func groupCodeIsFree(ctx context.Context, r tenant.Reader, code string) error {
	existing, err := tenant.First[Group](ctx, r, "code = ?", code)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrGroupExists.New("The asset group %s exists already: %s. Use it, or choose another code.", code, existing.Name).
		Field("code", "is taken").Detail("existingId", existing.ID).Detail("index", "one asset group per code")
}

func (g *Group) checkAccounts(ctx context.Context, tx tenant.Tx) error {
	if g.ExpenseAccountCode == "" {
		code, err := ledger.AccountCode(ctx, tx, ledger.RuleDepreciation)
		if err != nil {
			return fmt.Errorf("choosing the expense account: %w", err)
		}
		g.ExpenseAccountCode = code
	}
	if g.AssetAccountCode == g.DepreciationAccountCode {
		return ErrWrongAccount.New("Cost and accumulated depreciation need accounts of their own.").
			Field("depreciationAccountCode", "must differ from assetAccountCode")
	}
	return checkAccounts(ctx, tx, []accountUse{
		{"assetAccountCode", g.AssetAccountCode, ledger.AccountAsset},
		{"depreciationAccountCode", g.DepreciationAccountCode, ledger.AccountAsset},
		{"expenseAccountCode", g.ExpenseAccountCode, ledger.AccountExpense},
	})
}

// accountUse is an account that a request names, or that stands in for it, and the type that fits.
type accountUse struct {
	member string
	code   string
	fits   ledger.AccountType
}

// checkAccounts refuses accounts that are missing, take no postings or are of another type.
func checkAccounts(ctx context.Context, r tenant.Reader, uses []accountUse) error {
	codes := make([]string, len(uses))
	for i, u := range uses {
		codes[i] = u.code
	}
	rows, err := tenant.Find[ledger.Account](ctx, r, "code IN ?", codes)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	accounts := make(map[string]ledger.Account, len(rows))
	for _, a := range rows {
		accounts[a.Code] = a
	}
	for _, u := range uses {
		a, ok := accounts[u.code]
		switch {
		case !ok:
			return ledger.ErrUnknownAccount.New("The chart of accounts has no account %s; create it or use another.", u.code).
				Field(u.member, "names no account").Detail("accountCode", u.code)
		case !a.IsPostable:
			return ledger.ErrNotPostable.New("The account %s %s takes no postings; use one below it.", a.Code, a.Name).
				Field(u.member, "takes no postings").Detail("accountCode", u.code)
		case a.Type != u.fits:
			return ErrWrongAccount.New("The account %s %s is of type %s; use one of type %s.", a.Code, a.Name, a.Type, u.fits).
				Field(u.member, "must be an account of type %s", u.fits).Detail("accountCode", u.code)
		}
	}
	return nil
}

var groupListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "asset_groups",
		Fields: map[string]tenant.Field{
			"id":                      tenant.IDField("id"),
			"code":                    tenant.TextField("code"),
			"name":                    tenant.TextField("name"),
			"defaultUsefulLifeMonths": tenant.IntField("default_useful_life_months"),
			"assetAccountCode":        tenant.TextField("asset_account_code"),
			"depreciationAccountCode": tenant.TextField("depreciation_account_code"),
			"expenseAccountCode":      tenant.TextField("expense_account_code"),
			"createdAt":               tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "code"}},
}

// ListGroups reads a page of groups, by code unless asked otherwise. Error: validation.
func ListGroups(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Group], error) {
	return tenant.ListRows[Group](ctx, r, q, groupListing) //nolint:wrapcheck // names the field at fault
}
