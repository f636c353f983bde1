package webui

// statement is a list of lines of a financial statement: a message id and the member that holds the amount.
type statement struct {
	heading, file string
	of            string // member that holds the lines
	lines         []string
}

func showStatements(v *visit, out record) []block {
	var blocks []block
	if !out.isTrue("balanceSheet.balanced") {
		blocks = append(blocks, block{Notice: &notice{Kind: "bad", Text: v.t("statement.unbalanced")}})
	}
	blocks = append(blocks, block{Tiles: []tile{
		{Label: v.t("statement.totalAssets"), Value: v.lang.amount(out.text("balanceSheet.totalAssets"))},
		{Label: v.t("statement.equity"), Value: v.lang.amount(out.text("balanceSheet.equity"))},
		{Label: v.t("statement.liabilities"), Value: v.lang.amount(out.text("balanceSheet.liabilities"))},
		{Label: v.t("reports.result"), Value: v.lang.amount(out.text("profitLoss.netResult"))},
	}})
	for _, s := range []statement{
		{"statement.balanceSheet", "balance-sheet", "balanceSheet", []string{
			"nonCurrentAssets", "currentAssets", "totalAssets", "equity", "ofWhichResult", "liabilities", "totalEquityAndLiabilities",
		}},
		{"statement.profitLoss", "profit-and-loss", "profitLoss", []string{"revenue", "expenses", "netResult"}},
		{"statement.currentAssets", "current-assets", "balanceSheetDetail.currentAssets", []string{"inventories", "receivables", "otherCurrent", "cash", "total"}},
		{"statement.equity", "equity", "balanceSheetDetail.equity", []string{
			"capital", "reserves", "retainedEarnings", "otherEquity", "periodResult", "total",
		}},
		{"statement.liabilities", "liabilities", "balanceSheetDetail.liabilities", []string{"nonCurrent", "current", "other", "total"}},
		{"statement.profitLossDetail", "profit-and-loss-lines", "profitLossDetail", []string{
			"salesRevenue", "costOfSales", "grossProfit", "sellingExpenses", "adminExpenses", "operatingProfit", "otherActivityResult",
			"financialActivityResult", "profitBeforeTax", "incomeTax", "netProfit",
		}},
		{"statement.cashFlow", "cash-flow", "cashFlow", []string{"openingCash", "operating", "investing", "financing", "netChange", "closingCash"}},
	} {
		if out.has(s.of) {
			blocks = append(blocks, s.block(v, out.record(s.of)))
		}
	}
	if changes := out.list("equityChanges"); len(changes) > 0 {
		blocks = append(blocks, block{Heading: v.t("statement.equityChanges"), Table: v.sheet(sheet{
			Name: "equity-changes", File: "equity-changes", Caption: v.t("statement.equityChanges"), Rows: changes, Columns: []column{
				{Title: "field.account", Field: "code", Kind: cellMono},
				{Title: "field.accountName", Field: "name", Minor: true},
				{Title: "field.opening", Field: "opening", Kind: cellMoney, Total: true, Minor: true},
				{Title: "statement.increase", Field: "increase", Kind: cellMoney, Total: true},
				{Title: "statement.decrease", Field: "decrease", Kind: cellMoney, Total: true},
				{Title: "field.closing", Field: "closing", Kind: cellMoney, Total: true},
			},
		})})
	}
	return blocks
}

// block shows the lines; sums among them are sums of the statement, and are not added up again.
func (s statement) block(v *visit, out record) block {
	rows := make([]record, len(s.lines))
	for i, member := range s.lines {
		rows[i] = record{"member": member, "line": v.t("statement." + member), "amount": out.text(member)}
	}
	return block{Heading: v.t(s.heading), Table: v.sheet(sheet{
		Name: s.file, File: s.file, Caption: v.t(s.heading), Rows: rows, Columns: []column{
			{Title: "statement.line", Field: "line"},
			{Title: "field.amount", Field: "amount", Kind: cellMoney},
		},
		Class: func(r record) string {
			if statementSums[r.text("member")] {
				return rowSum
			}
			return ""
		},
	})}
}

// statementSums are lines that add up the lines before them.
var statementSums = map[string]bool{
	"totalAssets": true, "totalEquityAndLiabilities": true, "netResult": true, "total": true, "grossProfit": true, "operatingProfit": true,
	"profitBeforeTax": true, "netProfit": true, "closingCash": true,
}

func showCashFlow(v *visit, out record) []block {
	var blocks []block
	if !out.isTrue("balanced") {
		blocks = append(blocks, block{Notice: &notice{Kind: "bad", Text: v.t("statement.cashUnbalanced")}})
	}
	summary := statement{"statement.cashFlow", "cash-flow", "", []string{"openingCash", "netChange", "closingCash"}}
	blocks = append(blocks, summary.block(v, out))
	for _, activity := range []string{"operating", "investing", "financing"} {
		rows := out.list(activity + ".rows")
		for _, r := range rows {
			r["net"] = twoPlaces(r.decimal("inflow").Sub(r.decimal("outflow")).String())
		}
		blocks = append(blocks, block{Heading: v.t("statement." + activity), Table: v.sheet(sheet{
			Name: activity, File: "cash-flow-" + activity, Caption: v.t("statement." + activity), Rows: rows,
			None: &empty{Text: v.t("statement.noCash")}, Columns: append([]column{
				{Title: "field.account", Field: "code", Kind: cellMono, Link: func(r record) string { return v.accountURL(r.text("code")) }},
				{Title: "field.accountName", Field: "name"},
			}, sums([2]string{"statement.inflow", "inflow"}, [2]string{"statement.outflow", "outflow"}, [2]string{"reports.difference", "net"})...),
		})})
	}
	return blocks
}
