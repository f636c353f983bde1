package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of settings.
const (
	opCompanyUpdate = "/v1/account/companies/update"
	opSeriesList    = "/v1/reference/series/list"
	opSeriesCreate  = "/v1/reference/series/create"
	opRuleList      = "/v1/ledger/posting-rules/list"
	opRuleUpdate    = "/v1/ledger/posting-rules/update"
	opAccountList   = "/v1/ledger/accounts/list"
	opAccountCreate = "/v1/ledger/accounts/create"
)

// settingsPage has the links to all settings.
func (v *visit) settingsPage(title string) *page {
	p := v.newPage(title)
	for _, e := range []entry{
		{"settings.company", "/ui/settings", tenant.ReadBooks},
		{"settings.series", "/ui/settings/series", tenant.ReadBooks},
		{"settings.rules", "/ui/settings/rules", tenant.ReadBooks},
		{"settings.accounts", "/ui/settings/accounts", tenant.ReadBooks},
		{"settings.rates", "/ui/settings/rates", tenant.ReadBooks},
		{"settings.keys", "/ui/settings/keys", tenant.ManageKeys},
		{"settings.members", "/ui/settings/members", tenant.ManageCompany},
	} {
		if v.can(e.permission) && e.path != v.at.Path {
			p.Links = append(p.Links, link{Text: v.t(e.title), URL: e.path})
		}
	}
	return p
}

func (v *visit) companyForm() *form {
	return &form{
		Action: "/ui/settings", Submit: v.t("action.save"),
		Fields: []field{
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Wide: true, Max: 255},
			{Name: "code", Label: v.t("field.code"), Kind: kindText, Max: 64, Clears: true},
			{Name: "vatCode", Label: v.t("field.vatNumber"), Kind: kindText, Max: 64, Clears: true},
			{Name: "email", Label: v.t("field.email"), Kind: kindText, Max: 255, Clears: true},
			{Name: "phone", Label: v.t("field.phone"), Kind: kindText, Max: 50, Clears: true},
			{Name: "iban", Label: v.t("field.iban"), Kind: kindText, Max: 50, Clears: true},
			{Name: "bankName", Label: v.t("field.bankName"), Kind: kindText, Max: 255, Clears: true},
			{Name: "defaultInvoiceCurrency", Label: v.t("field.currency"), Kind: kindText, Max: 3},
			{Name: "timeZone", Label: v.t("field.timeZone"), Kind: kindText, Max: 64},
			{Name: "address.street", Label: v.t("field.street"), Kind: kindText, Max: 255},
			{Name: "address.city", Label: v.t("field.city"), Kind: kindText, Max: 100},
			{Name: "address.postalCode", Label: v.t("field.postalCode"), Kind: kindText, Max: 20},
			{Name: "address.countryCode", Label: v.t("field.country"), Kind: kindText, Max: 2},
			{Name: "isVatPayer", Label: v.t("settings.vatPayer"), Kind: kindCheck},
			{Name: "cashAccounting.from", Label: v.t("settings.cashFrom"), Kind: kindDate, Help: v.t("settings.cashHelp")},
			{Name: "cashAccounting.until", Label: v.t("settings.cashUntil"), Kind: kindDate},
			{Name: "requireIdempotencyKey", Label: v.t("settings.requireKey"), Kind: kindCheck, Wide: true},
		},
	}
}

func showSettings(v *visit) (answer, error) {
	f := v.companyForm()
	p := v.settingsPage("settings.company")
	if v.r.Method == http.MethodPost {
		return v.submitted(p, f, once(opCompanyUpdate, f, nil, func(record) string { return "/ui/settings" }))
	}
	if v.can(tenant.ManageCompany) {
		f.fill(v.company)
		p.add(block{Form: v.keyed(f)})
		if v.ui.serves(opCompanyCreate) {
			p.add(block{Links: []link{{Text: v.t("companies.new"), URL: "/ui/companies/new"}}})
		}
		return p, nil
	}
	var facts []fact
	for _, x := range f.Fields {
		if value := v.company.text(x.Name); value != "" {
			facts = append(facts, fact{Label: x.Label, Value: v.lang.known("yesno.", value)})
		}
	}
	p.add(block{Facts: facts})
	return p, nil
}

func showSeries(v *visit) (answer, error) {
	kinds := v.choices("entity.", "sale_invoice", "credit_note", "proforma", "advance_invoice")
	f := &form{
		Title: v.t("settings.newSeries"), Action: "/ui/settings/series", Submit: v.t("action.add"),
		Fields: []field{
			{Name: "documentType", Label: v.t("field.document"), Kind: kindSelect, Options: kinds, Value: "sale_invoice"},
			{Name: "prefix", Label: v.t("field.prefix"), Kind: kindText, Max: 20, Help: v.t("settings.prefixHelp")},
			{Name: "year", Label: v.t("field.year"), Kind: kindWhole, Required: true, Value: v.today().String()[:4]},
			{Name: "startAt", Label: v.t("field.startAt"), Kind: kindWhole},
		},
	}
	l := listing{
		operation: opSeriesList, file: "series",
		columns: []column{
			{Title: "field.prefix", Field: "prefix", Kind: cellMono, Sort: "prefix"},
			{Title: "field.document", Field: "documentType", Words: "entity.", Sort: "documentType"},
			{Title: "field.year", Field: "year", Kind: cellNumber, Sort: "year"},
			{Title: "field.nextNumber", Field: "nextNumber", Kind: cellNumber, Sort: "nextNumber"},
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Minor: true, Sort: "createdAt"},
		},
		none: &empty{Text: v.t("settings.noSeries")},
	}
	return v.listWithForm("settings.series", l, f, tenant.WriteLedger, once(opSeriesCreate, f, nil, func(record) string { return "/ui/settings/series" }))
}

// listWithForm is a list with the form that adds to it.
func (v *visit) listWithForm(title string, l listing, f *form, needs tenant.Permission, s submission) (answer, error) {
	p := v.settingsPage(title)
	if v.r.Method == http.MethodPost {
		if out, err := v.submit(f, s); out != nil || err != nil {
			return out, err
		}
	}
	out, err := l.show(v, p)
	if err == nil && v.can(needs) && v.ui.serves(s.steps[0].operation) {
		p.add(block{Form: v.keyed(f)})
	}
	return out, err
}

func showRules(v *visit) (answer, error) {
	out, err := v.query(opRuleList, nil)
	if err != nil {
		return nil, err
	}
	rows := out.list("rows")
	accounts, err := v.accounts()
	if err != nil {
		return nil, err
	}
	keys := []option{{Text: v.t("form.choose")}}
	for _, r := range rows {
		keys = append(keys, option{Value: r.text("key"), Text: r.text("key") + " — " + r.text("description")})
	}
	f := &form{
		Title: v.t("settings.changeRule"), Action: "/ui/settings/rules", Submit: v.t("action.save"), Lists: []dataList{accounts},
		Fields: []field{
			{Name: "key", Label: v.t("field.rule"), Kind: kindSelect, Options: keys, Required: true, Local: true},
			{Name: "accountCode", Label: v.t("field.account"), Kind: kindText, List: accounts.ID, Max: 20, Help: v.t("settings.ruleHelp"), Local: true},
		},
	}
	p := v.settingsPage("settings.rules")
	if v.r.Method == http.MethodPost {
		s := submission{then: func(record) string { return "/ui/settings/rules" }, steps: []step{{opRuleUpdate, func(record) map[string]any {
			rule := map[string]any{"key": f.value("key")}
			if code := f.value("accountCode"); code != "" {
				rule["accountCode"] = code
			}
			return map[string]any{"rules": []any{rule}}
		}}}}
		if done, err := v.submit(f, s); done != nil || err != nil {
			return done, err
		}
	}
	p.add(block{Table: v.sheet(sheet{File: "posting-rules", Caption: p.Title, Rows: rows, Columns: []column{
		{Title: "field.rule", Field: "key", Kind: cellMono, Sort: "key"},
		{Title: "field.description", Field: "description", Sort: "description"},
		{Title: "field.account", Field: "accountCode", Kind: cellMono, Sort: "accountCode"},
		{Title: "field.default", Field: "defaultCode", Kind: cellMono, Minor: true},
		{Title: "field.overridden", Field: "overridden", Words: "yesno.", Sort: "overridden", Minor: true},
	}})})
	if v.can(tenant.WriteLedger) {
		p.add(block{Form: v.keyed(f)})
	}
	return p, nil
}

func showAccounts(v *visit) (answer, error) {
	types := v.choices("accountType.", "asset", "liability", "equity", "income", "expense")
	f := &form{
		Title: v.t("settings.newAccount"), Action: "/ui/settings/accounts", Submit: v.t("action.add"),
		Fields: []field{
			{Name: "code", Label: v.t("field.code"), Kind: kindText, Required: true, Max: 20},
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Max: 255},
			{Name: "type", Label: v.t("field.type"), Kind: kindSelect, Options: types, Value: "expense"},
			{Name: "isPostable", Label: v.t("field.postable"), Kind: kindCheck, Checked: true},
		},
	}
	l := listing{
		operation: opAccountList, file: "accounts", sort: "code",
		columns: []column{
			{Title: "field.code", Field: "code", Kind: cellMono, Sort: "code"},
			{Title: "field.name", Field: "name", Sort: "name"},
			{Title: "field.type", Field: "type", Words: "accountType.", Sort: "type"},
			{Title: "field.postable", Field: "isPostable", Words: "yesno.", Sort: "isPostable", Minor: true},
		},
		criteria: []criterion{
			{Name: "code", Label: "field.code", Kind: kindText, Op: "contains"},
			{Name: "name", Label: "field.name", Kind: kindText, Op: "contains"},
			{Name: "type", Label: "field.type", Kind: kindSelect, Words: "accountType.", Values: []string{"asset", "liability", "equity", "income", "expense"}},
		},
		none: &empty{Text: v.t("settings.noAccounts")},
	}
	return v.listWithForm("settings.accounts", l, f, tenant.WriteLedger, once(opAccountCreate, f, nil, func(record) string { return "/ui/settings/accounts" }))
}
