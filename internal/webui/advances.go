package webui

import (
	"github.com/vienkart/vienkart/internal/tenant"
)

// opApplyAdvance takes an advance off an invoice.
const opApplyAdvance = "/v1/sales/invoices/apply-advance"

func advanceURL(r record) string { return "/ui/advances/" + r.text("id") }

func listAdvances(v *visit) (answer, error) {
	p := v.newPage("advances.title")
	p.Lead = v.t("advances.lead")
	none := &empty{Text: v.t("advances.none")}
	if v.can(tenant.WriteSales) {
		none.Links = []link{{Text: v.t("advances.new"), URL: "/ui/invoices/new?type=advance", Primary: true}}
		p.Links = none.Links
	}
	l := listing{
		operation: opSalesList, file: "advances", sort: "-issueDate", fixed: []filter{{"type", "eq", "advance"}, {"status", "eq", "issued"}},
		columns: []column{
			{Title: "field.number", Field: "fullNumber", Kind: cellMono, Sort: "fullNumber", Link: advanceURL},
			{Title: "field.customer", Field: "partnerName", Link: func(r record) string { return "/ui/partners/" + r.text("partnerId") }},
			{Title: "field.issueDate", Field: "issueDate", Kind: cellDate, Sort: "issueDate", Minor: true},
			{Title: "field.payment", Field: "paymentStatus", Kind: cellPill, Sort: "paymentStatus", Minor: true},
			{Title: "advances.use", Kind: cellPill, Text: advanceUse},
			{Title: "field.gross", Field: "grossTotal", Kind: cellMoney, Sort: "grossTotal", Total: true},
			{Title: "field.currency", Field: "currency", Hidden: true},
		},
		criteria: []criterion{
			{Name: "number", Label: "field.number", Kind: kindText, Field: "fullNumber", Op: "contains"},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "issueDate", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "issueDate", Op: "lte"},
			{Name: "partnerId", Label: "field.customer", Kind: kindHidden},
		},
		none:    none,
		prepare: func(v *visit, rows []record) error { return v.namePartners(rows) },
	}
	return l.show(v, p)
}

// advanceUse says whether an advance was taken off an invoice.
func advanceUse(_ *visit, r record) string {
	if r.has("appliedToInvoiceId") {
		return "applied"
	}
	return "unapplied"
}

// showAdvance shows an advance and the invoices that it can be taken off.
func showAdvance(v *visit) (answer, error) {
	doc, err := v.query(opSalesGet, v.id())
	if err != nil {
		return nil, err
	}
	if err := v.partnerNames(doc.text("partnerId")); err != nil {
		return nil, err
	}
	p := v.newPage("advances.one", "Number", doc.text("fullNumber"))
	p.Crumb = &link{Text: v.t("advances.title"), URL: "/ui/advances"}
	p.Pill = v.state("", advanceUse(v, doc))
	p.add(block{Facts: append(v.invoiceFacts(doc), fact{Label: v.t("field.document"), Value: v.t("action.open"), URL: saleURL(doc)})})
	if doc.has("appliedToInvoiceId") {
		return p, nil
	}
	open, err := v.openInvoices(doc)
	if err != nil {
		return nil, err
	}
	p.add(block{Heading: v.t("advances.invoices"), Table: v.sheet(sheet{
		File: "open-invoices", Caption: v.t("advances.invoices"), Rows: open, None: &empty{
			Text:  v.t("advances.noInvoice"),
			Links: []link{{Text: v.t("invoices.new"), URL: "/ui/invoices/new?partnerId=" + doc.text("partnerId"), Primary: true}},
		},
		Columns: []column{
			{Title: "field.number", Field: "fullNumber", Kind: cellMono, Link: saleURL},
			{Title: "field.issueDate", Field: "issueDate", Kind: cellDate},
			{Title: "field.dueDate", Field: "dueDate", Kind: cellDate, Minor: true},
			{Title: "field.gross", Field: "grossTotal", Kind: cellMoney, Total: true, Minor: true},
			{Title: "field.open", Field: "open", Kind: cellMoney, Total: true},
			{Title: "field.currency", Field: "currency", Hidden: true},
		},
	})})
	if len(open) > 0 && v.can(tenant.WriteSales) {
		f := v.applyForm(open)
		if v.shown != nil {
			v.shown.Fields[0].Options = f.Fields[0].Options
			f = v.shown
		}
		p.add(block{Form: v.keyed(f)})
	}
	return p, nil
}

// openInvoices are those that an advance could be taken off: of the same partner, in the same currency, not paid in full.
func (v *visit) openInvoices(advance record) ([]record, error) {
	rows, err := v.everything(opSalesList, map[string]any{"sort": []order{{"issueDate", "asc"}}, "filter": []filter{
		{"type", "eq", "invoice"},
		{"status", "eq", "issued"},
		{"partnerId", "eq", advance.text("partnerId")},
		{"currency", "eq", advance.text("currency")},
		{"paymentStatus", "in", []string{"unpaid", "partial"}},
	}}, maxDownload)
	for _, r := range rows {
		r["open"] = twoPlaces(r.decimal("grossTotal").Sub(r.decimal("paidAmount")).String())
	}
	return rows, err
}

func (v *visit) applyForm(open []record) *form {
	options := []option{{Text: v.t("form.choose")}}
	for _, r := range open {
		options = append(options, option{Value: r.text("id"), Text: r.text("fullNumber") + " · " + v.lang.amount(r.text("open")) + " " + r.text("currency")})
	}
	return &form{
		Title: v.t("advances.apply"), Action: v.here("/ui/advances/") + "/apply", Submit: v.t("advances.apply"), Lead: v.t("advances.applyLead"),
		Fields: []field{
			{Name: "invoiceId", Label: v.t("field.invoice"), Kind: kindSelect, Required: true, Options: options},
			{Name: "date", Label: v.t("field.date"), Kind: kindDate, Help: v.t("advances.dateHelp")},
		},
	}
}

func applyAdvance(v *visit) (answer, error) {
	f := v.applyForm(nil)
	extra := map[string]any{"advanceId": v.r.PathValue("id")}
	return v.runAction(f, once(opApplyAdvance, f, extra, saleURL), showAdvance)
}
