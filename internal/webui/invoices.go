package webui

import "github.com/vienkart/vienkart/internal/tenant"

// Operations of sales documents.
const (
	opSalesList   = "/v1/sales/invoices/list"
	opSalesGet    = "/v1/sales/invoices/get"
	opSalesCreate = "/v1/sales/invoices/create"
	opSalesUpdate = "/v1/sales/invoices/update"
	opSalesIssue  = "/v1/sales/invoices/issue"
	opSalesCancel = "/v1/sales/invoices/cancel"
	opSalesDelete = "/v1/sales/invoices/delete"
	opSalesPDF    = "/v1/sales/invoices/pdf"
	opSalesSend   = "/v1/sales/invoices/send"
)

func saleColumns() []column {
	return []column{
		{
			Title: "field.number", Field: "fullNumber", Sort: "fullNumber", Kind: cellMono,
			Text: func(v *visit, r record) string { return invoiceName(v, r) },
			Link: func(r record) string { return "/ui/invoices/" + r.text("id") },
		},
		{Title: "field.type", Field: "type", Words: "saleType.", Sort: "type", Minor: true},
		{Title: "field.customer", Field: "partnerName", Link: func(r record) string { return "/ui/partners/" + r.text("partnerId") }},
		{Title: "field.issueDate", Field: "issueDate", Kind: cellDate, Sort: "issueDate", Minor: true},
		{Title: "field.dueDate", Field: "dueDate", Kind: cellDate, Sort: "dueDate", Minor: true},
		{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
		{Title: "field.payment", Field: "paymentStatus", Kind: cellPill, Sort: "paymentStatus", Minor: true, Text: salePayment},
		{Title: "field.net", Field: "netTotal", Text: signed("netTotal"), Kind: cellMoney, Sort: "netTotal", Total: true, Minor: true},
		{Title: "field.vat", Field: "vatTotal", Text: signed("vatTotal"), Kind: cellMoney, Sort: "vatTotal", Total: true, Minor: true},
		{Title: "field.gross", Field: "grossTotal", Text: signed("grossTotal"), Kind: cellMoney, Sort: "grossTotal", Total: true},
		{Title: "field.currency", Field: "currency", Hidden: true},
	}
}

// signed takes off what a credit note gives back, so that a column adds up.
func signed(member string) func(*visit, record) string {
	return func(_ *visit, r record) string {
		if r.text("type") == "credit_note" {
			return twoPlaces(r.decimal(member).Neg().String())
		}
		return r.text(member)
	}
}

// invoiceName is the number, or that there is none yet.
func invoiceName(v *visit, r record) string {
	if n := r.text("fullNumber"); n != "" {
		return n
	}
	return v.t("invoices.draft")
}

// salePayment is nothing for a document that nobody pays yet.
func salePayment(_ *visit, r record) string {
	if r.text("status") != "issued" || r.text("type") == "proforma" {
		return ""
	}
	return r.text("paymentStatus")
}

func listInvoices(v *visit) (answer, error) {
	p := v.newPage("invoices.title")
	fresh := link{Text: v.t("invoices.new"), URL: "/ui/invoices/new", Primary: true}
	if v.can(tenant.WriteSales) {
		p.Links = []link{fresh}
	}
	l := listing{
		operation: opSalesList, file: "invoices", columns: saleColumns(), sort: "-issueDate",
		criteria: []criterion{
			{Name: "number", Label: "field.number", Kind: kindText, Field: "fullNumber", Op: "contains"},
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"draft", "issued", "cancelled"}},
			{Name: "paymentStatus", Label: "field.payment", Kind: kindSelect, Words: "state.", Values: []string{"unpaid", "partial", "paid"}},
			{Name: "type", Label: "field.type", Kind: kindSelect, Words: "saleType.", Values: []string{"invoice", "credit_note", "proforma", "advance"}},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "issueDate", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "issueDate", Op: "lte"},
			{Name: "due", Label: "filter.dueBy", Kind: kindHidden, Field: "dueDate", Op: "lte"},
			{Name: "partnerId", Label: "field.customer", Kind: kindHidden},
		},
		none: &empty{Text: v.t("invoices.none"), Links: p.Links},
		prepare: func(v *visit, rows []record) error {
			return v.namePartners(rows)
		},
	}
	return l.show(v, p)
}

// namePartners puts names to the partners of rows.
func (v *visit) namePartners(rows []record) error {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.text("partnerId")
	}
	if err := v.partnerNames(ids...); err != nil {
		return err
	}
	for _, r := range rows {
		r["partnerName"] = v.partner[r.text("partnerId")]
	}
	return nil
}

// partnerOptions offers partners in a form, the chosen one among them however many there are.
func (v *visit) partnerOptions(chosen, role string) ([]option, error) {
	out, err := v.query("/v1/partners/list", map[string]any{
		"pageSize": maxPage, "sort": []order{{"name", "asc"}}, "filter": []filter{{role, "eq", true}},
	})
	if err != nil {
		return nil, err
	}
	options := []option{{Text: v.t("form.choose")}}
	found := chosen == ""
	for _, r := range out.list("rows") {
		options = append(options, option{Value: r.text("id"), Text: r.text("name")})
		found = found || r.text("id") == chosen
	}
	if !found {
		if err := v.partnerNames(chosen); err != nil {
			return nil, err
		}
		if name := v.partner[chosen]; name != "" {
			options = append(options, option{Value: chosen, Text: name})
		}
	}
	return options, nil
}

var vatSchemes = []string{
	"domestic", "intra_eu_b2b", "reverse_charge", "oss_union", "ioss", "marketplace_deemed", "export", "out_of_scope", "sme_exempt",
}

// choices are the values of an enumeration with their words.
func (v *visit) choices(words string, values ...string) []option {
	out := make([]option, len(values))
	for i, value := range values {
		out[i] = option{Value: value, Text: v.lang.known(words, value)}
	}
	return out
}

func (v *visit) invoiceForm(action, partnerID string) (*form, error) {
	partners, err := v.partnerOptions(partnerID, "isCustomer")
	if err != nil {
		return nil, err
	}
	schemes := append([]option{{Text: v.t("form.usual")}}, v.choices("vatScheme.", vatSchemes...)...)
	return &form{
		Action: action,
		Fields: []field{
			{Name: "partnerId", Label: v.t("field.customer"), Kind: kindSelect, Options: partners, Value: partnerID, Required: true},
			{Name: "type", Label: v.t("field.type"), Kind: kindSelect, Options: v.choices("saleType.", "invoice", "proforma", "advance"), Value: "invoice"},
			{Name: "issueDate", Label: v.t("field.issueDate"), Kind: kindDate, Value: v.today().String()},
			{Name: "dueDate", Label: v.t("field.dueDate"), Kind: kindDate, Help: v.t("invoices.dueHelp")},
			{Name: "supplyDate", Label: v.t("field.supplyDate"), Kind: kindDate, Help: v.t("invoices.supplyHelp")},
			{Name: "currency", Label: v.t("field.currency"), Kind: kindText, Value: v.company.text("defaultInvoiceCurrency"), Max: 3},
			{Name: "vatScheme", Label: v.t("field.vatScheme"), Kind: kindSelect, Options: schemes},
			{Name: "notes", Label: v.t("field.notes"), Kind: kindArea, Wide: true, Max: 2000},
		},
		Lines: v.saleLines(),
		Lists: []dataList{v.vatCodes()},
	}, nil
}

func (v *visit) saleLines() *lines {
	return &lines{
		Name: "lines", Label: v.t("form.lines"), Row: v.t("form.line"), Least: 3,
		Columns: []field{
			{Name: "description", Label: v.t("field.description"), Kind: kindText, Wide: true, Max: 1000},
			{Name: "quantity", Label: v.t("field.quantity"), Kind: kindMoney, Narrow: true},
			{Name: "unit", Label: v.t("field.unit"), Kind: kindText, Narrow: true, Max: 20},
			{Name: "unitPriceExclVat", Label: v.t("field.priceExcl"), Kind: kindMoney},
			{Name: "vatRatePercent", Label: v.t("field.rate"), Kind: kindMoney, Narrow: true},
			{Name: "vatClassifierCode", Label: v.t("field.vatCode"), Kind: kindText, Narrow: true, List: "vat-codes", Max: 6},
		},
	}
}

const opClassifiers = "/v1/reference/vat-classifiers/list"

// vatCodes offers the codes of the classifier; any other may be typed.
func (v *visit) vatCodes() dataList {
	l := dataList{ID: "vat-codes"}
	rows, err := v.everything(opClassifiers, map[string]any{}, maxDownload)
	if err != nil {
		return l // a form without hints is a form all the same
	}
	for _, r := range rows {
		l.Options = append(l.Options, option{Value: r.text("code"), Text: r.text("code") + " " + r.text("name")})
	}
	return l
}

// Buttons of an invoice's form.
const (
	fieldDo = "_do"
	doIssue = "issue"
	doSave  = "save"
)

func (v *visit) saveOrIssue() []button {
	return []button{
		{Name: fieldDo, Value: doSave, Text: v.t("invoices.save")},
		{Name: fieldDo, Value: doIssue, Text: v.t("invoices.issueNow"), Primary: true},
	}
}

func newInvoice(v *visit) (answer, error) {
	f, err := v.invoiceForm("/ui/invoices/new", v.param("partnerId"))
	if err != nil {
		return nil, err
	}
	if kind := v.param("type"); kind != "" {
		f.set("type", kind)
	}
	f.Buttons = v.saveOrIssue()
	p := v.newPage("invoices.new")
	p.Crumb = &link{Text: v.t("invoices.title"), URL: "/ui/invoices"}
	if v.r.Method == "GET" {
		return v.freshForm(p, f)
	}
	s := once(opSalesCreate, f, nil, saleURL)
	if v.r.PostFormValue(fieldDo) == doIssue {
		s.steps = append(s.steps, issueMade)
	}
	s.partly = v.issueRefused
	return v.submitted(p, f, s)
}

// issueMade issues what the step before made.
var issueMade = step{opSalesIssue, func(made record) map[string]any { return map[string]any{"id": made.text("id")} }}

func saleURL(r record) string { return "/ui/invoices/" + r.text("id") }

// freshForm shows an empty form under a key that stays in the address.
func (v *visit) freshForm(p *page, f *form) (answer, error) {
	key, elsewhere := v.formKey()
	if elsewhere != nil {
		return elsewhere, nil
	}
	f.Key = key
	if used := v.usedForm(key); used != nil {
		p.add(block{Notice: used})
	}
	p.add(block{Form: v.keyed(f)})
	return p, nil
}

// submitted runs a form that has a page of its own.
func (v *visit) submitted(p *page, f *form, s submission) (answer, error) {
	out, err := v.submit(f, s)
	if out != nil || err != nil {
		return out, err
	}
	p.add(block{Form: f})
	return p, nil
}
