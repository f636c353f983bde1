package webui

import (
	"strconv"
)

func showTrialBalance(v *visit, out record) []block {
	return []block{{Table: v.sheet(sheet{
		File: "trial-balance", Caption: v.t("balance.title"), Rows: out.list("rows"), None: &empty{Text: v.t("balance.none")}, Columns: []column{
			{Title: "field.account", Field: "code", Kind: cellMono, Link: func(r record) string { return v.accountURL(r.text("code")) }},
			{Title: "field.accountName", Field: "name"},
			{Title: "field.type", Field: "type", Words: "accountType.", Minor: true},
			{Title: "field.opening", Field: "opening", Kind: cellMoney, Total: true, Minor: true},
			{Title: "field.debit", Field: "debit", Kind: cellMoney, Total: true},
			{Title: "field.credit", Field: "credit", Kind: cellMoney, Total: true},
			{Title: "field.closing", Field: "closing", Kind: cellMoney, Total: true},
		},
	})}}
}

// showAccountEntries lists the entries of an account with its running balance.
func showAccountEntries(v *visit, out record) []block {
	code := out.text("account.code")
	return []block{
		{Facts: []fact{
			{Label: v.t("field.account"), Value: code + " " + out.text("account.name")},
			{Label: v.t("field.opening"), Value: v.lang.amount(out.text("opening"))},
			{Label: v.t("field.closing"), Value: v.lang.amount(out.text("closing"))},
		}},
		{Table: v.sheet(sheet{
			File: "account-" + code, Caption: v.t("account.one", "Code", code, "Name", out.text("account.name")), Rows: out.list("rows"),
			None: &empty{Text: v.t("account.none")}, Columns: []column{
				{Title: "field.date", Field: "date", Kind: cellDate, Link: func(r record) string { return "/ui/journal/" + r.text("journalTransactionId") }},
				{Title: "field.description", Field: "description"},
				{Title: "field.document", Field: "documentType", Words: "entity.", Minor: true, Link: documentLink},
				{Title: "field.debit", Field: "debit", Kind: cellMoney, Total: true, Text: notZero("debit")},
				{Title: "field.credit", Field: "credit", Kind: cellMoney, Total: true, Text: notZero("credit")},
				{Title: "field.balance", Field: "balance", Kind: cellMoney, Minor: true},
			},
		})},
	}
}

// askGeneralJournal reads a page of transactions. A file holds all of them, and sorting needs all, up to a limit.
func askGeneralJournal(v *visit, in map[string]any) (record, error) {
	const operation = opReports + "general-journal"
	if v.wantsFile("") || v.param(paramSort) != "" {
		rows, err := v.everything(operation, in, maxDownload)
		return record{"rows": rows, "all": true}, err
	}
	number, _ := strconv.Atoi(v.param("page"))
	in["page"], in["pageSize"] = max(number, 1), pageRows
	out, err := v.query(operation, in)
	delete(in, "page")
	delete(in, "pageSize")
	if err != nil {
		return nil, err
	}
	return record{"rows": out.list("rows"), "total": out.whole("total"), "page": max(number, 1)}, nil
}

func showGeneralJournal(v *visit, out record) []block {
	transactions, _ := out["rows"].([]record)
	var entries []record
	for _, transaction := range transactions {
		for _, entry := range transaction.list("entries") {
			for _, member := range []string{"id", "date", "description", "documentType", "documentId"} {
				entry[member] = transaction[member]
			}
			entries = append(entries, entry)
		}
	}
	t := v.sheet(sheet{
		File: "general-journal", Caption: v.t("report.general-journal"), Rows: entries, None: &empty{Text: v.t("journal.none")}, Columns: []column{
			{Title: "field.date", Field: "date", Kind: cellDate, Link: journalURL},
			{Title: "field.description", Field: "description", Minor: true, Link: journalURL},
			{Title: "field.document", Field: "documentType", Words: "entity.", Minor: true, Link: documentLink},
			{Title: "field.account", Field: "accountCode", Kind: cellMono, Link: func(r record) string { return v.accountURL(r.text("accountCode")) }},
			{Title: "field.accountName", Field: "accountName", Minor: true},
			{Title: "field.debit", Field: "debit", Kind: cellMoney, Total: true, Text: notZero("debit")},
			{Title: "field.credit", Field: "credit", Kind: cellMoney, Total: true, Text: notZero("credit")},
		},
	})
	page, _ := out["page"].(int)
	total, _ := out["total"].(int)
	if total > pageRows {
		t.Pages = v.pager("reports.transactions", page, total)
		v.relabel(t, "table.pageTotal")
	}
	return []block{{Table: t}}
}

// relabel says of what the totals are.
func (v *visit) relabel(t *table, label string) {
	for i := range t.Totals {
		t.Totals[i].Label = v.t(label)
	}
}
