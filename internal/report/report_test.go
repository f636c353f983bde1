package report_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// reports computes every report of a company, by the name of its golden file.
func reports(t require.TestingT, c *testkit.Company) map[string]any {
	all := map[string]any{}
	keep := func(name string) func(any, error) {
		return func(answer any, err error) {
			require.NoError(t, err, name)
			all[name] = answer
		}
	}
	asOf := report.AsOfInput{AsOf: date.MustParse("2026-03-10")}
	err := c.Engine.Store.Snapshot(context.Background(), c.Scope, func(ctx context.Context, r tenant.ReadTx) error {
		keep("general-journal")(wide(report.GeneralJournal(ctx, r, report.JournalInput{Period: quarter, Page: 2, PageSize: 3})))
		keep("gl-detail")(wide(report.AccountEntries(ctx, r, report.AccountInput{AccountCode: "2710", Period: quarter})))
		keep("vat-summary-sales")(wide(report.VATByRate(ctx, r, report.VATInput{Period: quarter})))
		keep("vat-summary-purchases")(wide(report.VATByRate(ctx, r, report.VATInput{Period: quarter, Side: register.Purchases})))
		keep("vat-detail-sales")(wide(report.VATByDocument(ctx, r, report.VATInput{Period: quarter})))
		keep("vat-detail-purchases")(wide(report.VATByDocument(ctx, r, report.VATInput{Period: quarter, Side: register.Purchases})))
		keep("eu-purchases")(wide(report.PurchasesFromEU(ctx, r, quarter)))
		keep("partner-balances")(wide(report.BalancesOfPartners(ctx, r, report.AsOfInput{})))
		keep("debt-aging-receivables")(wide(report.AgeDebts(ctx, r, report.DebtAgingInput{})))
		keep("debt-aging-payables")(wide(report.AgeDebts(ctx, r, report.DebtAgingInput{Side: report.Payables, AsOfInput: asOf})))
		keep("debt-aging-new-year")(wide(report.AgeDebts(ctx, r, report.DebtAgingInput{
			AsOfInput: report.AsOfInput{AsOf: date.MustParse("2025-12-31")},
		})))
		keep("monthly-summary")(wide(report.SummarizeMonths(ctx, r, report.MonthlyInput{Months: 5})))
		keep("cash-flow")(wide(report.FlowOfCash(ctx, r, quarter)))
		keep("financial-statements-micro")(wide(report.FinancialStatements(ctx, r, report.StatementsInput{Period: quarter, Category: report.Micro})))
		keep("financial-statements-small")(wide(report.FinancialStatements(ctx, r, report.StatementsInput{Period: quarter})))
		keep("financial-statements-large")(wide(report.FinancialStatements(ctx, r, report.StatementsInput{Period: quarter, Category: report.Large})))
		return nil
	})
	require.NoError(t, err)
	return all
}

func wide[T any](answer T, err error) (any, error) { return answer, err }

func TestReports(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := empty(t, e), empty(t, e)
		fill(t, c)
		before := reports(t, other)
		for name, answer := range reports(t, c) {
			golden(t, name, answer)
			text, err := json.Marshal(before[name])
			require.NoError(t, err)
			require.NotRegexp(t, `"-?[0-9]*[1-9][0-9]*\.[0-9]{2}"|"0\.(0[1-9]|[1-9][0-9])"|UAB|GmbH`, string(text), "%s of a company without books", name)
		}
		fill(t, other)
		for name, answer := range reports(t, c) {
			golden(t, name, answer) // the other company's numbers are in none
		}
		for _, m := range []date.Month{date.MonthOf(date.MustParse("2025-12-31")), date.MonthOf(date.MustParse("2026-02-01"))} {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := ledger.Lock(ctx, tx, m)
				return err
			})
		}
		for name, answer := range reports(t, c) {
			golden(t, name, answer) // locking changes no answer
		}
	})
}

func TestReportsRefuse(t *testing.T) {
	t.Parallel()
	c := empty(t, testkit.SQLite(t))
	backwards := report.Period{FromDate: quarter.ToDate, ToDate: quarter.FromDate}
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		for name, refused := range map[string]error{
			"GeneralJournal": second(report.GeneralJournal(ctx, r, report.JournalInput{Period: backwards})),
			"DeepPage":       second(report.GeneralJournal(ctx, r, report.JournalInput{Period: quarter, Page: 1_000_000, PageSize: 200})),
			"WidePage":       second(report.GeneralJournal(ctx, r, report.JournalInput{Period: quarter, PageSize: 201})),
			"AccountEntries": second(report.AccountEntries(ctx, r, report.AccountInput{AccountCode: "2710", Period: backwards})),
			"VATByRate":      second(report.VATByRate(ctx, r, report.VATInput{Period: backwards})),
			"VATByDocument":  second(report.VATByDocument(ctx, r, report.VATInput{Period: backwards})),
			"EU":             second(report.PurchasesFromEU(ctx, r, backwards)),
			"Cash":           second(report.FlowOfCash(ctx, r, backwards)),
			"Statements":     second(report.FinancialStatements(ctx, r, report.StatementsInput{Period: backwards})),
		} {
			require.ErrorIs(t, refused, apperr.ErrValidation, name)
		}
		_, err := report.AccountEntries(ctx, r, report.AccountInput{AccountCode: "9999", Period: quarter})
		require.ErrorIs(t, err, ledger.ErrUnknownAccount)
		require.ErrorIs(t, report.FitsAnswer(report.MaxRows+1), report.ErrTooLarge)
		require.NoError(t, report.FitsAnswer(report.MaxRows))
		return nil
	})
}

func second[T any](_ T, err error) error { return err }

// For any books: the trial balance sums to zero, the balance sheet balances, its parts add up, and cash is explained.
func TestAnyBooksBalance(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	var codes []string
	for _, a := range ledger.Template() {
		if !a.IsHeading() {
			codes = append(codes, a.Code)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		c := empty(t, e)
		for i := range rapid.IntRange(1, 10).Draw(r, "postings") {
			label := fmt.Sprint(i)
			cents := rapid.IntRange(1, 9_999_999).Draw(r, "amount"+label)
			sum := fmt.Sprintf("%d.%02d", cents/100, cents%100)
			day := quarter.FromDate.AddDays(rapid.IntRange(-60, 120).Draw(r, "day"+label))
			post(t, c, day.String(), fmt.Sprintf("Dr %s %s / Cr %s %s", rapid.SampledFrom(codes).Draw(r, "debit"+label), sum,
				rapid.SampledFrom(codes).Draw(r, "credit"+label), sum))
		}
		err := c.Engine.Store.Snapshot(context.Background(), c.Scope, func(ctx context.Context, tx tenant.ReadTx) error {
			balances, err := ledger.TrialBalance(ctx, tx, quarter.FromDate, quarter.ToDate)
			require.NoError(r, err)
			sum := euro(r, "0.00")
			for _, b := range balances {
				sum = sum.Add(b.Closing)
			}
			require.True(r, sum.IsZero())
			s, err := report.FinancialStatements(ctx, tx, report.StatementsInput{Period: quarter, Category: report.Large})
			require.NoError(r, err)
			require.True(r, s.BalanceSheet.Balanced, "%+v", s.BalanceSheet)
			d := s.BalanceSheetDetail
			require.Equal(r, s.BalanceSheet.Equity, d.Equity.Capital.Add(d.Equity.Reserves).Add(d.Equity.RetainedEarnings).
				Add(d.Equity.OtherEquity).Add(d.Equity.PeriodResult))
			require.Equal(r, s.ProfitLoss.NetResult, s.ProfitLossDetail.NetProfit)
			require.Equal(r, s.BalanceSheet.OfWhichResult, s.ProfitLossDetail.NetProfit)
			changes := euro(r, "0.00")
			for _, change := range s.EquityChanges {
				changes = changes.Add(change.Closing)
			}
			require.Equal(r, s.BalanceSheet.Equity, changes)
			require.Equal(r, d.CurrentAssets.Cash, s.CashFlow.ClosingCash)
			require.Equal(r, s.CashFlow.ClosingCash, s.CashFlow.OpeningCash.Add(s.CashFlow.NetChange))
			return nil
		})
		require.NoError(r, err)
	})
}
