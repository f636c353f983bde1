package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of partners.
const (
	opPartnerList   = "/v1/partners/list"
	opPartnerGet    = "/v1/partners/get"
	opPartnerCreate = "/v1/partners/create"
	opPartnerUpdate = "/v1/partners/update"
	opPartnerDelete = "/v1/partners/delete"
	opItems         = "/v1/ledger/open-items/list"
)

func partnerURL(r record) string { return "/ui/partners/" + r.text("id") }

func listPartners(v *visit) (answer, error) {
	p := v.newPage("partners.title")
	if v.can(tenant.WriteSales) {
		p.Links = []link{{Text: v.t("partners.new"), URL: "/ui/partners/new", Primary: true}}
	}
	l := listing{
		operation: opPartnerList, file: "partners", sort: "name",
		columns: []column{
			{Title: "field.name", Field: "name", Sort: "name", Link: partnerURL},
			{Title: "field.code", Field: "code", Sort: "code", Kind: cellMono},
			{Title: "field.vatNumber", Field: "vatCode", Sort: "vatCode", Kind: cellMono},
			{Title: "field.country", Field: "address.countryCode", Sort: "countryCode", Minor: true},
			{Title: "field.roles", Text: partnerRoles, Minor: true},
			{Title: "field.email", Field: "email", Sort: "email", Minor: true},
			{Title: "field.terms", Field: "paymentTermDays", Kind: cellNumber, Sort: "paymentTermDays", Minor: true},
		},
		criteria: []criterion{
			{Name: "name", Label: "field.name", Kind: kindText, Op: "contains"},
			{Name: "code", Label: "field.code", Kind: kindText, Op: "contains"},
			{Name: "vat", Label: "field.vatNumber", Kind: kindText, Field: "vatCode", Op: "contains"},
			{Name: "isCustomer", Label: "field.customer", Kind: kindSelect, Words: "yesno.", Values: []string{"true", "false"}},
			{Name: "isSupplier", Label: "field.supplier", Kind: kindSelect, Words: "yesno.", Values: []string{"true", "false"}},
		},
		none: &empty{Text: v.t("partners.none"), Links: p.Links},
	}
	return l.show(v, p)
}

func partnerRoles(v *visit, r record) string {
	switch {
	case r.isTrue("isCustomer") && r.isTrue("isSupplier"):
		return v.t("partners.both")
	case r.isTrue("isSupplier"):
		return v.t("field.supplier")
	}
	return v.t("field.customer")
}

func (v *visit) partnerForm(action string, clears bool) *form {
	return &form{
		Action: action, Submit: v.t("action.save"),
		Fields: []field{
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Wide: true, Max: 255},
			{Name: "type", Label: v.t("field.type"), Kind: kindSelect, Options: v.choices("partnerType.", "company", "individual"), Value: "company"},
			{Name: "code", Label: v.t("field.code"), Kind: kindText, Max: 64, Clears: clears},
			{Name: "vatCode", Label: v.t("field.vatNumber"), Kind: kindText, Max: 64, Clears: clears},
			{Name: "email", Label: v.t("field.email"), Kind: kindText, Max: 255, Clears: clears},
			{Name: "phone", Label: v.t("field.phone"), Kind: kindText, Max: 50, Clears: clears},
			{Name: "paymentTermDays", Label: v.t("field.terms"), Kind: kindWhole},
			{Name: "creditLimit", Label: v.t("field.creditLimit"), Kind: kindMoney},
			{Name: "address.street", Label: v.t("field.street"), Kind: kindText, Max: 255},
			{Name: "address.city", Label: v.t("field.city"), Kind: kindText, Max: 100},
			{Name: "address.postalCode", Label: v.t("field.postalCode"), Kind: kindText, Max: 20},
			{Name: "address.countryCode", Label: v.t("field.country"), Kind: kindText, Max: 2, Value: "LT", Help: v.t("partners.countryHelp")},
			{Name: "isCustomer", Label: v.t("partners.isCustomer"), Kind: kindCheck, Checked: true},
			{Name: "isSupplier", Label: v.t("partners.isSupplier"), Kind: kindCheck},
			{Name: "notes", Label: v.t("field.notes"), Kind: kindArea, Wide: true, Max: 2000, Clears: clears},
		},
	}
}

func newPartner(v *visit) (answer, error) {
	f := v.partnerForm("/ui/partners/new", false)
	p := v.newPage("partners.new")
	p.Crumb = &link{Text: v.t("partners.title"), URL: "/ui/partners"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opPartnerCreate, f, nil, partnerURL))
}

func editPartner(v *visit) (answer, error) {
	doc, err := v.query(opPartnerGet, v.id())
	if err != nil {
		return nil, err
	}
	f := v.partnerForm(partnerURL(doc)+"/edit", true)
	p := v.newPage("partners.edit")
	p.Crumb = &link{Text: doc.text("name"), URL: partnerURL(doc)}
	if v.r.Method == http.MethodGet {
		f.set("address.countryCode", "")
		f.fill(doc)
		p.add(block{Form: v.keyed(f)})
		return p, nil
	}
	return v.submitted(p, f, once(opPartnerUpdate, f, v.id(), partnerURL))
}

func showPartner(v *visit) (answer, error) {
	doc, err := v.query(opPartnerGet, v.id())
	if err != nil {
		return nil, err
	}
	p := v.newPage("partners.one", "Name", doc.text("name"))
	p.Crumb = &link{Text: v.t("partners.title"), URL: "/ui/partners"}
	at := partnerURL(doc)
	if v.can(tenant.WriteSales) {
		p.Links = []link{
			{Text: v.t("invoices.new"), URL: "/ui/invoices/new?partnerId=" + doc.text("id"), Primary: true},
			{Text: v.t("action.edit"), URL: at + "/edit"},
		}
	}
	if warnings := doc.texts("warnings"); len(warnings) > 0 {
		p.add(block{Notice: v.warnings(warnings)})
	}
	facts := []fact{{Label: v.t("field.roles"), Value: partnerRoles(v, doc)}}
	for _, f := range v.partnerForm("", false).Fields[2:12] {
		if value := doc.text(f.Name); value != "" {
			facts = append(facts, fact{Label: f.Label, Value: value})
		}
	}
	facts = append(facts, v.plainFacts(doc, "notes")...)
	for _, list := range []string{"invoices", "advances", "orders", "purchases"} {
		facts = append(facts, fact{Label: v.t(list + ".title"), Value: v.t("action.show"), URL: "/ui/" + list + "?partnerId=" + doc.text("id")})
	}
	p.add(block{Facts: facts})
	items, err := v.everything(opItems, map[string]any{"filter": []filter{{"partnerId", "eq", doc.text("id")}, {"settled", "eq", false}}}, maxDownload)
	if err != nil {
		return nil, err
	}
	t := v.sheet(sheet{
		File: "open-items", Caption: v.t("items.title"), Columns: itemColumns(false), Rows: items, None: &empty{Text: v.t("items.noneOfPartner")},
	})
	p.add(block{Heading: v.t("items.title"), Table: t})
	if v.can(tenant.WriteSales) {
		p.add(block{Actions: []action{v.act("action.delete", v.deleteForm(at))}})
	}
	return p, nil
}

func deletePartner(v *visit) (answer, error) {
	f := v.deleteForm(v.here("/ui/partners/"))
	return v.runAction(f, once(opPartnerDelete, f, v.id(), func(record) string { return "/ui/partners" }), showPartner)
}
