package report

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Category is the size of a company, which decides how much its statements show.
type Category string

// The categories of the Law on Reporting by Undertakings.
const (
	Micro  Category = "micro"
	Small  Category = "small"
	Medium Category = "medium"
	Large  Category = "large"
)

// Enum lists the allowed values.
func (Category) Enum() []any { return []any{Micro, Small, Medium, Large} }

// layout is what a category shows.
type layout struct {
	name     string
	required []string
	detail   bool // the lines of balance sheet and profit and loss
	changes  bool // changes in equity and cash flow
}

// layouts follow the sets of statements by category: a micro company gives the short forms, a small one adds notes, medium and
// large ones add cash flow and changes in equity.
var layouts = map[Category]layout{
	Micro:  {"short", []string{"balanceSheet", "profitLoss"}, false, false},
	Small:  {"abridged", []string{"balanceSheet", "profitLoss", "notes"}, true, false},
	Medium: {"full", []string{"balanceSheet", "profitLoss", "cashFlow", "equityChanges", "notes"}, true, true},
	Large:  {"full", []string{"balanceSheet", "profitLoss", "cashFlow", "equityChanges", "notes", "managementReport"}, true, true},
}

// StatementsInput asks for the financial statements.
type StatementsInput struct {
	Period
	Category Category `json:"category,omitzero" description:"Size of the company; small unless given."`
}

// Statements are the financial statements.
type Statements struct {
	Category           Category            `json:"category" description:"Size that decided the layout."`
	Layout             string              `json:"layout" description:"short, abridged or full."`
	RequiredStatements []string            `json:"requiredStatements" description:"Statements that the category has to give."`
	AsOf               date.Date           `json:"asOf" description:"Day of the balance sheet."`
	BalanceSheet       BalanceSheet        `json:"balanceSheet" description:"Assets, equity and liabilities."`
	ProfitLoss         ProfitLoss          `json:"profitLoss" description:"Result of the days."`
	BalanceSheetDetail *BalanceSheetDetail `json:"balanceSheetDetail,omitzero" description:"Lines of the balance sheet, unless the category is micro."`
	ProfitLossDetail   *ProfitLossDetail   `json:"profitLossDetail,omitzero" description:"Lines of the result, unless the category is micro."`
	EquityChanges      []EquityChange      `json:"equityChanges,omitempty" description:"Changes in equity, for medium and large companies."`
	CashFlow           *CashFlowSummary    `json:"cashFlow,omitzero" description:"Cash flow, for medium and large companies."`
}

// CashFlowSummary is the cash flow without its rows.
type CashFlowSummary struct {
	OpeningCash money.Amount `json:"openingCash" description:"Cash before the first day."`
	Operating   money.Amount `json:"operating" description:"Net of operating activities."`
	Investing   money.Amount `json:"investing" description:"Net of investing activities."`
	Financing   money.Amount `json:"financing" description:"Net of financing activities."`
	NetChange   money.Amount `json:"netChange" description:"All three."`
	ClosingCash money.Amount `json:"closingCash" description:"Cash at the end of the last day."`
}

// FinancialStatements computes the statements of some days and the balance sheet at their end. The result that is not closed
// into equity yet counts as equity, so the balance sheet balances at any time. Error: validation.
func FinancialStatements(ctx context.Context, r tenant.ReadTx, in StatementsInput) (Statements, error) {
	if err := in.check(); err != nil {
		return Statements{}, err
	}
	if in.Category == "" {
		in.Category = Small
	}
	accounts, err := chart(ctx, r)
	if err != nil {
		return Statements{}, err
	}
	taken, err := results(ctx, r, in.Period, accounts)
	if err != nil {
		return Statements{}, err
	}
	closing, err := ledger.Balances(ctx, r, in.ToDate)
	if err != nil {
		return Statements{}, err //nolint:wrapcheck // says what was added up
	}
	base := r.Company().BaseCurrency
	shown := layouts[in.Category]
	short, detail := profitLoss(in.Period, accounts, taken, base)
	sheet, lines := balanceSheet(accounts, closing, short.NetResult)
	out := Statements{
		Category: in.Category, Layout: shown.name, RequiredStatements: shown.required, AsOf: in.ToDate,
		BalanceSheet: sheet, ProfitLoss: short,
	}
	if shown.detail {
		out.BalanceSheetDetail, out.ProfitLossDetail = &lines, &detail
	}
	if !shown.changes {
		return out, nil
	}
	if out.EquityChanges, err = equityChanges(ctx, r, in.Period, accounts, closing); err != nil {
		return Statements{}, err
	}
	flow, err := FlowOfCash(ctx, r, in.Period)
	if err != nil {
		return Statements{}, err
	}
	out.CashFlow = &CashFlowSummary{
		flow.OpeningCash, flow.Operating.Net, flow.Investing.Net, flow.Financing.Net, flow.NetChange, flow.ClosingCash,
	}
	return out, nil
}
