package webui

import (
	"errors"
	"net/http"
	"net/url"
)

// Operations of an invited person.
const (
	opInviteGet    = "/v1/account/invites/get"
	opInviteAccept = "/v1/account/invites/accept"
)

// letterPages are the addresses in letters, at the root of the server; the pages are under /ui/.
var letterPages = map[string]string{"/login": "/ui/sign-in/link", "/invite": "/ui/invite"}

func toLetterPage(page string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Referrer-Policy", "no-referrer")
		http.Redirect(w, r, page+"?"+url.Values{"token": {r.URL.Query().Get("token")}}.Encode(), http.StatusFound)
	}
}

func (v *visit) inviteForm(token string) *form {
	return &form{
		Action: "/ui/invite", Submit: v.t("invite.accept"),
		Fields: []field{
			{Name: "token", Kind: kindHidden, Value: token},
			{Name: "name", Label: v.t("invite.name"), Kind: kindText, Wide: true, Max: 255, Autocomplete: "name"},
		},
	}
}

func showInvite(v *visit) (answer, error) {
	token := v.r.FormValue("token")
	out, err := v.query(opInviteGet, map[string]any{"token": token})
	if err != nil {
		return nil, err
	}
	p := v.newPage("invite.title", "Company", out.text("companyName"))
	p.Narrow = true
	p.Lead = v.t("invite.lead", "Email", out.text("email"), "Role", v.lang.known("role.", out.text("role")))
	if out.isTrue("expired") {
		p.add(block{Notice: &notice{Kind: "bad", Text: v.t("invite.expired")}})
		return p, nil
	}
	f := v.inviteForm(token)
	if v.shown != nil {
		f = v.shown
	}
	p.add(block{Form: f})
	return p, nil
}

func acceptInvite(v *visit) (answer, error) {
	f := v.inviteForm("")
	f.read(v.r)
	out, err := v.query(opInviteAccept, f.body())
	if refused, ok := errors.AsType[*refusal](err); ok {
		f.refuse(v, refused)
		v.shown = f
		return showInvite(v)
	}
	if err != nil {
		return nil, err
	}
	return v.signedIn(out.text("token")), nil
}
