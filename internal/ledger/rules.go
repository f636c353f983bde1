package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Rule is the key of a posting rule: the purpose for which a document needs an account.
type Rule string

// The posting rules.
const (
	RuleReceivable        Rule = "sales.receivable"
	RuleRevenueProducts   Rule = "sales.revenueProducts"
	RuleRevenueServices   Rule = "sales.revenueServices"
	RuleVATPayable        Rule = "sales.vatPayable"
	RuleAdvancesReceived  Rule = "sales.advancesReceived"
	RulePayables          Rule = "purchases.payables"
	RuleVATReceivable     Rule = "purchases.vatReceivable"
	RuleGoodsForResale    Rule = "purchases.goodsForResale"
	RuleDefaultExpense    Rule = "purchases.defaultExpense"
	RuleCostOfGoods       Rule = "inventory.cogs"
	RuleStock             Rule = "inventory.stock"
	RuleFXGain            Rule = "bank.fxGain"
	RuleFXLoss            Rule = "bank.fxLoss"
	RuleFees              Rule = "settlements.fees"
	RuleCommissionRevenue Rule = "settlements.commissionRevenue"
	RuleSellerPayable     Rule = "settlements.sellerPayable"
	RuleSuspense          Rule = "settlements.suspense"
	RuleDeferredIncome    Rule = "revenue.deferredIncome"
	RuleContractAsset     Rule = "revenue.contractAsset"
	RuleRefundLiability   Rule = "revenue.refundLiability"
	// The contract has no key for these; they are ours.
	RuleBank           Rule = "bank.account"
	RuleMoneyInTransit Rule = "bank.moneyInTransit"
	RuleRounding       Rule = "bank.rounding"
	RuleDepreciation   Rule = "assets.depreciationExpense"
)

// AccountCode gives the account of one rule: the company's own choice, else the default.
func AccountCode(ctx context.Context, r tenant.Reader, rule Rule) (string, error) {
	panic("ledger: AccountCode")
}

// AccountCodes gives the accounts of several rules in one query.
func AccountCodes(ctx context.Context, r tenant.Reader, rules ...Rule) (map[Rule]string, error) {
	panic("ledger: AccountCodes")
}
