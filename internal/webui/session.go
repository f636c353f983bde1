package webui

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// sessionCookie holds the session's token, which the server can revoke.
const sessionCookie = "vienkart_session"

func sessionToken(r *http.Request) string {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// isSecure reports a browser that speaks TLS, to this server or to the proxy before it.
func isSecure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// keepSession signs the browser in until it is closed or the token expires.
func (v *visit) keepSession(token string) {
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure as the connection is: a machine of one has no TLS
		Name: sessionCookie, Value: token, Path: "/ui/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: isSecure(v.r),
	})
}

func (v *visit) dropSession() {
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure as the connection is: a machine of one has no TLS
		Name: sessionCookie, Path: "/ui/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: isSecure(v.r),
	})
}

// Operations of signing in.
const (
	opLinkRequest = "/v1/account/login-link/request"
	opLinkConsume = "/v1/account/login-link/consume"
	opPassword    = "/v1/account/password/login"
	opLogout      = "/v1/account/logout"
	opSelect      = "/v1/account/companies/select"
	opMe          = "/v1/account/me"
)

func (u *UI) sessionRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /ui/sign-in", u.open(func(v *visit) (answer, error) { return v.signInPage(v.signInForms()), nil }))
	mux.HandleFunc("POST /ui/sign-in/token", u.open(signInWithToken))
	mux.HandleFunc("POST /ui/sign-in/password", u.open(signInWithPassword))
	mux.HandleFunc("POST /ui/sign-in/link", u.open(requestLink))
	mux.HandleFunc("GET /ui/sign-in/link", u.open(confirmLink))
	mux.HandleFunc("POST /ui/sign-in/link/confirm", u.open(consumeLink))
	mux.HandleFunc("GET /ui/invite", u.open(showInvite))
	mux.HandleFunc("POST /ui/invite", u.open(acceptInvite))
	mux.HandleFunc("POST /ui/sign-out", u.page(signOut))
	mux.HandleFunc("POST /ui/company", u.page(switchCompany))
	mux.HandleFunc("POST /ui/language", u.setLanguage)
}

// signInFirst remembers where the browser wanted to go.
func (v *visit) signInFirst() {
	to := "/ui/sign-in"
	if v.r.Method == http.MethodGet && v.r.URL.Path != Prefix {
		to += "?" + url.Values{"next": {v.r.URL.RequestURI()}}.Encode()
	}
	if v.token != "" {
		v.dropSession()
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
}

type signInForms struct{ token, password, link *form }

func (v *visit) signInForms() signInForms {
	next := field{Name: "next", Kind: kindHidden, Value: v.r.FormValue("next")}
	f := signInForms{token: &form{
		Title: v.t("signin.withToken"), Action: "/ui/sign-in/token", Submit: v.t("signin.signIn"),
		Fields: []field{next, {
			Name: "token", Label: v.t("signin.token"), Kind: kindPassword, Required: true, Wide: true, Help: v.t("signin.tokenHelp"),
			Autocomplete: "off",
		}},
	}}
	if v.ui.serves(opPassword) {
		f.password = &form{
			Title: v.t("signin.withPassword"), Action: "/ui/sign-in/password", Submit: v.t("signin.signIn"),
			Fields: []field{
				next,
				{Name: "email", Label: v.t("field.email"), Kind: kindEmail, Required: true, Wide: true, Autocomplete: "username"},
				{Name: "password", Label: v.t("signin.password"), Kind: kindPassword, Required: true, Wide: true, Autocomplete: "current-password"},
			},
		}
	}
	if v.ui.serves(opLinkRequest) {
		f.link = &form{
			Title: v.t("signin.withLink"), Action: "/ui/sign-in/link", Submit: v.t("signin.sendLink"), Plain: f.password != nil,
			Fields: []field{
				{Name: "email", ID: "link-email", Label: v.t("field.email"), Kind: kindEmail, Required: true, Wide: true, Autocomplete: "username"},
			},
		}
	}
	f.token.Plain = f.password != nil || f.link != nil
	return f
}

func (v *visit) signInPage(f signInForms) *page {
	p := v.newPage("signin.title")
	p.Narrow = true
	for _, form := range []*form{f.password, f.link, f.token} {
		if form != nil {
			p.add(block{Form: form})
			p.fromForm(form)
		}
	}
	return p
}

// signedIn starts a session and goes where the browser wanted to.
func (v *visit) signedIn(token string) answer {
	v.keepSession(token)
	return redirect(localPath(v.r.PostFormValue("next")))
}

func signInWithToken(v *visit) (answer, error) {
	forms := v.signInForms()
	forms.token.read(v.r)
	v.token = strings.TrimSpace(forms.token.value("token"))
	if _, err := v.query(opMe, nil); err != nil {
		refused, ok := errors.AsType[*refusal](err)
		if !ok {
			return nil, err
		}
		forms.token.refuse(v, refused)
		forms.token.Fields[1].Value = "" // a token is not shown again
		forms.token.Fields[1].Errors = []string{v.t("signin.badToken")}
		return v.signInPage(forms), nil
	}
	return v.signedIn(v.token), nil
}

func signInWithPassword(v *visit) (answer, error) {
	forms := v.signInForms()
	if forms.password == nil {
		return nil, errNotServed
	}
	forms.password.read(v.r)
	out, err := v.query(opPassword, forms.password.body())
	if refused, ok := errors.AsType[*refusal](err); ok {
		forms.password.refuse(v, refused)
		forms.password.set("password", "")
		return v.signInPage(forms), nil
	}
	if err != nil {
		return nil, err
	}
	return v.signedIn(out.text("token")), nil
}

func requestLink(v *visit) (answer, error) {
	forms := v.signInForms()
	if forms.link == nil {
		return nil, errNotServed
	}
	forms.link.read(v.r)
	body := forms.link.body()
	if v.lang.Tag != "ja" { // the API writes its messages in other languages
		body["locale"] = v.lang.Tag
	}
	if _, err := v.query(opLinkRequest, body); err != nil {
		refused, ok := errors.AsType[*refusal](err)
		if !ok {
			return nil, err
		}
		forms.link.refuse(v, refused)
		return v.signInPage(forms), nil
	}
	p := v.newPage("signin.linkSent")
	p.Narrow = true
	p.add(block{Notice: &notice{Kind: "good", Text: v.t("signin.linkSentText", "Email", forms.link.value("email"))}})
	return p, nil
}

// confirmLink asks for a click: what reads mail ahead of a person follows links, and must not use one up.
func confirmLink(v *visit) (answer, error) {
	p := v.newPage("signin.title")
	p.Narrow = true
	p.add(block{Form: &form{
		Action: "/ui/sign-in/link/confirm", Submit: v.t("signin.continue"),
		Fields: []field{{Name: "token", Kind: kindHidden, Value: v.param("token")}},
	}})
	return p, nil
}

func consumeLink(v *visit) (answer, error) {
	out, err := v.query(opLinkConsume, map[string]any{"token": v.r.PostFormValue("token")})
	if refused, ok := errors.AsType[*refusal](err); ok {
		p := v.signInPage(v.signInForms())
		p.Status = refused.Status
		p.Blocks = append([]block{{Notice: v.refusalNotice(refused)}}, p.Blocks...)
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	return v.signedIn(out.text("token")), nil
}

// signOut revokes the session and forgets its pages, so that going back shows none of them.
func signOut(v *visit) (answer, error) {
	if v.ui.serves(opLogout) {
		if _, err := v.query(opLogout, nil); err != nil {
			if _, refused := errors.AsType[*refusal](err); !refused {
				return nil, err
			}
		}
	}
	v.dropSession()
	v.w.Header().Set("Clear-Site-Data", `"cache"`)
	return redirect("/ui/sign-in"), nil
}

func switchCompany(v *visit) (answer, error) {
	out, err := v.query(opSelect, map[string]any{"companyId": v.r.PostFormValue("companyId")})
	if err != nil {
		return nil, err
	}
	if token := out.text("token"); token != "" {
		v.keepSession(token)
	}
	return redirect(Prefix), nil
}
