package ledger

import (
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
	CreatedAt  clock.Time
}

// TableName names the table for the mapper.
func (Account) TableName() string { return "ledger_accounts" }
