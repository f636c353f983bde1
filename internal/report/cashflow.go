package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// CashFlow is where money came from and went to, by the direct method: each transaction that touches a cash account (27) is told
// by its other accounts. What a transaction credits there is money received, what it debits is money paid.
type CashFlow struct {
	FromDate    date.Date    `json:"fromDate" description:"First day."`
	ToDate      date.Date    `json:"toDate" description:"Last day."`
	OpeningCash money.Amount `json:"openingCash" description:"Cash before the first day."`
	ClosingCash money.Amount `json:"closingCash" description:"Cash at the end of the last day."`
	NetChange   money.Amount `json:"netChange" description:"What all activities brought."`
	Operating   CashActivity `json:"operating" description:"Everything that is neither investing nor financing."`
	Investing   CashActivity `json:"investing" description:"Non-current assets (class 1) and short-term investments (group 26)."`
	Financing   CashActivity `json:"financing" description:"Equity (class 3), long-term debts (group 42), credit institutions (4400) and dividends (4496)."`
	Balanced    bool         `json:"balanced" description:"Whether opening cash and change give closing cash."`
}

// CashActivity is one sort of activity.
type CashActivity struct {
	Inflow  money.Amount `json:"inflow" description:"Money received."`
	Outflow money.Amount `json:"outflow" description:"Money paid."`
	Net     money.Amount `json:"net" description:"Inflow less outflow."`
	Rows    []CashRow    `json:"rows" description:"Accounts by code."`
}

// CashRow is what moved against an account.
type CashRow struct {
	Code    string       `json:"code" description:"Code of the account."`
	Name    string       `json:"name" description:"Name of the account."`
	Inflow  money.Amount `json:"inflow" description:"Money received."`
	Outflow money.Amount `json:"outflow" description:"Money paid."`
}

func (a *CashActivity) add(row CashRow) {
	a.Rows = append(a.Rows, row)
	a.Inflow, a.Outflow = a.Inflow.Add(row.Inflow), a.Outflow.Add(row.Outflow)
	a.Net = a.Inflow.Sub(a.Outflow)
}

// financingPrefixes and investingPrefixes begin the codes of accounts whose movements are not operating.
var (
	financingPrefixes = []string{"3", "42", "4400", "4496"}
	investingPrefixes = []string{"1", "26"}
)

// FlowOfCash tells the cash of some days. Error: validation.
func FlowOfCash(ctx context.Context, r tenant.ReadTx, p Period) (CashFlow, error) {
	if err := p.check(); err != nil {
		return CashFlow{}, err
	}
	accounts, err := chart(ctx, r)
	if err != nil {
		return CashFlow{}, err
	}
	base := r.Company().BaseCurrency
	none := money.Zero(base)
	activity := CashActivity{none, none, none, []CashRow{}}
	flow := CashFlow{
		FromDate: p.FromDate, ToDate: p.ToDate, OpeningCash: none, ClosingCash: none,
		Operating: activity, Investing: activity, Financing: activity,
	}
	cash := idsOf(accounts, isCash)
	if flow.OpeningCash, err = sumOf(ctx, r, cash, p.FromDate.AddDays(-1)); err != nil {
		return CashFlow{}, err
	}
	if flow.ClosingCash, err = sumOf(ctx, r, cash, p.ToDate); err != nil {
		return CashFlow{}, err
	}
	sums, err := counterSums(ctx, r, p, cash)
	if err != nil {
		return CashFlow{}, err
	}
	byID := make(map[tenant.ID]ledger.Account, len(accounts))
	for _, a := range accounts {
		byID[a.ID] = a
	}
	slices.SortFunc(sums, func(a, b counterRow) int { return cmp.Compare(byID[a.AccountID].Code, byID[b.AccountID].Code) })
	for _, s := range sums {
		a := byID[s.AccountID]
		flow.activity(a.Code).add(CashRow{a.Code, a.Name, money.New(s.Credit, base), money.New(s.Debit, base)})
	}
	flow.NetChange = flow.Operating.Net.Add(flow.Investing.Net).Add(flow.Financing.Net)
	flow.Balanced = flow.OpeningCash.Add(flow.NetChange) == flow.ClosingCash
	return flow, nil
}

func (f *CashFlow) activity(code string) *CashActivity {
	begins := func(prefix string) bool { return strings.HasPrefix(code, prefix) }
	switch {
	case slices.ContainsFunc(investingPrefixes, begins):
		return &f.Investing
	case slices.ContainsFunc(financingPrefixes, begins):
		return &f.Financing
	}
	return &f.Operating
}

func isCash(a ledger.Account) bool { return groupOf(a.Type, a.Code) == groupCash }

func sumOf(ctx context.Context, r tenant.ReadTx, accounts []tenant.ID, asOf date.Date) (money.Amount, error) {
	balances, err := ledger.Balances(ctx, r, asOf)
	if err != nil {
		return money.Amount{}, err //nolint:wrapcheck // says what was added up
	}
	sum := money.Zero(r.Company().BaseCurrency)
	for _, id := range accounts {
		if balance, known := balances[id]; known {
			sum = sum.Add(balance)
		}
	}
	return sum, nil
}
