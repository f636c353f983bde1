package ledger

import (
	"errors"

	"github.com/vienkart/vienkart/internal/apperr"
)

// Rule is the key of a posting rule: the purpose for which a document needs an account.
type Rule string

// The posting rules of the contract.
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
)

// The posting rules that the contract has no key for.
const (
	RuleBank           Rule = "bank.account"
	RuleMoneyInTransit Rule = "bank.moneyInTransit"
	RuleRounding       Rule = "bank.rounding"
	RuleDepreciation   Rule = "assets.depreciationExpense"
)

type ruleDefinition struct {
	rule        Rule
	code        string
	description string
}

// ruleDefinitions are all rules with the account of the template that serves by default.
var ruleDefinitions = []ruleDefinition{
	{RuleReceivable, "2410", "What customers owe on sales invoices."},
	{RuleRevenueProducts, "5000", "Revenue from goods sold."},
	{RuleRevenueServices, "5001", "Revenue from services rendered."},
	{RuleVATPayable, "4492", "VAT on sales, owed to the tax authority."},
	{RuleAdvancesReceived, "4420", "Money received before the invoice."},
	{RulePayables, "4430", "What is owed to suppliers."},
	{RuleVATReceivable, "2441", "VAT on purchases that can be deducted."},
	{RuleGoodsForResale, "2040", "Goods bought to be sold again."},
	{RuleDefaultExpense, "6300", "Purchases that name no account of their own."},
	{RuleCostOfGoods, "6000", "Cost of the goods sold."},
	{RuleStock, "2040", "Goods in stock."},
	{RuleFXGain, "5800", "Gains from changes of exchange rates."},
	{RuleFXLoss, "6800", "Losses from changes of exchange rates."},
	{RuleFees, "6104", "Fees that payment providers and marketplaces keep."},
	{RuleCommissionRevenue, "5002", "Commission earned on the sales of others."},
	{RuleSellerPayable, "4431", "What is owed to the sellers of a marketplace."},
	{RuleSuspense, "4499", "Amounts of a settlement that could not be explained yet."},
	{RuleDeferredIncome, "4910", "Income invoiced before it is earned."},
	{RuleContractAsset, "2450", "Income earned before it is invoiced."},
	{RuleRefundLiability, "4460", "What is expected to be refunded to customers."},
	{RuleBank, "2710", "Money in banks, unless the bank account names its own."},
	{RuleMoneyInTransit, "2770", "Money on its way between accounts or currencies."},
	{RuleRounding, "6390", "Differences left by rounding."},
	{RuleDepreciation, "6310", "Depreciation, unless the asset group names its own account."},
}

// Enum lists the allowed values.
func (Rule) Enum() []any {
	all := make([]any, len(ruleDefinitions))
	for i, d := range ruleDefinitions {
		all[i] = d.rule
	}
	return all
}

func definitionOf(rule Rule) (ruleDefinition, bool) {
	for _, d := range ruleDefinitions {
		if d.rule == rule {
			return d, true
		}
	}
	return ruleDefinition{}, false
}

func errorAs(err error) (*apperr.Error, bool) { return errors.AsType[*apperr.Error](err) }
