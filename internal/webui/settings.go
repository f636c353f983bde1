package webui

import (
	"net/http"
	"strings"

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
	opKeyCreate     = "/v1/account/api-keys/create"
	opKeyList       = "/v1/account/api-keys/list"
	opKeyRevoke     = "/v1/account/api-keys/revoke"
	opKeyRotate     = "/v1/account/api-keys/rotate"
)

// settingsPage has the links to all settings.
func (v *visit) settingsPage(title string) *page {
	p := v.newPage(title)
	for _, e := range []entry{
		{"settings.company", "/ui/settings", tenant.ReadBooks},
		{"settings.series", "/ui/settings/series", tenant.ReadBooks},
		{"settings.rules", "/ui/settings/rules", tenant.ReadBooks},
		{"settings.accounts", "/ui/settings/accounts", tenant.ReadBooks},
		{"settings.keys", "/ui/settings/keys", tenant.ManageKeys},
		{"settings.members", "/ui/settings/members", tenant.ManageCompany},
	} {
		if v.can(e.permission) && e.path != v.r.URL.Path {
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
			{Title: "field.prefix", Field: "prefix", Kind: cellMono},
			{Title: "field.document", Field: "documentType", Words: "entity."},
			{Title: "field.year", Field: "year", Kind: cellNumber},
			{Title: "field.nextNumber", Field: "nextNumber", Kind: cellNumber},
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Minor: true},
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
	t, file := v.local("posting-rules", []column{
		{Title: "field.rule", Field: "key", Kind: cellMono, Sort: "key"},
		{Title: "field.description", Field: "description", Sort: "description"},
		{Title: "field.account", Field: "accountCode", Kind: cellMono, Sort: "accountCode"},
		{Title: "field.default", Field: "defaultCode", Kind: cellMono, Minor: true},
		{Title: "field.overridden", Field: "overridden", Words: "yesno.", Sort: "overridden", Minor: true},
	}, rows, nil)
	if file != nil {
		return file, nil
	}
	p.add(block{Table: t})
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

func (v *visit) apiKeyForm() *form {
	f := &form{
		Title: v.t("settings.newKey"), Action: "/ui/settings/keys", Submit: v.t("settings.createKey"), Lead: v.t("settings.keyLead"),
		Fields: []field{{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Max: 100}},
	}
	for _, scope := range tenant.Permissions() {
		f.Fields = append(f.Fields, field{Name: "scope." + string(scope), Label: string(scope), Kind: kindCheck, Local: true})
	}
	return f
}

// scopes are the boxes that were ticked.
func (f *form) scopes() []string {
	var out []string
	for _, x := range f.Fields {
		if scope, ok := strings.CutPrefix(x.Name, "scope."); ok && x.Checked {
			out = append(out, scope)
		}
	}
	return out
}

func showAPIKeys(v *visit) (answer, error) {
	p := v.settingsPage("settings.keys")
	f := v.apiKeyForm()
	if v.r.Method == http.MethodPost {
		secret, err := v.createSecret(f, opKeyCreate, "key", func(body map[string]any) {
			if scopes := f.scopes(); len(scopes) > 0 {
				body["scopes"] = scopes
			}
		})
		if err != nil {
			return nil, err
		}
		p.add(secret...)
	}
	out, err := v.query(opKeyList, nil)
	if err != nil {
		return nil, err
	}
	rows := out.list("rows")
	t, file := v.local("api-keys", []column{
		{Title: "field.name", Field: "name", Sort: "name"},
		{Title: "field.role", Field: "role", Words: "role."},
		{Title: "field.scopes", Minor: true, Text: func(_ *visit, r record) string { return strings.Join(r.texts("scopes"), ", ") }},
		{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt", Minor: true},
		{Title: "field.lastUsedAt", Field: "lastUsedAt", Kind: cellTime, Minor: true},
		{Title: "field.revokedAt", Field: "revokedAt", Kind: cellTime},
	}, rows, &empty{Text: v.t("settings.noKeys")})
	if file != nil {
		return file, nil
	}
	t.Columns = append(t.Columns, heading{Text: v.t("settings.rotate")}, heading{Text: v.t("settings.revoke")})
	for i, r := range v.sortRows(&table{Columns: make([]heading, len(t.Columns))}, []column{{Field: "name", Sort: "name"}, {Field: "createdAt", Sort: "createdAt"}}, rows) {
		c, rotate := cell{}, cell{}
		if !r.has("revokedAt") {
			c.Action = &action{Label: v.t("settings.revoke"), Form: v.keyed(v.idForm("/ui/settings/keys/revoke", "settings.revoke", r.text("id")))}
			rotate.Action = &action{Label: v.t("settings.rotate"), Form: v.keyed(v.rotateForm(r.text("id")))}
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, rotate, c)
	}
	p.add(block{Table: t}, block{Form: v.keyed(f)})
	return p, nil
}

// createSecret runs a form whose answer holds a secret that is shown once: this page is the only place it ever stands.
func (v *visit) createSecret(f *form, operation, member string, complete func(map[string]any)) ([]block, error) {
	var made record
	s := submission{steps: []step{{operation, func(record) map[string]any {
		body := f.body()
		complete(body)
		return body
	}}}, then: func(r record) string { made = r; return Prefix }}
	out, err := v.submit(f, s)
	if out == nil || err != nil {
		return nil, err
	}
	f.Key = "" // the form below is for another one
	f.set("name", "")
	return []block{
		{Notice: &notice{Kind: "good", Title: v.t("settings.secretOnce"), Text: v.t("settings.secretOnceText")}},
		{Code: &code{Label: made.text("name") + made.text("url"), Text: made.text(member)}},
	}, nil
}

// idForm is a button that does something to one object.
func (v *visit) idForm(action, label, id string, more ...field) *form {
	return &form{Action: action, Submit: v.t(label), Danger: true, Fields: append([]field{{Name: "id", Kind: kindHidden, Value: id}}, more...)}
}

func revokeAPIKey(v *visit) (answer, error) {
	f := v.idForm("/ui/settings/keys/revoke", "settings.revoke", "")
	show := func(v *visit) (answer, error) { v.r.Method = http.MethodGet; return showAPIKeys(v) }
	return v.runAction(f, once(opKeyRevoke, f, nil, func(record) string { return "/ui/settings/keys" }), show)
}

// rotateForm replaces a key while the old one works on for a day.
func (v *visit) rotateForm(id string) *form {
	return &form{
		Action: "/ui/settings/keys/rotate", Submit: v.t("settings.rotate"), Lead: v.t("settings.rotateLead"), Plain: true,
		Fields: []field{{Name: "id", Kind: kindHidden, Value: id}},
	}
}

func rotateAPIKey(v *visit) (answer, error) {
	f := v.rotateForm("")
	secret, err := v.createSecret(f, opKeyRotate, "key", func(map[string]any) {})
	if err != nil {
		return nil, err
	}
	v.r.Method = http.MethodGet
	out, err := showAPIKeys(v)
	if p, ok := out.(*page); ok {
		p.Blocks = append(secret, p.Blocks...)
		for _, text := range f.Errors {
			p.Blocks = append([]block{{Notice: &notice{Kind: "bad", Text: text}}}, p.Blocks...)
		}
		p.fromForm(f)
	}
	return out, err
}
