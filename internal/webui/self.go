package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of a user's own account.
const (
	opSessions      = "/v1/account/sessions/list"
	opSessionRevoke = "/v1/account/sessions/revoke"
	opSetPassword   = "/v1/account/password/set"
	opLocale        = "/v1/account/locale/set"
)

func (v *visit) passwordForm() *form {
	return &form{
		Title: v.t("self.setPassword"), Action: "/ui/account", Submit: v.t("action.save"), Lead: v.t("self.passwordLead"),
		Fields: []field{
			{Name: "currentPassword", Label: v.t("self.current"), Kind: kindPassword, Autocomplete: "current-password", Help: v.t("self.currentHelp")},
			{Name: "password", Label: v.t("self.password"), Kind: kindPassword, Required: true, Autocomplete: "new-password", Help: v.t("self.passwordHelp")},
		},
	}
}

// showSelf lists the own sessions and sets the own password.
func showSelf(v *visit) (answer, error) {
	p := v.newPage("self.title")
	p.add(block{Facts: []fact{
		{Label: v.t("field.email"), Value: v.me.text("user.email")},
		{Label: v.t("field.role"), Value: v.lang.known("role.", v.me.text("role"))},
	}})
	f := v.passwordForm()
	if v.r.Method == http.MethodPost && v.shown == nil {
		out, err := v.submit(f, once(opSetPassword, f, nil, func(record) string { return "/ui/account" }))
		if out != nil || err != nil {
			return out, err
		}
		f.set("password", "") // a password is not shown again
		f.set("currentPassword", "")
	}
	if v.offers(opSessions, tenant.OwnAccount) {
		out, err := v.query(opSessions, nil)
		if err != nil {
			return nil, err
		}
		p.add(block{Heading: v.t("self.sessions"), Table: v.sessionTable(out.list("rows"))})
	}
	if v.ui.serves(opSetPassword) {
		p.add(block{Form: v.keyed(f)})
	}
	return p, nil
}

func (v *visit) sessionTable(rows []record) *table {
	return v.sheet(sheet{File: "sessions", Caption: v.t("self.sessions"), Rows: rows, None: &empty{Text: v.t("self.noSessions")}, Columns: []column{
		{Title: "field.address", Field: "address", Kind: cellMono},
		{Title: "self.began", Field: "createdAt", Kind: cellTime},
		{Title: "field.lastUsedAt", Field: "lastSeenAt", Kind: cellTime, Minor: true},
		{Title: "field.expiresAt", Field: "expiresAt", Kind: cellTime, Minor: true},
		{Title: "self.this", Words: "yesno.", Text: func(_ *visit, r record) string { return r.text("isCurrent") }},
	}, Actions: []rowAction{{"field.action", func(r record) *action {
		return &action{Form: v.keyed(v.idForm("/ui/account/sessions/revoke", "self.end", r.text("id")))}
	}}}})
}

func revokeSession(v *visit) (answer, error) {
	f := v.idForm("/ui/account/sessions/revoke", "self.end", "")
	return v.runAction(f, once(opSessionRevoke, f, nil, func(record) string { return "/ui/account" }), showSelf)
}

// keepLocale tells the API in which language to write to the user; it knows fewer than the pages.
func (u *UI) keepLocale(w http.ResponseWriter, r *http.Request, tag string) {
	token := sessionToken(r)
	if token == "" || tag == "ja" || !u.serves(opLocale) {
		return
	}
	v := u.newVisit(w, r)
	v.token = token
	_, _ = v.query(opLocale, map[string]any{"locale": tag}) // the page's language is kept by the cookie all the same
}
