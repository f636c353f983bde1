package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

func trialBalanceOperations() []Operation {
	return []Operation{
		reportQuery("/v1/reports/trial-balance", tenant.ReadBooks, "Trial balance", trialBalance,
			described("Lists every account with entries up to toDate. Opening and closing are debit less credit, so credits are negative.")),
	}
}

type trialBalanceRequest struct {
	FromDate date.Date `json:"fromDate" description:"First day of the turnover."`
	ToDate   date.Date `json:"toDate" description:"Last day of the turnover."`
}

type trialBalanceRow struct {
	AccountID tenant.ID          `json:"accountId" description:"Id of the account."`
	Code      string             `json:"code" description:"Code of the account."`
	Name      string             `json:"name" description:"Name of the account."`
	Type      ledger.AccountType `json:"type" description:"Sort of the account."`
	Opening   money.Amount       `json:"opening" description:"Balance before the first day."`
	Debit     money.Amount       `json:"debit" description:"Debits from the first day to the last."`
	Credit    money.Amount       `json:"credit" description:"Credits from the first day to the last."`
	Closing   money.Amount       `json:"closing" description:"Balance at the end of the last day."`
}

type trialBalanceTotals struct {
	Debit  money.Amount `json:"debit" description:"All debits."`
	Credit money.Amount `json:"credit" description:"All credits; equal to the debits."`
}

type trialBalanceResponse struct {
	FromDate date.Date          `json:"fromDate" description:"First day of the turnover."`
	ToDate   date.Date          `json:"toDate" description:"Last day of the turnover."`
	Rows     []trialBalanceRow  `json:"rows" description:"Accounts by code."`
	Totals   trialBalanceTotals `json:"totals" description:"Turnover of all accounts."`
}

func trialBalance(ctx context.Context, r tenant.ReadTx, in trialBalanceRequest) (trialBalanceResponse, error) {
	balances, err := ledger.TrialBalance(ctx, r, in.FromDate, in.ToDate)
	if err != nil {
		return trialBalanceResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	base := r.Company().BaseCurrency
	out := trialBalanceResponse{
		FromDate: in.FromDate, ToDate: in.ToDate, Rows: make([]trialBalanceRow, len(balances)),
		Totals: trialBalanceTotals{money.Zero(base), money.Zero(base)},
	}
	for i, b := range balances {
		out.Rows[i] = trialBalanceRow(b)
		out.Totals.Debit = out.Totals.Debit.Add(b.Debit)
		out.Totals.Credit = out.Totals.Credit.Add(b.Credit)
	}
	return out, nil
}
