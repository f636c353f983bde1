package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

func (v *visit) id() map[string]any { return map[string]any{"id": v.r.PathValue("id")} }

func showInvoice(v *visit) (answer, error) {
	doc, err := v.query(opSalesGet, v.id())
	if err != nil {
		return nil, err
	}
	return v.invoicePage(doc)
}

func (v *visit) invoicePage(doc record) (*page, error) {
	if err := v.partnerNames(doc.text("partnerId")); err != nil {
		return nil, err
	}
	p := v.newPage("invoices.one", "Type", v.lang.known("saleType.", doc.text("type")), "Number", doc.text("fullNumber"))
	p.Crumb = &link{Text: v.t("invoices.title"), URL: "/ui/invoices"}
	p.Pill = v.state("", doc.text("status"))
	if doc.text("status") == "draft" && v.can(tenant.WriteSales) {
		p.Links = append(p.Links, link{Text: v.t("action.edit"), URL: saleURL(doc) + "/edit"})
	}
	if v.ui.serves(opSalesPDF) {
		p.Links = append(p.Links, link{Text: "PDF", URL: saleURL(doc) + "/pdf"})
	}
	p.add(block{Facts: v.invoiceFacts(doc)})
	columns := []column{
		{Title: "field.description", Field: "description"},
		{Title: "field.quantity", Field: "quantity", Kind: cellNumber},
		{Title: "field.unit", Field: "unit", Minor: true},
		{Title: "field.price", Kind: cellMoney, Minor: true, Text: linePrice},
		{Title: "field.rate", Field: "vatRatePercent", Kind: cellNumber, Minor: true},
		{Title: "field.vatCode", Field: "vatClassifierCode", Minor: true},
		{Title: "field.net", Field: "lineNet", Kind: cellMoney, Total: true},
		{Title: "field.vat", Field: "lineVat", Kind: cellMoney, Total: true},
		{Title: "field.gross", Field: "lineGross", Kind: cellMoney, Total: true},
	}
	t := v.sheet(sheet{
		File: "invoice-lines", Caption: v.t("form.lines"), Columns: columns, Rows: doc.list("lines"),
		Totals: []totalRow{v.documentTotal(doc, false, true, true, true, true)},
	})
	p.add(block{Heading: v.t("form.lines"), Table: t}, block{Actions: v.invoiceActions(doc)})
	if letters := doc.list("letters"); len(letters) > 0 {
		p.add(block{Heading: v.t("invoices.letters"), Table: v.newTable(v.t("invoices.letters"), letterColumns(), letters)})
	}
	return p, nil
}

// documentTotal is the sum that the document states, which lines may not add up to before rounding. It comes after the
// label and other columns, of which it is told which are minor.
func (v *visit) documentTotal(doc record, before ...bool) totalRow {
	out := totalRow{Label: v.t("table.total") + " " + doc.text("currency")}
	for _, minor := range before {
		out.Cells = append(out.Cells, cell{Minor: minor})
	}
	for _, member := range []string{"netTotal", "vatTotal", "grossTotal"} {
		out.Cells = append(out.Cells, cell{Text: v.lang.amount(doc.text(member)), Kind: cellMoney})
	}
	return out
}

func linePrice(_ *visit, r record) string {
	if price := r.text("unitPriceExclVat"); price != "" {
		return price
	}
	return r.text("unitPriceInclVat")
}

func (v *visit) invoiceFacts(doc record) []fact {
	facts := []fact{
		{Label: v.t("field.customer"), Value: v.partner[doc.text("partnerId")], URL: "/ui/partners/" + doc.text("partnerId")},
		{Label: v.t("field.gross"), Value: v.lang.amount(doc.text("grossTotal")) + " " + doc.text("currency")},
	}
	if state := salePayment(v, doc); state != "" {
		paid := fact{Label: v.t("field.payment"), Pill: v.state("", state)}
		if state == "partial" {
			paid.Value = v.lang.amount(doc.text("paidAmount"))
		}
		facts = append(facts, paid)
	}
	facts = append(facts, v.plainFacts(doc, "issueDate", "dueDate", "supplyDate")...)
	facts = append(facts, fact{Label: v.t("field.vatScheme"), Value: v.lang.known("vatScheme.", doc.text("vatScheme"))})
	facts = append(facts, v.documentLinks(doc)...)
	facts = append(facts, v.plainFacts(doc, "notes")...)
	if at := doc.text("cancelledAt"); at != "" {
		facts = append(facts, fact{Label: v.t("field.cancelledAt"), Value: v.moment(at)})
	}
	return facts
}

// plainFacts are members that are there, as they are.
func (v *visit) plainFacts(doc record, members ...string) []fact {
	var out []fact
	for _, member := range members {
		if value := doc.text(member); value != "" {
			out = append(out, fact{Label: v.t("field." + member), Value: value})
		}
	}
	return out
}

// documentLinks lead to what belongs to a document.
func (v *visit) documentLinks(doc record) []fact {
	var out []fact
	for _, l := range []struct{ member, place string }{
		{"journalTransactionId", "/ui/journal/"}, {"creditedInvoiceId", ""}, {"appliedToInvoiceId", ""}, {"duplicateOfId", ""},
	} {
		id := doc.text(l.member)
		if id == "" {
			continue
		}
		place := l.place
		if place == "" {
			place = "/ui/invoices/"
			if doc.has("documentNumber") {
				place = "/ui/purchases/"
			}
		}
		out = append(out, fact{Label: v.t("field." + l.member), Value: v.t("action.open"), URL: place + id})
	}
	return out
}

func (v *visit) invoiceActions(doc record) []action {
	if !v.can(tenant.WriteSales) {
		return nil
	}
	at, kind := saleURL(doc), doc.text("type")
	switch doc.text("status") {
	case "draft":
		return []action{v.act("invoices.issue", v.issueForm(at)), v.act("action.delete", v.deleteForm(at))}
	case "issued":
		var out []action
		if kind == "invoice" || kind == "advance" {
			out = append(out, v.act("invoices.credit", v.creditForm(at)))
		}
		if !doc.has("cancelledAt") && v.ui.serves(opSalesSend) {
			out = append(out, v.act("invoices.send", v.sendForm(at)))
		}
		return append(out, v.act("invoices.cancel", v.cancelForm(at)))
	}
	return nil
}

func (v *visit) issueForm(at string) *form {
	return &form{
		Action: at + "/issue", Submit: v.t("invoices.issue"), Lead: v.t("invoices.issueLead"),
		Fields: []field{
			{Name: "issueDate", Label: v.t("field.issueDate"), Kind: kindDate, Help: v.t("invoices.issueDateHelp")},
			{Name: "series", Label: v.t("field.series"), Kind: kindText, Max: 20, Help: v.t("invoices.seriesHelp")},
		},
	}
}

func (v *visit) deleteForm(at string) *form {
	return &form{Action: at + "/delete", Submit: v.t("action.delete"), Danger: true, Lead: v.t("action.deleteLead")}
}

func (v *visit) creditForm(at string) *form {
	return &form{
		Action: at + "/credit", Submit: v.t("invoices.creditAll"), Danger: true, Lead: v.t("invoices.creditLead"),
		Fields: []field{
			{Name: "notes", Label: v.t("field.reason"), Kind: kindText, Wide: true, Max: 2000},
		},
	}
}

func (v *visit) cancelForm(at string) *form {
	return &form{
		Action: at + "/cancel", Submit: v.t("invoices.cancel"), Danger: true, Lead: v.t("invoices.cancelLead"),
		Fields: []field{{Name: "reason", Label: v.t("field.reason"), Kind: kindText, Wide: true, Required: true, Max: 500}},
	}
}

func (v *visit) here(place string) string { return place + v.r.PathValue("id") }

func issueInvoice(v *visit) (answer, error) {
	f := v.issueForm(v.here("/ui/invoices/"))
	return v.runAction(f, once(opSalesIssue, f, v.id(), saleURL), showInvoice)
}

func cancelInvoice(v *visit) (answer, error) {
	f := v.cancelForm(v.here("/ui/invoices/"))
	return v.runAction(f, once(opSalesCancel, f, v.id(), saleURL), showInvoice)
}

func deleteInvoice(v *visit) (answer, error) {
	f := v.deleteForm(v.here("/ui/invoices/"))
	return v.runAction(f, once(opSalesDelete, f, v.id(), func(record) string { return "/ui/invoices" }), showInvoice)
}

// creditInvoice books a credit note over all that is left of the document.
func creditInvoice(v *visit) (answer, error) {
	original, err := v.query(opSalesGet, v.id())
	if err != nil {
		return nil, err
	}
	f := v.creditForm(v.here("/ui/invoices/"))
	s := once(opSalesCreate, f, map[string]any{
		"type": "credit_note", "partnerId": original.text("partnerId"), "creditedInvoiceId": original.text("id"), "lines": []any{},
	}, saleURL)
	s.steps = append(s.steps, issueMade)
	s.partly = v.issueRefused
	return v.runAction(f, s, showInvoice)
}

// issueRefused shows the draft that was made, and why it could not be issued.
func (v *visit) issueRefused(made record, refused *refusal) (answer, error) {
	p, err := v.invoicePage(made)
	if err != nil {
		return nil, err
	}
	p.Status = refused.Status
	n := v.refusalNotice(refused)
	n.Title = v.t("invoices.savedNotIssued")
	p.Blocks = append([]block{{Notice: n}}, p.Blocks...)
	return p, nil
}

func editInvoice(v *visit) (answer, error) {
	doc, err := v.query(opSalesGet, v.id())
	if err != nil {
		return nil, err
	}
	f, err := v.invoiceForm(saleURL(doc)+"/edit", doc.text("partnerId"))
	if err != nil {
		return nil, err
	}
	f.drop("type")
	f.Submit = v.t("action.save")
	p := v.newPage("invoices.edit")
	p.Crumb = &link{Text: invoiceName(v, doc), URL: saleURL(doc)}
	if v.r.Method == http.MethodGet {
		f.fill(doc)
		p.add(block{Form: v.keyed(f)})
		return p, nil
	}
	return v.submitted(p, f, once(opSalesUpdate, f, v.id(), saleURL))
}

// drop takes a field out.
func (f *form) drop(name string) {
	for i, x := range f.Fields {
		if x.Name == name {
			f.Fields = append(f.Fields[:i], f.Fields[i+1:]...)
			return
		}
	}
}
