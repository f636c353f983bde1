package webui

import (
	"net/http"
	"strings"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of API keys.
const (
	opKeyCreate = "/v1/account/api-keys/create"
	opKeyList   = "/v1/account/api-keys/list"
	opKeyRevoke = "/v1/account/api-keys/revoke"
	opKeyRotate = "/v1/account/api-keys/rotate"
)

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
	p.add(block{Table: v.keyTable(out.list("rows"))}, block{Form: v.keyed(f)})
	return p, nil
}

func (v *visit) keyTable(rows []record) *table {
	unlessRevoked := func(a *action, r record) *action {
		if r.has("revokedAt") {
			return nil
		}
		return a
	}
	return v.sheet(sheet{File: "api-keys", Caption: v.t("settings.keys"), Rows: rows, None: &empty{Text: v.t("settings.noKeys")}, Columns: []column{
		{Title: "field.name", Field: "name", Sort: "name"},
		{Title: "field.role", Field: "role", Words: "role."},
		{Title: "field.scopes", Minor: true, Text: func(_ *visit, r record) string { return strings.Join(r.texts("scopes"), ", ") }},
		{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt", Minor: true},
		{Title: "field.lastUsedAt", Field: "lastUsedAt", Kind: cellTime, Minor: true},
		{Title: "field.revokedAt", Field: "revokedAt", Kind: cellTime},
	}, Actions: []rowAction{
		{"settings.rotate", func(r record) *action {
			return unlessRevoked(&action{Label: v.t("settings.rotate"), Form: v.keyed(v.rotateForm(r.text("id")))}, r)
		}},
		{"settings.revoke", func(r record) *action {
			f := v.idForm("/ui/settings/keys/revoke", "settings.revoke", r.text("id"))
			return unlessRevoked(&action{Label: v.t("settings.revoke"), Form: v.keyed(f)}, r)
		}},
	}})
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
