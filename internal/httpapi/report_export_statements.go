package httpapi

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

func exportPartnerBalances(ctx context.Context, r tenant.ReadTx, in report.AsOfInput, w export.Writer) error {
	out, err := report.BalancesOfPartners(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	columns := []export.Column{columnPartner, amountColumn("Gautina"), amountColumn("Mokėtina"), amountColumn("Skirtumas")}
	return table(w, []jsonMember{{"asOf", out.AsOf}}, columns, out.Rows, func(row report.PartnerBalance) []any {
		return []any{row.PartnerName, row.Receivable, row.Payable, row.Net}
	}, nil)
}

func exportDebtAging(ctx context.Context, r tenant.ReadTx, in report.DebtAgingInput, w export.Writer) error {
	out, err := report.AgeDebts(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	columns := []export.Column{
		columnPartner, amountColumn("Nevėluojama"), amountColumn("1–30 d."), amountColumn("31–60 d."), amountColumn("61–90 d."),
		amountColumn("Virš 90 d."), columnGross,
	}
	return table(w, []jsonMember{{"asOf", out.AsOf}, {"side", out.Side}}, columns, out.Rows, func(row report.PartnerDebt) []any {
		return []any{row.PartnerName, row.Current, row.D1To30, row.D31To60, row.D61To90, row.Over90, row.Total}
	}, nil)
}

func exportMonths(ctx context.Context, r tenant.ReadTx, in report.MonthlyInput, w export.Writer) error {
	out, err := report.SummarizeMonths(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	columns := []export.Column{
		{Title: "Mėnuo", Width: 4},
		amountColumn("Gautina"), amountColumn("Mokėtina"), amountColumn("Pajamos"), amountColumn("Sąnaudos"),
		amountColumn("Rezultatas"),
	}
	return table(w, nil, columns, out.Rows, func(row report.MonthSummary) []any {
		return []any{fmt.Sprintf("%04d-%02d", row.Year, row.Month), row.Receivables, row.Payables, row.Revenue, row.Expenses, row.NetResult}
	}, nil)
}

// statementLine is a line of a statement in a table.
type statementLine struct {
	statement, label string
	amount           money.Amount
}

// balanceLines and resultLines are the statements as tables show them: short ones without detail.
func balanceLines(s report.Statements) []statementLine {
	const name = "Balansas"
	sheet := s.BalanceSheet
	lines := []statementLine{{name, "Ilgalaikis turtas", sheet.NonCurrentAssets}, {name, "Trumpalaikis turtas", sheet.CurrentAssets}}
	if d := s.BalanceSheetDetail; d != nil {
		lines = append(lines, statementLine{name, "Atsargos", d.CurrentAssets.Inventories},
			statementLine{name, "Per vienus metus gautinos sumos", d.CurrentAssets.Receivables},
			statementLine{name, "Kitas trumpalaikis turtas", d.CurrentAssets.OtherCurrent},
			statementLine{name, "Pinigai ir pinigų ekvivalentai", d.CurrentAssets.Cash})
	}
	lines = append(lines, statementLine{name, "Turto iš viso", sheet.TotalAssets}, statementLine{name, "Nuosavas kapitalas", sheet.Equity})
	if d := s.BalanceSheetDetail; d != nil {
		lines = append(lines, statementLine{name, "Kapitalas", d.Equity.Capital}, statementLine{name, "Rezervai", d.Equity.Reserves},
			statementLine{name, "Ankstesnių laikotarpių pelnas (nuostoliai)", d.Equity.RetainedEarnings},
			statementLine{name, "Kitas nuosavas kapitalas", d.Equity.OtherEquity},
			statementLine{name, "Laikotarpio pelnas (nuostoliai)", d.Equity.PeriodResult})
	}
	lines = append(lines, statementLine{name, "Įsipareigojimai", sheet.Liabilities})
	if d := s.BalanceSheetDetail; d != nil {
		lines = append(lines, statementLine{name, "Po vienų metų mokėtinos sumos", d.Liabilities.NonCurrent},
			statementLine{name, "Per vienus metus mokėtinos sumos", d.Liabilities.Current},
			statementLine{name, "Atidėjiniai ir kiti įsipareigojimai", d.Liabilities.Other})
	}
	return append(lines, statementLine{name, "Nuosavo kapitalo ir įsipareigojimų iš viso", sheet.TotalEquityAndLiabilities})
}

func resultLines(s report.Statements) []statementLine {
	const name = "Pelno (nuostolių) ataskaita"
	if d := s.ProfitLossDetail; d != nil {
		return []statementLine{
			{name, "Pardavimo pajamos", d.SalesRevenue},
			{name, "Pardavimo savikaina", d.CostOfSales.Neg()},
			{name, "Bendrasis pelnas (nuostoliai)", d.GrossProfit},
			{name, "Pardavimo sąnaudos", d.SellingExpenses.Neg()},
			{name, "Bendrosios ir administracinės sąnaudos", d.AdminExpenses.Neg()},
			{name, "Tipinės veiklos pelnas (nuostoliai)", d.OperatingProfit},
			{name, "Kitos veiklos rezultatas", d.OtherActivityResult},
			{name, "Finansinės veiklos rezultatas", d.FinancialActivityResult},
			{name, "Pelnas (nuostoliai) prieš apmokestinimą", d.ProfitBeforeTax},
			{name, "Pelno mokestis", d.IncomeTax.Neg()},
			{name, "Grynasis pelnas (nuostoliai)", d.NetProfit},
		}
	}
	return []statementLine{
		{name, "Pajamos", s.ProfitLoss.Revenue},
		{name, "Sąnaudos", s.ProfitLoss.Expenses.Neg()},
		{name, "Grynasis pelnas (nuostoliai)", s.ProfitLoss.NetResult},
	}
}

// otherLines are changes in equity and cash flow, where the category shows them.
func otherLines(s report.Statements) []statementLine {
	var lines []statementLine
	for _, c := range s.EquityChanges {
		const name = "Nuosavo kapitalo pokyčiai"
		account := c.Code + " " + c.Name
		lines = append(lines, statementLine{name, account + ": pradžioje", c.Opening}, statementLine{name, account + ": padidėjo", c.Increase},
			statementLine{name, account + ": sumažėjo", c.Decrease.Neg()}, statementLine{name, account + ": pabaigoje", c.Closing})
	}
	if c := s.CashFlow; c != nil {
		const name = "Pinigų srautų ataskaita"
		lines = append(lines, statementLine{name, "Pinigai pradžioje", c.OpeningCash}, statementLine{name, "Pagrindinė veikla", c.Operating},
			statementLine{name, "Investicinė veikla", c.Investing}, statementLine{name, "Finansinė veikla", c.Financing},
			statementLine{name, "Grynasis pokytis", c.NetChange}, statementLine{name, "Pinigai pabaigoje", c.ClosingCash})
	}
	return lines
}

func exportStatements(ctx context.Context, r tenant.ReadTx, in report.StatementsInput, w export.Writer) error {
	out, err := report.FinancialStatements(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	list := []jsonMember{
		{"category", out.Category},
		{"layout", out.Layout},
		{"requiredStatements", out.RequiredStatements},
		{"asOf", out.AsOf},
		{"balanceSheet", out.BalanceSheet},
		{"profitLoss", out.ProfitLoss},
	}
	if out.BalanceSheetDetail != nil {
		list = append(list, jsonMember{"balanceSheetDetail", out.BalanceSheetDetail}, jsonMember{"profitLossDetail", out.ProfitLossDetail})
	}
	if out.CashFlow != nil {
		list = append(list, jsonMember{"equityChanges", out.EquityChanges}, jsonMember{"cashFlow", out.CashFlow})
	}
	if err := jsonMembers(w, list); err != nil {
		return err
	}
	if err := w.Table("", export.Column{Title: "Ataskaita", Width: 8}, export.Column{Title: "Straipsnis", Width: 14}, amountColumn("Suma")); err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, lines := range [][]statementLine{balanceLines(out), resultLines(out), otherLines(out)} {
		for _, l := range lines {
			if err := w.Row(nil, []any{l.statement, l.label, l.amount}); err != nil {
				return err //nolint:wrapcheck // as above
			}
		}
	}
	return nil
}

func exportCashFlow(ctx context.Context, r tenant.ReadTx, in report.Period, w export.Writer) error {
	out, err := report.FlowOfCash(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	err = jsonMembers(w, []jsonMember{
		{"fromDate", out.FromDate},
		{"toDate", out.ToDate},
		{"openingCash", out.OpeningCash},
		{"closingCash", out.ClosingCash},
		{"netChange", out.NetChange},
		{"operating", out.Operating},
		{"investing", out.Investing},
		{"financing", out.Financing},
		{"balanced", out.Balanced},
	})
	if err != nil {
		return err
	}
	err = w.Table("", export.Column{Title: "Veikla", Width: 6}, columnAccount, columnName, amountColumn("Gauta"), amountColumn("Išmokėta"), amountColumn("Likutis"))
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	lines := [][]any{{"Pinigai pradžioje", nil, nil, nil, nil, out.OpeningCash}}
	for _, a := range []struct {
		label    string
		activity report.CashActivity
	}{{"Pagrindinė veikla", out.Operating}, {"Investicinė veikla", out.Investing}, {"Finansinė veikla", out.Financing}} {
		for _, row := range a.activity.Rows {
			lines = append(lines, []any{a.label, row.Code, row.Name, row.Inflow, row.Outflow, nil})
		}
		lines = append(lines, []any{a.label, nil, totalLabel, a.activity.Inflow, a.activity.Outflow, nil})
	}
	lines = append(lines, []any{"Pinigai pabaigoje", nil, nil, nil, nil, out.ClosingCash})
	return w.Row(nil, lines...) //nolint:wrapcheck // as above
}

// exportSize shows each criterion beside the limits of the categories.
func exportSize(ctx context.Context, r tenant.ReadTx, in report.SizeInput, w export.Writer) error {
	out, err := report.SizeOfCompany(ctx, r, in)
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	err = jsonMembers(w, []jsonMember{
		{"year", out.Year}, {"criteria", out.Criteria}, {"category", out.Category}, {"thresholds", out.Thresholds}, {"notes", out.Notes},
	})
	if err != nil {
		return err
	}
	columns := []export.Column{{Title: "Rodiklis", Width: 12}, amountColumn("Reikšmė")}
	categories := []report.Category{report.Micro, report.Small, report.Medium}
	for _, title := range []string{"Labai maža", "Maža", "Vidutinė"} {
		columns = append(columns, amountColumn(title))
	}
	if err := w.Table("", columns...); err != nil {
		return err //nolint:wrapcheck // as above
	}
	line := func(label string, value any, of func(report.SizeThreshold) any) []any {
		cells := []any{label, value}
		for _, c := range categories {
			cells = append(cells, of(out.Thresholds[c]))
		}
		return cells
	}
	return w.Row(nil, //nolint:wrapcheck // as above
		line("Turtas", money.Decimal(out.Criteria.TotalAssets), func(t report.SizeThreshold) any { return money.Decimal(t.TotalAssets) }),
		line("Grynosios pardavimo pajamos", money.Decimal(out.Criteria.NetTurnover), func(t report.SizeThreshold) any { return money.Decimal(t.NetTurnover) }),
		line("Vidutinis darbuotojų skaičius", out.Criteria.AvgEmployees, func(t report.SizeThreshold) any { return t.Employees }),
		[]any{"Kategorija", string(out.Category), nil, nil, nil},
	)
}
