package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// reportOperations are the reports beside the trial balance, which stands with the ledger.
func reportOperations() []Operation {
	return []Operation{
		reportQuery("/v1/reports/general-journal", tenant.ReadBooks, "General journal", report.GeneralJournal,
			described("Lists the transactions between two days with their entries in the base currency, a page at a time.")),
		reportQuery("/v1/reports/gl-detail", tenant.ReadBooks, "Entries of an account", report.AccountEntries,
			described("Opening, closing and the running balance are debit less credit. Up to 10000 entries; an export job has no such limit.")),
		reportQuery("/v1/reports/vat-summary", tenant.ReadBooks, "VAT by rate", report.VATByRate,
			described("Adds up one side of the VAT register by rate, in the base currency. Cancelled documents come to nothing.")),
		reportQuery("/v1/reports/vat-detail", tenant.ReadBooks, "VAT by document", report.VATByDocument,
			described("Lists one side of the VAT register. Up to 10000 rows; an export job has no such limit.")),
		reportQuery("/v1/reports/eu-purchases", tenant.ReadBooks, "Purchases from the EU", report.PurchasesFromEU,
			described("Adds up goods and services bought from VAT payers of other member states, by country and rate.")),
		reportQuery("/v1/reports/partner-balances", tenant.ReadBooks, "Balances of partners", partnerBalances,
			described("What each partner owes and is owed at the end of a day. Items in a foreign currency count at the rate of their document.")),
		reportQuery("/v1/reports/debt-aging", tenant.ReadBooks, "Debts by age", debtAging,
			described("Sorts what is open at the end of a day by how long it has been due. What was settled later counts as open.")),
		reportQuery("/v1/reports/monthly-summary", tenant.ReadBooks, "Months in short", report.SummarizeMonths,
			described("A line for each of the last months: debts at its end, income and expenses.")),
		reportQuery("/v1/reports/financial-statements", tenant.ReadBooks, "Financial statements", report.FinancialStatements,
			described("Balance sheet at the end of the days and their result. How much is shown depends on the category. The result that "+
				"is not closed yet counts as equity, so the balance sheet balances at any time.")),
		reportQuery("/v1/reports/size-category", tenant.ReadBooks, "Size of the company", report.SizeOfCompany,
			described("The category by the law on reporting that the figures of a year speak for: the smallest one of whose limits on assets, "+
				"turnover and employees at most one is exceeded. The books do not have employees; give their average as avgEmployees.")),
		reportQuery("/v1/reports/cash-flow", tenant.ReadBooks, "Cash flow", report.FlowOfCash,
			described("Where money came from and went to, by the direct method: what moved against cash accounts.")),
	}
}

func partnerBalances(ctx context.Context, r tenant.ReadTx, in report.AsOfInput) (report.PartnerBalances, error) {
	out, err := report.BalancesOfPartners(ctx, r, in)
	if err != nil {
		return out, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return out, report.FitsAnswer(int64(len(out.Rows)))
}

func debtAging(ctx context.Context, r tenant.ReadTx, in report.DebtAgingInput) (report.DebtAging, error) {
	out, err := report.AgeDebts(ctx, r, in)
	if err != nil {
		return out, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return out, report.FitsAnswer(int64(len(out.Rows)))
}
