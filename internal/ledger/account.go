package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// AccountType is the sort of an account; it never changes.
type AccountType string

// The types.
const (
	AccountAsset     AccountType = "asset"
	AccountLiability AccountType = "liability"
	AccountEquity    AccountType = "equity"
	AccountIncome    AccountType = "income"
	AccountExpense   AccountType = "expense"
)

// Enum lists the allowed values.
func (AccountType) Enum() []any {
	return []any{AccountAsset, AccountLiability, AccountEquity, AccountIncome, AccountExpense}
}

// Account is a row of the chart of accounts.
type Account struct {
	tenant.Row
	Code string
	Name string
	Type AccountType
	// ParentID is the account that this one is shown under, or nil.
	ParentID *tenant.ID
	// IsPostable is false for a heading, and for an account that takes no new postings any more.
	IsPostable bool
	// SAFTCode and SAFTName are the account of VMI's classifier that the company compares this one with; nil leaves it to Classify.
	SAFTCode  *string `gorm:"column:saft_code"`
	SAFTName  *string `gorm:"column:saft_name"`
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (Account) TableName() string { return "ledger_accounts" }

func unknownAccount(code string) error {
	return ErrUnknownAccount.New("The chart of accounts has no account %s; create it or use another.", code).Detail("accountCode", code)
}

// postable refuses an account that is missing or takes no postings.
func postable(accounts map[string]Account, code string) error {
	a, ok := accounts[code]
	if !ok {
		return unknownAccount(code)
	}
	if !a.IsPostable {
		return ErrNotPostable.New("The account %s %s takes no postings; use one below it, or make it postable.", code, a.Name).
			Detail("accountCode", code)
	}
	return nil
}

var accountListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "ledger_accounts",
		Fields: map[string]tenant.Field{
			"id":         tenant.IDField("id"),
			"code":       tenant.TextField("code"),
			"name":       tenant.TextField("name"),
			"type":       tenant.TextField("type"),
			"parentId":   tenant.IDField("parent_id"),
			"isPostable": tenant.BoolField("is_postable"),
			"saftCode":   tenant.TextField("saft_code"),
			"createdAt":  tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "code"}},
}

// ListAccounts reads a page of the chart of accounts, by code unless asked otherwise.
func ListAccounts(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Account], error) {
	return tenant.ListRows[Account](ctx, r, q, accountListing) //nolint:wrapcheck // names the field at fault
}

// accountView is an account in the audit log.
type accountView struct {
	ID         tenant.ID   `json:"id"`
	Code       string      `json:"code"`
	Name       string      `json:"name"`
	Type       AccountType `json:"type"`
	ParentID   *tenant.ID  `json:"parentId,omitzero"`
	IsPostable bool        `json:"isPostable"`
	SAFTCode   *string     `json:"saftCode,omitzero"`
	SAFTName   *string     `json:"saftName,omitzero"`
}

func (a Account) view() accountView {
	return accountView{a.ID, a.Code, a.Name, a.Type, a.ParentID, a.IsPostable, a.SAFTCode, a.SAFTName}
}
