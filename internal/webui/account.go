package webui

const opAccountEntries = "/v1/reports/gl-detail"

// showAccount lists the entries of an account with its running balance.
func showAccount(v *visit) (answer, error) {
	from, to := v.dates()
	code := v.r.PathValue("code")
	out, err := v.query(opAccountEntries, map[string]any{"accountCode": code, "fromDate": from, "toDate": to})
	if err != nil {
		return nil, err
	}
	p := v.newPage("account.one", "Code", code, "Name", out.text("account.name"))
	p.Crumb = &link{Text: v.t("balance.title"), URL: "/ui/trial-balance?from=" + from + "&to=" + to}
	columns := []column{
		{Title: "field.date", Field: "date", Kind: cellDate, Sort: "date", Link: func(r record) string { return "/ui/journal/" + r.text("journalTransactionId") }},
		{Title: "field.description", Field: "description"},
		{Title: "field.document", Field: "documentType", Words: "entity.", Minor: true, Link: documentLink},
		{Title: "field.debit", Field: "debit", Kind: cellMoney, Total: true, Text: notZero("debit")},
		{Title: "field.credit", Field: "credit", Kind: cellMoney, Total: true, Text: notZero("credit")},
		{Title: "field.balance", Field: "balance", Kind: cellMoney, Minor: true},
	}
	t, file := v.local("account-"+code, columns, out.list("rows"), &empty{Text: v.t("account.none")})
	if file != nil {
		return file, nil
	}
	t.Caption = p.Title
	p.add(block{Filters: v.dateBar(from, to)}, block{Facts: []fact{
		{Label: v.t("field.opening"), Value: v.lang.amount(out.text("opening"))},
		{Label: v.t("field.closing"), Value: v.lang.amount(out.text("closing"))},
	}}, block{Table: t})
	return p, nil
}
