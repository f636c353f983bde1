package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// counterRow is what an account took in transactions that also touch some other accounts, in minor units.
type counterRow struct {
	AccountID tenant.ID
	Debit     int64
	Credit    int64
}

// counterSums adds up, for the days of a period, the entries that stand in one transaction with entries on the given accounts
// and are themselves on none of them.
func counterSums(ctx context.Context, r tenant.ReadTx, p Period, accounts []tenant.ID) ([]counterRow, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	rows, err := tenant.Query[counterRow](ctx, r, `SELECT e.account_id, SUM(e.base_debit_minor) AS debit, SUM(e.base_credit_minor) AS credit
		FROM (SELECT DISTINCT transaction_id FROM journal_entries
			WHERE company_id = @company AND account_id IN ? AND transaction_date BETWEEN ? AND ?) touched
		JOIN journal_entries e ON e.company_id = @company AND e.transaction_id = touched.transaction_id
		WHERE e.account_id NOT IN ? GROUP BY e.account_id`, accounts, p.FromDate, p.ToDate, accounts)
	if err != nil {
		return nil, fmt.Errorf("adding up counter entries: %w", err)
	}
	return rows, nil
}

// results is what income and expense accounts took, entries that close them not counted.
func results(ctx context.Context, r tenant.ReadTx, p Period, accounts []ledger.Account) (map[tenant.ID]money.Amount, error) {
	turnovers, err := ledger.Turnovers(ctx, r, p.FromDate, p.ToDate)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was added up
	}
	closings, err := counterSums(ctx, r, p, idsOf(accounts, isIncomeSummary))
	if err != nil {
		return nil, err
	}
	base := r.Company().BaseCurrency
	taken := map[tenant.ID]money.Amount{}
	for _, a := range accounts {
		if t, known := turnovers[a.ID]; known && isResult(a.Type) {
			taken[a.ID] = t.Net()
		}
	}
	for _, c := range closings {
		if net, known := taken[c.AccountID]; known {
			taken[c.AccountID] = net.Sub(money.New(c.Debit-c.Credit, base))
		}
	}
	return taken, nil
}

func isIncomeSummary(a ledger.Account) bool {
	return a.Type == ledger.AccountEquity && strings.HasPrefix(a.Code, closingPrefix)
}

// ProfitLoss is the result of some days.
type ProfitLoss struct {
	Period
	Revenue   money.Amount `json:"revenue" description:"What income accounts took."`
	Expenses  money.Amount `json:"expenses" description:"What expense accounts took."`
	NetResult money.Amount `json:"netResult" description:"Revenue less expenses."`
}

// ProfitLossDetail is the result by sort of activity. Expenses are positive.
type ProfitLossDetail struct {
	SalesRevenue            money.Amount `json:"salesRevenue" description:"Group 50."`
	CostOfSales             money.Amount `json:"costOfSales" description:"Group 60."`
	GrossProfit             money.Amount `json:"grossProfit" description:"Sales less their cost."`
	SellingExpenses         money.Amount `json:"sellingExpenses" description:"Group 61."`
	AdminExpenses           money.Amount `json:"adminExpenses" description:"Group 63."`
	OperatingProfit         money.Amount `json:"operatingProfit" description:"Gross profit less selling and administrative expenses."`
	OtherActivityResult     money.Amount `json:"otherActivityResult" description:"All other income less all other expenses."`
	FinancialActivityResult money.Amount `json:"financialActivityResult" description:"Group 58 less group 68."`
	ProfitBeforeTax         money.Amount `json:"profitBeforeTax" description:"Operating profit with both results."`
	IncomeTax               money.Amount `json:"incomeTax" description:"Group 69."`
	NetProfit               money.Amount `json:"netProfit" description:"Profit after tax."`
}

func profitLoss(p Period, accounts []ledger.Account, taken map[tenant.ID]money.Amount, base money.Currency) (ProfitLoss, ProfitLossDetail) {
	none := money.Zero(base)
	groups := map[accountGroup]money.Amount{}
	short := ProfitLoss{Period: p, Revenue: none, Expenses: none}
	for _, a := range accounts {
		net, known := taken[a.ID]
		if !known {
			continue
		}
		if a.Type == ledger.AccountIncome {
			short.Revenue = short.Revenue.Sub(net)
		} else {
			short.Expenses = short.Expenses.Add(net)
		}
		addTo(groups, groupOf(a.Type, a.Code), net)
	}
	short.NetResult = short.Revenue.Sub(short.Expenses)
	of := func(g accountGroup) money.Amount { return amountOf(groups, g, base) }
	d := ProfitLossDetail{
		SalesRevenue: of(groupSales).Neg(), CostOfSales: of(groupCostOfSales), SellingExpenses: of(groupSelling),
		AdminExpenses: of(groupAdmin), OtherActivityResult: of(groupOtherActivity).Neg(),
		FinancialActivityResult: of(groupFinancial).Neg(), IncomeTax: of(groupIncomeTax),
	}
	d.GrossProfit = d.SalesRevenue.Sub(d.CostOfSales)
	d.OperatingProfit = d.GrossProfit.Sub(d.SellingExpenses).Sub(d.AdminExpenses)
	d.ProfitBeforeTax = d.OperatingProfit.Add(d.OtherActivityResult).Add(d.FinancialActivityResult)
	d.NetProfit = d.ProfitBeforeTax.Sub(d.IncomeTax)
	return short, d
}

func addTo(groups map[accountGroup]money.Amount, g accountGroup, amount money.Amount) {
	if sum, known := groups[g]; known {
		amount = sum.Add(amount)
	}
	groups[g] = amount
}

func amountOf(groups map[accountGroup]money.Amount, g accountGroup, base money.Currency) money.Amount {
	if sum, known := groups[g]; known {
		return sum
	}
	return money.Zero(base)
}
