package report

import (
	"context"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// BalanceSheet is what the company has, and whose it is.
type BalanceSheet struct {
	NonCurrentAssets          money.Amount `json:"nonCurrentAssets" description:"Class 1."`
	CurrentAssets             money.Amount `json:"currentAssets" description:"All other assets."`
	TotalAssets               money.Amount `json:"totalAssets" description:"All assets."`
	Equity                    money.Amount `json:"equity" description:"Equity with the result that is not closed yet."`
	OfWhichResult             money.Amount `json:"ofWhichResult" description:"Result of the days, closed or not."`
	Liabilities               money.Amount `json:"liabilities" description:"All liabilities."`
	TotalEquityAndLiabilities money.Amount `json:"totalEquityAndLiabilities" description:"Equal to the assets."`
	Balanced                  bool         `json:"balanced" description:"Whether both totals are equal."`
}

// BalanceSheetDetail are the lines of the balance sheet.
type BalanceSheetDetail struct {
	CurrentAssets CurrentAssets `json:"currentAssets" description:"Current assets."`
	Equity        Equity        `json:"equity" description:"Equity."`
	Liabilities   Liabilities   `json:"liabilities" description:"Liabilities."`
}

// CurrentAssets are the lines of current assets.
type CurrentAssets struct {
	Inventories  money.Amount `json:"inventories" description:"Group 20."`
	Receivables  money.Amount `json:"receivables" description:"Group 24."`
	OtherCurrent money.Amount `json:"otherCurrent" description:"All other current assets."`
	Cash         money.Amount `json:"cash" description:"Group 27."`
	Total        money.Amount `json:"total" description:"Sum of the lines."`
}

// Equity are the lines of equity.
type Equity struct {
	Capital          money.Amount `json:"capital" description:"Group 30."`
	Reserves         money.Amount `json:"reserves" description:"Group 32."`
	RetainedEarnings money.Amount `json:"retainedEarnings" description:"Result of the time before the first day, closed or not."`
	OtherEquity      money.Amount `json:"otherEquity" description:"All other equity accounts."`
	PeriodResult     money.Amount `json:"periodResult" description:"Result of the days, closed or not."`
	Total            money.Amount `json:"total" description:"Sum of the lines."`
}

// Liabilities are the lines of liabilities.
type Liabilities struct {
	NonCurrent money.Amount `json:"nonCurrent" description:"Group 42."`
	Current    money.Amount `json:"current" description:"Group 44."`
	Other      money.Amount `json:"other" description:"Provisions, accruals and all other liabilities."`
	Total      money.Amount `json:"total" description:"Sum of the lines."`
}

// balanceSheet puts balances into the sheet. Retained earnings are what the other lines of equity leave: accounts 34 and 39, the
// result of earlier days that is not closed, and less the result of these days as far as it is closed into them.
func balanceSheet(accounts []ledger.Account, closing map[tenant.ID]money.Amount, result money.Amount) (BalanceSheet, BalanceSheetDetail) {
	base := result.Currency()
	groups := map[accountGroup]money.Amount{}
	equity := money.Zero(base)
	for _, a := range accounts {
		balance, known := closing[a.ID]
		if !known {
			continue
		}
		addTo(groups, groupOf(a.Type, a.Code), balance)
		if a.Type == ledger.AccountEquity || isResult(a.Type) {
			equity = equity.Sub(balance)
		}
	}
	of := func(g accountGroup) money.Amount { return amountOf(groups, g, base) }
	current := CurrentAssets{
		Inventories: of(groupInventories), Receivables: of(groupReceivables), OtherCurrent: of(groupOtherCurrent), Cash: of(groupCash),
	}
	current.Total = money.Sum(base, current.Inventories, current.Receivables, current.OtherCurrent, current.Cash)
	owned := Equity{
		Capital: of(groupCapital).Neg(), Reserves: of(groupReserves).Neg(), OtherEquity: of(groupOtherEquity).Neg(),
		PeriodResult: result, Total: equity,
	}
	owned.RetainedEarnings = equity.Sub(owned.Capital).Sub(owned.Reserves).Sub(owned.OtherEquity).Sub(result)
	owed := Liabilities{
		NonCurrent: of(groupNonCurrentDebt).Neg(), Current: of(groupCurrentDebt).Neg(), Other: of(groupOtherLiabilities).Neg(),
	}
	owed.Total = money.Sum(base, owed.NonCurrent, owed.Current, owed.Other)
	sheet := BalanceSheet{
		NonCurrentAssets: of(groupNonCurrent), CurrentAssets: current.Total, TotalAssets: of(groupNonCurrent).Add(current.Total),
		Equity: equity, OfWhichResult: result, Liabilities: owed.Total, TotalEquityAndLiabilities: equity.Add(owed.Total),
	}
	sheet.Balanced = sheet.TotalAssets == sheet.TotalEquityAndLiabilities
	return sheet, BalanceSheetDetail{current, owned, owed}
}

// EquityChange is how a part of equity changed. Credits raise it.
type EquityChange struct {
	Code     string       `json:"code" description:"Code of the account; 5-6 for the result that is not closed yet."`
	Name     string       `json:"name" description:"Name of the account."`
	Opening  money.Amount `json:"opening" description:"Equity before the first day."`
	Increase money.Amount `json:"increase" description:"Credits."`
	Decrease money.Amount `json:"decrease" description:"Debits."`
	Closing  money.Amount `json:"closing" description:"Equity at the end of the last day."`
}

// equityChanges lists equity accounts by code, and the result that is not closed as one line.
func equityChanges(
	ctx context.Context, r tenant.ReadTx, p Period, accounts []ledger.Account, closing map[tenant.ID]money.Amount,
) ([]EquityChange, error) {
	turnovers, err := ledger.Turnovers(ctx, r, p.FromDate, p.ToDate)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was added up
	}
	none := money.Zero(r.Company().BaseCurrency)
	open := EquityChange{"5-6", "Neuždarytos pajamos ir sąnaudos", none, none, none, none}
	changes := []EquityChange{}
	for _, a := range accounts {
		balance, known := closing[a.ID]
		if !known || (a.Type != ledger.AccountEquity && !isResult(a.Type)) {
			continue
		}
		change := EquityChange{a.Code, a.Name, none, none, none, balance.Neg()}
		if t, moved := turnovers[a.ID]; moved {
			change.Increase, change.Decrease = t.Credit, t.Debit
		}
		change.Opening = change.Closing.Sub(change.Increase).Add(change.Decrease)
		if !isResult(a.Type) {
			changes = append(changes, change)
			continue
		}
		open.Opening, open.Closing = open.Opening.Add(change.Opening), open.Closing.Add(change.Closing)
		open.Increase, open.Decrease = open.Increase.Add(change.Increase), open.Decrease.Add(change.Decrease)
	}
	return append(changes, open), nil
}
