package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of supplier invoices.
const (
	opPurchaseList     = "/v1/purchases/invoices/list"
	opPurchaseGet      = "/v1/purchases/invoices/get"
	opPurchaseCreate   = "/v1/purchases/invoices/create"
	opPurchaseUpdate   = "/v1/purchases/invoices/update"
	opPurchaseRegister = "/v1/purchases/invoices/register"
	opPurchaseDelete   = "/v1/purchases/invoices/delete"
)

func purchaseURL(r record) string { return "/ui/purchases/" + r.text("id") }

func listPurchases(v *visit) (answer, error) {
	p := v.newPage("purchases.title")
	if v.can(tenant.WritePurchases) {
		p.Links = []link{{Text: v.t("purchases.new"), URL: "/ui/purchases/new", Primary: true}}
	}
	l := listing{
		operation: opPurchaseList, file: "supplier-invoices", sort: "-documentDate",
		columns: []column{
			{Title: "field.documentNumber", Field: "documentNumber", Sort: "documentNumber", Link: purchaseURL},
			{Title: "field.supplier", Field: "partnerName", Link: func(r record) string { return "/ui/partners/" + r.text("partnerId") }},
			{Title: "field.type", Field: "type", Words: "saleType.", Minor: true},
			{Title: "field.documentDate", Field: "documentDate", Kind: cellDate, Sort: "documentDate", Minor: true},
			{Title: "field.registrationDate", Field: "registrationDate", Kind: cellDate, Sort: "registrationDate", Minor: true},
			{Title: "field.dueDate", Field: "dueDate", Kind: cellDate, Sort: "dueDate", Minor: true},
			{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
			{Title: "field.payment", Kind: cellPill, Sort: "paymentStatus", Minor: true, Text: purchasePayment},
			{Title: "field.net", Field: "netTotal", Text: signed("netTotal"), Kind: cellMoney, Sort: "netTotal", Total: true, Minor: true},
			{Title: "field.vat", Field: "vatTotal", Text: signed("vatTotal"), Kind: cellMoney, Sort: "vatTotal", Total: true, Minor: true},
			{Title: "field.gross", Field: "grossTotal", Text: signed("grossTotal"), Kind: cellMoney, Sort: "grossTotal", Total: true},
			{Title: "field.currency", Field: "currency", Hidden: true},
		},
		criteria: []criterion{
			{Name: "number", Label: "field.documentNumber", Kind: kindText, Field: "documentNumber", Op: "contains"},
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"draft", "registered"}},
			{Name: "paymentStatus", Label: "field.payment", Kind: kindSelect, Words: "state.", Values: []string{"unpaid", "partial", "paid"}},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "documentDate", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "documentDate", Op: "lte"},
			{Name: "partnerId", Label: "field.supplier", Kind: kindHidden},
		},
		none:    &empty{Text: v.t("purchases.none"), Links: p.Links},
		prepare: func(v *visit, rows []record) error { return v.namePartners(rows) },
	}
	return l.show(v, p)
}

func purchasePayment(_ *visit, r record) string {
	if r.text("status") != "registered" {
		return ""
	}
	return r.text("paymentStatus")
}

func (v *visit) purchaseForm(action, partnerID string) (*form, error) {
	partners, err := v.partnerOptions(partnerID, "isSupplier")
	if err != nil {
		return nil, err
	}
	accounts, err := v.accounts("expense", "asset")
	if err != nil {
		return nil, err
	}
	f := &form{
		Action: action,
		Fields: []field{
			{
				Name: "partnerId", Label: v.t("field.supplier"), Kind: kindSelect, Options: partners, Value: partnerID, Required: true,
				Help: v.t("purchases.supplierHelp"),
			},
			{Name: "type", Label: v.t("field.type"), Kind: kindSelect, Options: v.choices("saleType.", "invoice", "credit_note"), Value: "invoice"},
			{Name: "documentNumber", Label: v.t("field.documentNumber"), Kind: kindText, Required: true, Max: 255, Help: v.t("purchases.numberHelp")},
			{Name: "documentDate", Label: v.t("field.documentDate"), Kind: kindDate, Required: true},
			{Name: "dueDate", Label: v.t("field.dueDate"), Kind: kindDate, Help: v.t("invoices.dueHelp")},
			{Name: "supplyDate", Label: v.t("field.supplyDate"), Kind: kindDate, Help: v.t("invoices.supplyHelp")},
			{Name: "supplyType", Label: v.t("field.supplyType"), Kind: kindSelect, Options: v.choices("supplyType.", "goods", "services"), Value: "goods"},
			{Name: "currency", Label: v.t("field.currency"), Kind: kindText, Value: v.base(), Max: 3},
			{Name: "notes", Label: v.t("field.notes"), Kind: kindArea, Wide: true, Max: 2000},
		},
		Lines: v.saleLines(),
		Lists: []dataList{v.vatCodes(), accounts},
	}
	f.Lines.Columns = append(f.Lines.Columns,
		field{Name: "statedVat", Label: v.t("field.statedVat"), Kind: kindMoney, Narrow: true},
		field{Name: "accountCode", Label: v.t("field.account"), Kind: kindText, Narrow: true, List: accounts.ID, Max: 20})
	if tenant.Role(v.me.text("role")) == tenant.RoleAdmin {
		f.Fields = append(f.Fields, field{
			Name: "duplicateReason", Label: v.t("field.duplicateReason"), Kind: kindText, Wide: true, Max: 500, Help: v.t("purchases.duplicateHelp"),
		})
	}
	return f, nil
}

// accounts offers codes of the chart of accounts that take postings.
func (v *visit) accounts(types ...string) (dataList, error) {
	filters := []filter{{"isPostable", "eq", true}}
	if len(types) > 0 {
		filters = append(filters, filter{"type", "in", types})
	}
	rows, err := v.everything("/v1/ledger/accounts/list", map[string]any{"filter": filters, "sort": []order{{"code", "asc"}}}, maxDownload)
	l := dataList{ID: "accounts"}
	for _, r := range rows {
		l.Options = append(l.Options, option{Value: r.text("code"), Text: r.text("code") + " " + r.text("name")})
	}
	return l, err
}

func newPurchase(v *visit) (answer, error) {
	f, err := v.purchaseForm("/ui/purchases/new", v.param("partnerId"))
	if err != nil {
		return nil, err
	}
	f.Buttons = []button{
		{Name: fieldDo, Value: doSave, Text: v.t("invoices.save")},
		{Name: fieldDo, Value: doIssue, Text: v.t("purchases.registerNow"), Primary: true},
	}
	p := v.newPage("purchases.new")
	p.Crumb = &link{Text: v.t("purchases.title"), URL: "/ui/purchases"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	s := once(opPurchaseCreate, f, nil, purchaseURL)
	if v.r.PostFormValue(fieldDo) == doIssue {
		s.steps = append(s.steps, step{opPurchaseRegister, func(made record) map[string]any { return map[string]any{"id": made.text("id")} }})
	}
	s.partly = v.registerRefused
	return v.submitted(p, f, s)
}

func (v *visit) registerRefused(made record, refused *refusal) (answer, error) {
	p, err := v.purchasePage(made)
	if err != nil {
		return nil, err
	}
	p.Status = refused.Status
	n := v.refusalNotice(refused)
	n.Title = v.t("purchases.savedNotRegistered")
	p.Blocks = append([]block{{Notice: n}}, p.Blocks...)
	return p, nil
}

func showPurchase(v *visit) (answer, error) {
	doc, err := v.query(opPurchaseGet, v.id())
	if err != nil {
		return nil, err
	}
	return v.purchasePage(doc)
}

func (v *visit) purchasePage(doc record) (*page, error) {
	if err := v.partnerNames(doc.text("partnerId")); err != nil {
		return nil, err
	}
	p := v.newPage("purchases.one", "Number", doc.text("documentNumber"))
	p.Crumb = &link{Text: v.t("purchases.title"), URL: "/ui/purchases"}
	p.Pill = v.state("", doc.text("status"))
	isDraft := doc.text("status") == "draft" && v.can(tenant.WritePurchases)
	if isDraft {
		p.Links = append(p.Links, link{Text: v.t("action.edit"), URL: purchaseURL(doc) + "/edit"})
	}
	if warnings := doc.texts("warnings"); len(warnings) > 0 {
		p.add(block{Notice: v.warnings(warnings)})
	}
	facts := []fact{
		{Label: v.t("field.supplier"), Value: v.partner[doc.text("partnerId")], URL: "/ui/partners/" + doc.text("partnerId")},
		{Label: v.t("field.gross"), Value: v.lang.amount(doc.text("grossTotal")) + " " + doc.text("currency")},
	}
	if state := purchasePayment(v, doc); state != "" {
		facts = append(facts, fact{Label: v.t("field.payment"), Pill: v.state("", state)})
	}
	facts = append(facts, v.plainFacts(doc, "documentDate", "registrationDate", "dueDate", "supplyDate")...)
	facts = append(facts, fact{Label: v.t("field.supplyType"), Value: v.lang.known("supplyType.", doc.text("supplyType"))})
	facts = append(facts, v.documentLinks(doc)...)
	facts = append(facts, v.plainFacts(doc, "duplicateReason", "notes")...)
	columns := []column{
		{Title: "field.description", Field: "description"},
		{Title: "field.account", Field: "accountCode", Minor: true},
		{Title: "field.quantity", Field: "quantity", Kind: cellNumber},
		{Title: "field.price", Kind: cellMoney, Minor: true, Text: linePrice},
		{Title: "field.rate", Field: "vatRatePercent", Kind: cellNumber, Minor: true},
		{Title: "field.vatCode", Field: "vatClassifierCode", Minor: true},
		{Title: "field.net", Field: "lineNet", Kind: cellMoney},
		{Title: "field.vat", Field: "lineVat", Kind: cellMoney},
		{Title: "field.gross", Field: "lineGross", Kind: cellMoney},
	}
	t := v.sheet(sheet{
		File: "supplier-invoice-lines", Caption: v.t("form.lines"), Columns: columns, Rows: doc.list("lines"),
		Totals: []totalRow{v.documentTotal(doc, true, false, true, true, true)},
	})
	p.add(block{Facts: facts}, block{Heading: v.t("form.lines"), Table: t})
	if isDraft {
		at := purchaseURL(doc)
		p.add(block{Actions: []action{v.act("purchases.register", v.registerForm(at)), v.act("action.delete", v.deleteForm(at))}})
	}
	return p, nil
}

func (v *visit) warnings(texts []string) *notice {
	n := &notice{Kind: "warn", Title: v.t("notice.warnings")}
	for _, text := range texts {
		n.Items = append(n.Items, link{Text: text})
	}
	return n
}

func (v *visit) registerForm(at string) *form {
	return &form{
		Action: at + "/register", Submit: v.t("purchases.register"), Lead: v.t("purchases.registerLead"),
		Fields: []field{{Name: "registrationDate", Label: v.t("field.registrationDate"), Kind: kindDate, Help: v.t("purchases.registrationHelp")}},
	}
}

func registerPurchase(v *visit) (answer, error) {
	f := v.registerForm(v.here("/ui/purchases/"))
	return v.runAction(f, once(opPurchaseRegister, f, v.id(), purchaseURL), showPurchase)
}

func deletePurchase(v *visit) (answer, error) {
	f := v.deleteForm(v.here("/ui/purchases/"))
	return v.runAction(f, once(opPurchaseDelete, f, v.id(), func(record) string { return "/ui/purchases" }), showPurchase)
}

func editPurchase(v *visit) (answer, error) {
	doc, err := v.query(opPurchaseGet, v.id())
	if err != nil {
		return nil, err
	}
	f, err := v.purchaseForm(purchaseURL(doc)+"/edit", doc.text("partnerId"))
	if err != nil {
		return nil, err
	}
	f.drop("type")
	f.Submit = v.t("action.save")
	p := v.newPage("purchases.edit")
	p.Crumb = &link{Text: doc.text("documentNumber"), URL: purchaseURL(doc)}
	if v.r.Method == http.MethodGet {
		f.fill(doc)
		p.add(block{Form: v.keyed(f)})
		return p, nil
	}
	return v.submitted(p, f, once(opPurchaseUpdate, f, v.id(), purchaseURL))
}
