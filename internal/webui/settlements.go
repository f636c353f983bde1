package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of settlements of payment providers.
const (
	opSettlementList   = "/v1/bank/settlements/list"
	opSettlementGet    = "/v1/bank/settlements/get"
	opSettlementImport = "/v1/bank/settlements/import"
	opSettlementMatch  = "/v1/bank/settlements/match"
	opSettlementPost   = "/v1/bank/settlements/post"
)

func settlementURL(r record) string { return "/ui/settlements/" + r.text("id") }

func listSettlements(v *visit) (answer, error) {
	p := v.newPage("settlements.title")
	if v.offers(opSettlementImport, tenant.WriteBank) {
		p.Links = []link{{Text: v.t("settlements.import"), URL: "/ui/settlements/import", Primary: true}}
	}
	l := listing{
		operation: opSettlementList, file: "settlements", sort: "-id",
		columns: []column{
			{Title: "field.payout", Field: "payoutId", Kind: cellMono, Sort: "payoutId", Link: settlementURL},
			{Title: "field.provider", Field: "provider", Sort: "provider", Minor: true},
			{Title: "field.payoutDate", Field: "payoutDate", Kind: cellDate, Sort: "payoutDate"},
			{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
			{Title: "field.unmatched", Field: "unmatchedCount", Kind: cellNumber, Minor: true},
			{Title: "field.gross", Field: "grossTotal", Kind: cellMoney, Total: true, Minor: true},
			{Title: "field.fee", Field: "feeTotal", Kind: cellMoney, Total: true, Minor: true},
			{Title: "field.netPaid", Field: "netTotal", Kind: cellMoney, Total: true},
			{Title: "field.currency", Field: "currency", Hidden: true},
		},
		criteria: []criterion{
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"imported", "posted"}},
			{Name: "payout", Label: "field.payout", Kind: kindText, Field: "payoutId", Op: "contains"},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "payoutDate", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "payoutDate", Op: "lte"},
		},
		none: &empty{Text: v.t("settlements.none"), Links: p.Links},
	}
	return l.show(v, p)
}

func importSettlements(v *visit) (answer, error) {
	account, err := v.bankAccountField()
	if err != nil {
		return nil, err
	}
	f := &form{
		Action: "/ui/settlements/import", Submit: v.t("settlements.import"), Upload: true,
		Fields: []field{account, {Name: "content", Label: v.t("field.file"), Kind: kindFile, Required: true, Wide: true, Help: v.t("settlements.fileHelp")}},
	}
	p := v.newPage("settlements.import")
	p.Crumb = &link{Text: v.t("settlements.title"), URL: "/ui/settlements"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opSettlementImport, f, nil, func(record) string { return "/ui/settlements" }))
}

func showSettlement(v *visit) (answer, error) {
	doc, err := v.query(opSettlementGet, v.id())
	if err != nil {
		return nil, err
	}
	p := v.newPage("settlements.one", "Payout", doc.text("payoutId"))
	p.Crumb = &link{Text: v.t("settlements.title"), URL: "/ui/settlements"}
	p.Pill = v.state("", doc.text("status"))
	if warnings := doc.texts("warnings"); len(warnings) > 0 {
		p.add(block{Notice: v.warnings(warnings)})
	}
	facts := v.plainFacts(doc, "provider", "payoutDate", "currency")
	for _, f := range []struct{ label, member string }{{"field.gross", "grossTotal"}, {"field.fee", "feeTotal"}, {"field.netPaid", "netTotal"}} {
		facts = append(facts, fact{Label: v.t(f.label), Value: v.lang.amount(doc.text(f.member))})
	}
	facts = append(facts, fact{Label: v.t("field.matched"), Value: doc.text("matchedCount") + " / " + doc.text("lineCount")})
	p.add(block{Facts: append(facts, v.documentLinks(doc)...)})
	s := sheet{File: "settlement-lines", Caption: v.t("form.lines"), Columns: settlementColumns(), Rows: doc.list("lines")}
	if doc.text("status") != "posted" && v.can(tenant.WriteBank) {
		s.Actions = []rowAction{{"field.action", v.matchAction}}
	}
	p.add(block{Heading: v.t("form.lines"), Table: v.sheet(s)})
	if doc.text("status") != "posted" && v.offers(opSettlementPost, tenant.WriteBank) {
		p.add(block{Actions: []action{v.act("settlements.post", v.postSettlementForm(settlementURL(doc)))}})
	}
	return p, nil
}

func settlementColumns() []column {
	return []column{
		{Title: "field.date", Field: "date", Kind: cellDate, Sort: "date"},
		{Title: "field.category", Field: "category", Sort: "category"},
		{Title: "field.description", Text: func(_ *visit, r record) string { return r.firstText("description", "reference", "externalId") }, Minor: true},
		{Title: "field.match", Field: "matchStatus", Kind: cellPill, Sort: "matchStatus", Link: nil},
		{Title: "field.document", Text: func(v *visit, r record) string {
			if r.has("matchedInvoiceId") {
				return v.t("action.open")
			}
			return ""
		}, Link: func(r record) string { return documentURL("sale_invoice", r.text("matchedInvoiceId")) }},
		{Title: "field.gross", Field: "gross", Kind: cellMoney, Sort: "gross", Total: true},
		{Title: "field.fee", Field: "fee", Kind: cellMoney, Total: true, Minor: true},
		{Title: "field.netPaid", Field: "net", Kind: cellMoney, Total: true},
	}
}

// matchAction lets a person say which invoice a line pays.
func (v *visit) matchAction(r record) *action {
	f := v.settlementMatchForm(r.text("id"))
	if v.shown != nil && v.shown.value("lineId") == r.text("id") {
		f, v.placed = v.shown, true
	}
	return &action{Label: v.t("bank.match"), Form: v.keyed(f), Open: v.shown == f}
}

func (v *visit) settlementMatchForm(line string) *form {
	return &form{
		Action: v.here("/ui/settlements/") + "/match", Submit: v.t("bank.match"),
		Fields: []field{
			{Name: "lineId", Kind: kindHidden, Value: line},
			{Name: "invoiceNumber", ID: "number-" + line, Label: v.t("field.invoiceNumber"), Kind: kindText, Local: true, Help: v.t("settlements.matchHelp")},
		},
	}
}

// matchSettlement finds the invoice by its number; an empty number undoes a match.
func matchSettlement(v *visit) (answer, error) {
	f := v.settlementMatchForm(v.r.PostFormValue("lineId"))
	extra := map[string]any{}
	if number := v.r.PostFormValue("invoiceNumber"); number != "" {
		rows, err := v.everything(opSalesList, map[string]any{"filter": []filter{{"fullNumber", "eq", number}}}, 1)
		if err != nil {
			return nil, err
		}
		extra["invoiceId"] = number // refused by the API, at the field
		if len(rows) > 0 {
			extra["invoiceId"] = rows[0].text("id")
		}
	}
	return v.runAction(f, once(opSettlementMatch, f, extra, func(record) string { return v.here("/ui/settlements/") }), showSettlement)
}

func (v *visit) postSettlementForm(at string) *form {
	return &form{
		Action: at + "/post", Submit: v.t("settlements.post"), Lead: v.t("settlements.postLead"),
		Fields: []field{{Name: "date", Label: v.t("field.date"), Kind: kindDate, Help: v.t("settlements.dateHelp")}},
	}
}

func postSettlement(v *visit) (answer, error) {
	f := v.postSettlementForm(v.here("/ui/settlements/"))
	return v.runAction(f, once(opSettlementPost, f, v.id(), settlementURL), showSettlement)
}
