package httpapi

import (
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
)

// errCostCenters refuses what the contract has and the books do not keep.
var errCostCenters = apperr.Define("ledger.no_cost_centers", apperr.Rule,
	"The server keeps no cost centres; send entries without costCenterId.")

// ledgerOperations are the operations of the books: accounts, posting rules, periods, the journal, open items, balances.
func ledgerOperations() []Operation {
	return slices.Concat(
		ledgerAccountOperations(), ledgerPeriodOperations(), postingRuleOperations(), journalOperations(), openItemOperations(),
		trialBalanceOperations(),
	)
}
