package report_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// requireTable compares rows of an answer with a table worked out by hand: the first line names members, each other one is a row.
func requireTable(t *testing.T, want string, rows any) {
	t.Helper()
	text, err := json.Marshal(rows)
	require.NoError(t, err)
	var list []map[string]any
	require.NoError(t, json.Unmarshal(text, &list))
	lines := strings.Split(strings.TrimSpace(want), "\n")
	names := strings.Fields(lines[0])
	var wanted, got []string
	for _, line := range lines[1:] {
		wanted = append(wanted, strings.Join(strings.Fields(line), " "))
	}
	for _, row := range list {
		var cells []string
		for _, name := range names {
			cells = append(cells, strings.ReplaceAll(fmt.Sprint(row[name]), " ", "_"))
		}
		got = append(got, strings.Join(cells, " "))
	}
	require.Equal(t, wanted, got)
}

// readAll runs reports on one snapshot.
func readAll(t *testing.T, c *testkit.Company, fn func(context.Context, tenant.ReadTx)) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		fn(ctx, r)
		return nil
	})
}

// must gives the answer of a report.
func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(answer T, err error) T {
		require.NoError(t, err)
		return answer
	}
}

// TestAgesOfDebtsByHand has an item on each side of each limit: asked on 10 March, thirty days before is 8 February.
func TestAgesOfDebtsByHand(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := empty(t, e)
		ages, other := newPartner(t, c, "UAB Amžius"), newPartner(t, c, "UAB Kitas")
		for i, due := range []struct{ due, amount string }{
			{"2026-03-11", "1.00"}, {"2026-03-10", "2.00"}, // not due, or due today
			{"2026-03-09", "4.00"}, {"2026-02-08", "8.00"}, // 1 and 30 days
			{"2026-02-07", "16.00"}, {"2026-01-09", "32.00"}, // 31 and 60
			{"2026-01-08", "64.00"}, {"2025-12-10", "128.00"}, // 61 and 90
			{"2025-12-09", "256.00"}, {"2020-01-01", "512.00"}, // 91 and more
		} {
			amount := euro(t, due.amount)
			open(t, c, item{ledger.ItemReceivable, fmt.Sprint("A", i), "2019-12-01", due.due, ages, amount, amount, "", ""})
		}
		ten := euro(t, "10.00")
		open(t, c, item{ledger.ItemReceivable, "B1", "2026-03-10", "2026-03-10", other, ten, ten, "4.00", "2026-03-10"})
		open(t, c, item{ledger.ItemReceivable, "B2", "2026-03-01", "2026-03-01", other, ten, ten, "9.00", "2026-03-11"}) // settled later
		open(t, c, item{ledger.ItemReceivable, "B3", "2026-03-11", "2026-04-01", other, ten, ten, "", ""})               // not there yet
		open(t, c, item{ledger.ItemPayable, "B4", "2026-03-01", "2026-03-01", other, ten, ten, "3.00", "2026-03-02"})
		on := report.AsOfInput{AsOf: date.MustParse("2026-03-10")}
		readAll(t, c, func(ctx context.Context, r tenant.ReadTx) {
			requireTable(t, `
				partnerName  current  d1to30  d31to60  d61to90  over90   total
				UAB_Amžius      3.00   12.00    48.00   192.00  768.00  1023.00
				UAB_Kitas       6.00   10.00     0.00     0.00    0.00    16.00`,
				must[report.DebtAging](t)(report.AgeDebts(ctx, r, report.DebtAgingInput{AsOfInput: on})).Rows)
			requireTable(t, `
				partnerName  current  d1to30  d31to60  d61to90  over90  total
				UAB_Kitas       0.00    7.00     0.00     0.00    0.00   7.00`,
				must[report.DebtAging](t)(report.AgeDebts(ctx, r, report.DebtAgingInput{Side: report.Payables, AsOfInput: on})).Rows)
			requireTable(t, `
				partnerName  receivable  payable      net
				UAB_Amžius      1023.00     0.00  1023.00
				UAB_Kitas         16.00     7.00     9.00`,
				must[report.PartnerBalances](t)(report.BalancesOfPartners(ctx, r, on)).Rows)
			requireTable(t, `
				partnerName  receivable  payable      net
				UAB_Amžius      1023.00     0.00  1023.00
				UAB_Kitas         17.00     7.00    10.00`,
				must[report.PartnerBalances](t)(report.BalancesOfPartners(ctx, r, report.AsOfInput{AsOf: date.MustParse("2026-03-11")})).Rows)
		})
	})
}

// byHand are the postings that the tables below are worked out from.
func byHand(t *testing.T, c *testkit.Company) {
	t.Helper()
	for _, p := range [][2]string{
		{"2025-12-31", "Dr 2710 1000.00 / Cr 3011 1000.00"},
		{"2026-01-01", "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00"},
		{"2026-01-31", "Dr 2710 121.00 / Cr 2410 121.00"},
		{"2026-01-31", "Dr 6303 50.00 / Dr 2441 10.50 / Cr 4430 60.50"},
		{"2026-02-01", "Dr 4430 60.50 / Cr 2710 60.50"},
		{"2026-02-15", "Dr 5090 10.00 / Dr 4492 2.10 / Cr 2710 12.10"},
		{"2026-02-28", "Dr 1240 300.00 / Cr 4430 300.00"},
	} {
		post(t, c, p[0], p[1])
	}
}

func TestLedgerReportsByHand(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := empty(t, e)
		byHand(t, c)
		days := report.Period{FromDate: date.MustParse("2026-01-31"), ToDate: date.MustParse("2026-02-15")}
		check := func(t *testing.T) {
			t.Helper()
			readAll(t, c, func(ctx context.Context, r tenant.ReadTx) {
				requireTable(t, `
					code  type       opening   debit  credit   closing
					2410  asset       121.00    0.00  121.00      0.00
					2441  asset         0.00   10.50    0.00     10.50
					2710  asset      1000.00  121.00   72.60   1048.40
					3011  equity    -1000.00    0.00    0.00  -1000.00
					4430  liability     0.00   60.50   60.50      0.00
					4492  liability   -21.00    2.10    0.00    -18.90
					5000  income     -100.00    0.00    0.00   -100.00
					5090  income        0.00   10.00    0.00     10.00
					6303  expense       0.00   50.00    0.00     50.00`, trial(ctx, t, r, days))
				bank := must[report.AccountDetail](t)(report.AccountEntries(ctx, r, report.AccountInput{AccountCode: "2710", Period: days}))
				require.Equal(t, []string{"1000.00", "1048.40"}, []string{bank.Opening.String(), bank.Closing.String()})
				requireTable(t, `
					date         debit  credit  balance
					2026-01-31  121.00    0.00  1121.00
					2026-02-01    0.00   60.50  1060.50
					2026-02-15    0.00   12.10  1048.40`, bank.Rows)
				journal := must[report.Journal](t)(report.GeneralJournal(ctx, r, report.JournalInput{Period: days, Page: 2, PageSize: 3}))
				require.Equal(t, 4, journal.Total)
				requireTable(t, `
					accountCode  debit  credit
					5090         10.00    0.00
					4492          2.10    0.00
					2710          0.00   12.10`, journal.Rows[0].Entries)
				requireTable(t, `
					year  month  receivables  payables  revenue  expenses  netResult
					2025     12         0.00      0.00     0.00      0.00       0.00
					2026      1         0.00     60.50   100.00     50.00      50.00
					2026      2         0.00    300.00   -10.00      0.00     -10.00`,
					must[report.MonthlySummary](t)(report.SummarizeMonths(ctx, r, report.MonthlyInput{
						Months: 3, AsOfInput: report.AsOfInput{AsOf: date.MustParse("2026-02-01")},
					})).Rows)
			})
		}
		check(t)
		for _, day := range []string{"2025-12-31", "2026-01-31"} {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := ledger.Lock(ctx, tx, date.MonthOf(date.MustParse(day)))
				return err
			})
		}
		check(t) // locked months are added up from stored turnovers
	})
}

// trial are the lines of the trial balance under the names of the wire.
func trial(ctx context.Context, t *testing.T, r tenant.ReadTx, days report.Period) []map[string]any {
	t.Helper()
	balances, err := ledger.TrialBalance(ctx, r, days.FromDate, days.ToDate)
	require.NoError(t, err)
	rows := make([]map[string]any, len(balances))
	for i, b := range balances {
		rows[i] = map[string]any{
			"code": b.Code, "type": b.Type, "opening": b.Opening, "debit": b.Debit, "credit": b.Credit, "closing": b.Closing,
		}
	}
	return rows
}

func TestStatementsByHand(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := empty(t, e)
		byHand(t, c)
		year := report.Period{FromDate: date.MustParse("2026-01-01"), ToDate: date.MustParse("2026-02-28")}
		readAll(t, c, func(ctx context.Context, r tenant.ReadTx) {
			s := must[report.Statements](t)(report.FinancialStatements(ctx, r, report.StatementsInput{Period: year, Category: report.Large}))
			requireTable(t, `
				nonCurrentAssets  currentAssets  totalAssets   equity  ofWhichResult  liabilities  totalEquityAndLiabilities  balanced
				300.00                  1058.90      1358.90  1040.00          40.00       318.90                    1358.90      true`,
				[]any{s.BalanceSheet})
			requireTable(t, `
				salesRevenue  costOfSales  grossProfit  adminExpenses  operatingProfit  netProfit
				90.00                0.00        90.00          50.00            40.00      40.00`, []any{s.ProfitLossDetail})
			requireTable(t, `
				openingCash  operating  investing  financing  netChange  closingCash
				1000.00          48.40       0.00       0.00      48.40      1048.40`, []any{s.CashFlow})
			flow := must[report.CashFlow](t)(report.FlowOfCash(ctx, r, year))
			requireTable(t, `
				code  inflow  outflow
				2410  121.00     0.00
				4430    0.00    60.50
				4492    0.00     2.10
				5090    0.00    10.00`, flow.Operating.Rows)
			require.True(t, flow.Balanced)
		})
	})
}

func TestVATReportsByHand(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := empty(t, e)
		ona := newPartner(t, c, "UAB Ona")
		for _, d := range []registered{
			{register.Sales, "2026-01-01", "A-1", "PVM1", "21", "100.00", "21.00", ona, "UAB Ona", "LT", "", false},
			{register.Sales, "2026-01-31", "A-2", "PVM58", "12", "50.00", "6.00", ona, "UAB Ona", "LT", "", false},
			{register.Sales, "2026-01-31", "K-1", "PVM1", "21", "-30.00", "-6.30", ona, "UAB Ona", "LT", "", false},
			{register.Sales, "2026-01-31", "A-3", "PVM1", "21", "999.00", "209.79", ona, "UAB Ona", "LT", "", true}, // cancelled
			{register.Sales, "2025-12-31", "A-0", "PVM1", "21", "7.00", "1.47", ona, "UAB Ona", "LT", "", false},
			{register.Purchases, "2026-01-10", "P-1", "PVM16", "21", "200.00", "42.00", ona, "Ona OÜ", "EE", "", false},
			{register.Purchases, "2026-01-11", "P-2", "PVM21", "21", "10.00", "2.10", ona, "Ona OÜ", "", "EE123456789", false},
			{register.Purchases, "2026-01-12", "P-3", "PVM20", "21", "5.00", "1.05", ona, "Ona Inc", "US", "", false},
		} {
			record(t, c, d)
		}
		month := report.Period{FromDate: date.MustParse("2026-01-01"), ToDate: date.MustParse("2026-01-31")}
		readAll(t, c, func(ctx context.Context, r tenant.ReadTx) {
			sales := report.VATInput{Period: month}
			requireTable(t, `
				vatRatePercent    net    vat   gross  documents
				21              70.00  14.70   84.70          2
				12              50.00   6.00   56.00          1`, must[report.VATSummary](t)(report.VATByRate(ctx, r, sales)).Rows)
			detail := must[report.VATDetail](t)(report.VATByDocument(ctx, r, sales))
			requireTable(t, `
				date        documentNumber  vatRatePercent     net    vat   gross
				2026-01-01  A-1             21              100.00  21.00  121.00
				2026-01-31  A-2             12               50.00   6.00   56.00
				2026-01-31  K-1             21              -30.00  -6.30  -36.30`, detail.Rows)
			requireTable(t, `
				net        vat   gross
				120.00   20.70  140.70`, []any{detail.Totals})
			bought := must[report.EUPurchases](t)(report.PurchasesFromEU(ctx, r, month))
			requireTable(t, `
				countryCode  vatRatePercent     net    vat  documents
				EE           21              210.00  44.10          2`, bought.Rows)
			require.True(t, slices.IsSortedFunc(detail.Rows, func(a, b report.VATDocument) int { return a.Date.Compare(b.Date) }))
		})
	})
}
