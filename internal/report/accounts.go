package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

// accountGroup is a place in the statements. Groups follow the headings of the chart of accounts that a company starts with
// (ledger.Template); an account that the company added belongs to the group its code begins with, if that group is of the
// account's type, and else to the group for all others of its type. So each account lies in exactly one group.
type accountGroup string

// The groups.
const (
	groupNonCurrent       accountGroup = "nonCurrentAssets"
	groupInventories      accountGroup = "inventories"
	groupReceivables      accountGroup = "receivables"
	groupCash             accountGroup = "cash"
	groupOtherCurrent     accountGroup = "otherCurrentAssets"
	groupCapital          accountGroup = "capital"
	groupReserves         accountGroup = "reserves"
	groupRetained         accountGroup = "retainedEarnings"
	groupOtherEquity      accountGroup = "otherEquity"
	groupNonCurrentDebt   accountGroup = "nonCurrentLiabilities"
	groupCurrentDebt      accountGroup = "currentLiabilities"
	groupOtherLiabilities accountGroup = "otherLiabilities"
	groupSales            accountGroup = "salesRevenue"
	groupCostOfSales      accountGroup = "costOfSales"
	groupSelling          accountGroup = "sellingExpenses"
	groupAdmin            accountGroup = "adminExpenses"
	groupOtherActivity    accountGroup = "otherActivity"
	groupFinancial        accountGroup = "financialActivity"
	groupIncomeTax        accountGroup = "incomeTax"
)

type groupRule struct {
	kind   ledger.AccountType
	prefix string
	group  accountGroup
}

// groupRules are tried in order; the last of each type takes what is left.
var groupRules = []groupRule{
	{ledger.AccountAsset, "1", groupNonCurrent},
	{ledger.AccountAsset, "20", groupInventories},
	{ledger.AccountAsset, "24", groupReceivables},
	{ledger.AccountAsset, "27", groupCash},
	{ledger.AccountAsset, "", groupOtherCurrent},
	{ledger.AccountEquity, "30", groupCapital},
	{ledger.AccountEquity, "32", groupReserves},
	{ledger.AccountEquity, "34", groupRetained},
	{ledger.AccountEquity, closingPrefix, groupRetained},
	{ledger.AccountEquity, "", groupOtherEquity},
	{ledger.AccountLiability, "42", groupNonCurrentDebt},
	{ledger.AccountLiability, "44", groupCurrentDebt},
	{ledger.AccountLiability, "", groupOtherLiabilities},
	{ledger.AccountIncome, "50", groupSales},
	{ledger.AccountIncome, "58", groupFinancial},
	{ledger.AccountIncome, "", groupOtherActivity},
	{ledger.AccountExpense, "60", groupCostOfSales},
	{ledger.AccountExpense, "61", groupSelling},
	{ledger.AccountExpense, "63", groupAdmin},
	{ledger.AccountExpense, "68", groupFinancial},
	{ledger.AccountExpense, "69", groupIncomeTax},
	{ledger.AccountExpense, "", groupOtherActivity},
}

// closingPrefix begins the codes of the income summary. A transaction that touches it closes income and expenses; it is no
// income and no expense itself.
const closingPrefix = "39"

func groupOf(kind ledger.AccountType, code string) accountGroup {
	for _, rule := range groupRules {
		if rule.kind == kind && strings.HasPrefix(code, rule.prefix) {
			return rule.group
		}
	}
	return ""
}

// isResult reports income and expense accounts: what they took is the result.
func isResult(kind ledger.AccountType) bool {
	return kind == ledger.AccountIncome || kind == ledger.AccountExpense
}

// chart reads the accounts of the company by code.
func chart(ctx context.Context, r tenant.ReadTx) ([]ledger.Account, error) {
	accounts, err := tenant.Query[ledger.Account](ctx, r, "SELECT * FROM ledger_accounts WHERE company_id = @company ORDER BY code")
	if err != nil {
		return nil, fmt.Errorf("reading the chart of accounts: %w", err)
	}
	return accounts, nil
}

// idsOf are the accounts that meet a condition.
func idsOf(accounts []ledger.Account, meets func(ledger.Account) bool) []tenant.ID {
	ids := []tenant.ID{}
	for _, a := range accounts {
		if meets(a) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
