package webui

import (
	"fmt"
)

func partnerColumn() column {
	return column{Title: "field.partner", Field: "partnerName", Link: func(r record) string { return documentURL("partner", r.text("partnerId")) }}
}

// sums are columns of amounts that add up. Those but the last are left out on narrow screens.
func sums(members ...[2]string) []column {
	out := make([]column, len(members))
	for i, m := range members {
		out[i] = column{Title: m[0], Field: m[1], Kind: cellMoney, Total: true, Minor: i < len(members)-1}
	}
	return out
}

func showPartnerBalances(v *visit, out record) []block {
	return []block{{Table: v.sheet(sheet{
		File: "partner-balances", Caption: v.t("report.partner-balances"), Rows: out.list("rows"), None: &empty{Text: v.t("reports.nothingOwed")},
		Columns: append([]column{partnerColumn()},
			sums([2]string{"dashboard.receivable", "receivable"}, [2]string{"dashboard.payable", "payable"}, [2]string{"reports.difference", "net"})...),
	})}}
}

func showDebtAging(v *visit, out record) []block {
	return []block{{Table: v.sheet(sheet{
		File: "debt-aging", Caption: v.t("report.debt-aging"), Rows: out.list("rows"), None: &empty{Text: v.t("reports.nothingOwed")},
		Columns: append([]column{partnerColumn()}, sums(
			[2]string{"reports.current", "current"}, [2]string{"reports.days30", "d1to30"}, [2]string{"reports.days60", "d31to60"},
			[2]string{"reports.days90", "d61to90"}, [2]string{"reports.over90", "over90"}, [2]string{"table.total", "total"})...),
	})}}
}

func showMonths(v *visit, out record) []block {
	rows := out.list("rows")
	labels := make([]string, len(rows))
	income, expenses := series{Name: "reports.revenue"}, series{Name: "reports.expenses"}
	for i, r := range rows {
		labels[i] = fmt.Sprintf("%04d-%02d", r.whole("year"), r.whole("month"))
		r["period"] = labels[i]
		income.Values = append(income.Values, r.decimal("revenue"))
		expenses.Values = append(expenses.Values, r.decimal("expenses"))
	}
	columns := []column{
		{Title: "field.month", Field: "period", Kind: cellDate},
		{Title: "dashboard.receivable", Field: "receivables", Kind: cellMoney, Minor: true},
		{Title: "dashboard.payable", Field: "payables", Kind: cellMoney, Minor: true},
	}
	columns = append(columns, sums([2]string{"reports.revenue", "revenue"}, [2]string{"reports.expenses", "expenses"}, [2]string{"reports.result", "netResult"})...)
	return []block{
		{Chart: v.newChart(v.t("reports.byMonth", "Currency", v.base()), "revenue-and-expenses", "field.month", labels, cellMoney, monthTicks(len(labels)), income, expenses)},
		{Table: v.sheet(sheet{
			File: "months", Caption: v.t("report.monthly-summary"), Rows: rows, None: &empty{Text: v.t("balance.none")}, Columns: columns,
		})},
	}
}

// monthTicks keeps the labels under the bars apart.
func monthTicks(months int) int {
	const fit = 12
	return 1 + (months-1)/fit
}

func rateColumn() column {
	return column{Title: "field.rate", Field: "vatRatePercent", Kind: cellNumber}
}

func vatSums() []column {
	return sums([2]string{"field.net", "net"}, [2]string{"field.vat", "vat"}, [2]string{"field.gross", "gross"})
}

func showVATSummary(v *visit, out record) []block {
	columns := append([]column{rateColumn(), {Title: "field.documents", Field: "documents", Kind: cellNumber, Total: true, Minor: true}}, vatSums()...)
	return []block{{Table: v.sheet(sheet{
		File: "vat-by-rate-" + out.text("side"), Caption: v.t("report.vat-summary"), Columns: columns, Rows: out.list("rows"), None: v.noVAT(),
	})}}
}

func (v *visit) noVAT() *empty {
	return &empty{Text: v.t("reports.noVAT"), Links: []link{{Text: v.t("vat.title"), URL: "/ui/vat"}}}
}

func showVATDetail(v *visit, out record) []block {
	place := "/ui/invoices/"
	if out.text("side") == "purchases" {
		place = "/ui/purchases/"
	}
	columns := append([]column{
		{Title: "field.document", Field: "documentNumber", Kind: cellMono, Link: func(r record) string { return place + r.text("documentId") }},
		{Title: "field.registerDate", Field: "date", Kind: cellDate, Minor: true},
		{Title: "field.partner", Field: "partnerName"},
		rateColumn(),
	}, vatSums()...)
	return []block{{Table: v.sheet(sheet{
		File: "vat-by-document-" + out.text("side"), Caption: v.t("report.vat-detail"), Columns: columns, Rows: out.list("rows"), None: v.noVAT(),
	})}}
}

func showEUPurchases(v *visit, out record) []block {
	columns := append([]column{
		{Title: "field.country", Field: "countryCode"},
		rateColumn(),
		{Title: "field.documents", Field: "documents", Kind: cellNumber, Total: true, Minor: true},
	}, sums([2]string{"field.net", "net"}, [2]string{"field.vat", "vat"})...)
	return []block{{Table: v.sheet(sheet{
		File: "eu-purchases", Caption: v.t("report.eu-purchases"), Columns: columns, Rows: out.list("rows"), None: &empty{Text: v.t("reports.noEU")},
	})}}
}
