package webui_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
	"github.com/vienkart/vienkart/internal/webui"
)

// site is a server with pages and a company with a chart of accounts, a customer and a supplier.
type site struct {
	*httptest.Server
	engine   *testkit.Engine
	company  *testkit.Company
	token    string
	customer string
}

func newSite(t *testing.T, options ...func(*account.DeskOptions)) *site {
	t.Helper()
	return newSiteWith(t, mail.NewLog(), options...)
}

// newSiteWith is a site whose letters go by a mailer; nil sends none.
func newSiteWith(t *testing.T, letters *mail.Mailer, options ...func(*account.DeskOptions)) *site {
	t.Helper()
	desk := account.DeskOptions{PublicURL: "http://localhost"}
	for _, option := range options {
		option(&desk)
	}
	e := testkit.SQLite(t)
	tokens := process.Tokens(t)
	vault, err := delivery.NewVault("a key of tests that is long enough for it")
	require.NoError(t, err)
	api, err := httpapi.New(httpapi.Dependencies{
		Store: e.Store, Tokens: tokens, Runner: idempotency.NewRunner(e.Store, time.Hour), Version: "test",
		Desk:  account.NewDesk(tokens, desk),
		Depot: files.NewDepot(t.TempDir()), Letters: letter.NewOffice(letters),
		Webhooks: delivery.Policy{Vault: vault},
	})
	require.NoError(t, err)
	pages, err := webui.New(api, clock.System{})
	require.NoError(t, err)
	s := &site{Server: httptest.NewServer(webui.Mount(pages, api)), engine: e, company: e.Company(t)}
	t.Cleanup(s.Close)
	s.token = s.tokenOf(t, tenant.RoleAdmin, "admin")
	s.call(t, "/v1/ledger/accounts/apply-template", map[string]any{})
	s.customer = member(t, s.call(t, "/v1/partners/create", map[string]any{
		"name": "UAB Pirkėjas & <b>Ko</b>", "code": "900000023", "isSupplier": true, "address": map[string]any{"countryCode": "LT"},
	}), "id")
	return s
}

func (s *site) tokenOf(t *testing.T, role tenant.Role, subject string) string {
	t.Helper()
	return process.Token(t, tenant.Grant{Company: s.company.Scope.Company().ID, Role: role, Subject: subject})
}

// call asks the API as the admin; it must succeed.
func (s *site) call(t *testing.T, path string, body any) map[string]any {
	t.Helper()
	status, answer := s.try(t, path, "", body)
	require.Equal(t, http.StatusOK, status, "%s: %v", path, answer)
	return answer
}

// member is a text of an answer.
func member(t *testing.T, answer any, name string) string {
	t.Helper()
	object, ok := answer.(map[string]any)
	require.True(t, ok, "%v", answer)
	text, ok := object[name].(string)
	require.True(t, ok, "%s in %v", name, answer)
	return text
}

func (s *site) try(t *testing.T, path, key string, body any) (int, map[string]any) {
	t.Helper()
	b, err := json.Marshal(body)
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, bytes.NewReader(b))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w, err := s.Client().Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Body.Close()) }()
	var answer map[string]any
	require.NoError(t, json.UnmarshalRead(w.Body, &answer))
	return w.StatusCode, answer
}

// total is how many rows a list has.
func (s *site) total(t *testing.T, path string, filters ...map[string]any) int {
	t.Helper()
	body := map[string]any{}
	if len(filters) > 0 {
		body["filter"] = filters
	}
	return count(t, s.call(t, path, body)["total"])
}

// draft is a sales document of 121.00; pairs of names and values add to it.
func (s *site) draft(t *testing.T, pairs ...string) string {
	t.Helper()
	body := map[string]any{
		"partnerId": s.customer, "lines": []any{map[string]any{"description": "Darbas", "quantity": "2", "unitPriceExclVat": "50"}},
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		body[pairs[i]] = pairs[i+1]
	}
	return member(t, s.call(t, "/v1/sales/invoices/create", body), "id")
}

func (s *site) issued(t *testing.T, pairs ...string) string {
	t.Helper()
	return member(t, s.call(t, "/v1/sales/invoices/issue", map[string]any{"id": s.draft(t, pairs...)}), "id")
}

// ordered is an order of a shop that comes to 24.20.
func (s *site) ordered(t *testing.T, reference string) string {
	t.Helper()
	return member(t, s.call(t, "/v1/ecommerce/orders/create", map[string]any{
		"channel": "shop", "externalRef": reference, "partnerId": s.customer,
		"lines": []any{map[string]any{"description": "Knyga", "quantity": "2", "unitPriceExclVat": "10.00"}},
	}), "id")
}

// month is the present one of the company.
func (s *site) month(t *testing.T) string {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Vilnius")
	require.NoError(t, err)
	return s.engine.Store.Clock().Now().In(zone).Format("2006-01")
}

// taxpayer gives the company the codes that i.SAF needs.
func (s *site) taxpayer(t *testing.T) {
	t.Helper()
	s.call(t, "/v1/account/companies/update", map[string]any{"code": "900000105", "vatCode": "LT999000060116"})
}

// kept is an i.SAF file of the present month, sent.
func (s *site) kept(t *testing.T) string {
	t.Helper()
	month, err := time.Parse("2006-01", s.month(t))
	require.NoError(t, err)
	id := member(t, s.call(t, "/v1/declarations/submissions/create", map[string]any{
		"obligation": "lt-isaf", "year": month.Year(), "month": int(month.Month()),
	}), "id")
	s.call(t, "/v1/declarations/submissions/mark", map[string]any{"id": id, "status": "submitted"})
	return id
}

// works makes the files that wait.
func (s *site) works(t *testing.T) {
	t.Helper()
	worked, err := (&export.Worker{System: s.engine.System, Reports: httpapi.ReportExports("test")}).RunOnce(t.Context())
	require.NoError(t, err)
	require.True(t, worked, "there was no file to make")
}

// visitor is a browser without JavaScript.
type visitor struct {
	*http.Client
	site *site
}

// visit signs a visitor in; an empty token stays outside.
func (s *site) visit(t *testing.T, token string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	v := &visitor{&http.Client{Jar: jar, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}, s}
	if token != "" {
		answer := v.post(t, "/ui/sign-in/token", url.Values{"token": {token}})
		require.Equal(t, http.StatusSeeOther, answer.status, answer.text)
	}
	return v
}

// page is an answer as a program sees it.
type page struct {
	status   int
	header   http.Header
	location string
	text     string
	root     *html.Node
}

func (v *visitor) get(t *testing.T, path string) page {
	t.Helper()
	return v.do(t, http.MethodGet, path, nil)
}

// open follows redirects of GET, as those that give a form its key.
func (v *visitor) open(t *testing.T, path string) page {
	t.Helper()
	p := v.get(t, path)
	for range 3 {
		if p.location == "" {
			break
		}
		p = v.get(t, p.location)
	}
	require.Equal(t, http.StatusOK, p.status, "%s: %s", path, p.text)
	return p
}

func (v *visitor) post(t *testing.T, path string, form url.Values) page {
	t.Helper()
	return v.do(t, http.MethodPost, path, form)
}

func (v *visitor) do(t *testing.T, method, path string, form url.Values, headers ...string) page {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.site.URL+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w, err := v.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Body.Close()) }()
	body, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	root, err := html.Parse(bytes.NewReader(body))
	require.NoError(t, err)
	return page{w.StatusCode, w.Header, w.Header.Get("Location"), string(body), root}
}

// form is what the browser would send of the form with an action, changed by pairs of names and values.
func (p page) form(t *testing.T, action string, pairs ...string) url.Values {
	t.Helper()
	out := url.Values{}
	found := false
	for _, f := range p.all("form") {
		if attribute(f, "action") != action || attribute(f, "method") != "post" || found {
			continue
		}
		found = true
		for _, x := range elements(f, "input", "textarea", "select") {
			name := attribute(x, "name")
			switch {
			case name == "":
			case x.Data == "select":
				out.Set(name, chosen(x))
			case x.Data == "textarea":
				out.Set(name, strings.TrimPrefix(textOf(x), "\n"))
			case attribute(x, "type") == "checkbox" && !has(x, "checked"):
			default:
				out.Set(name, attribute(x, "value"))
			}
		}
	}
	require.True(t, found, "no form %s in\n%s", action, p.text)
	for i := 0; i+1 < len(pairs); i += 2 {
		out.Set(pairs[i], pairs[i+1])
	}
	return out
}

func chosen(x *html.Node) string {
	value := ""
	for i, o := range elements(x, "option") {
		if i == 0 || has(o, "selected") {
			value = attribute(o, "value")
		}
	}
	return value
}

func (p page) all(names ...string) []*html.Node { return elements(p.root, names...) }

func elements(root *html.Node, names ...string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		for _, name := range names {
			if n.Type == html.ElementNode && n.Data == name {
				out = append(out, n)
			}
		}
	}
	return out
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// words is the visible text of a page.
func (p page) words() string {
	var words []string
	for d := range p.root.Descendants() {
		if d.Type == html.TextNode {
			words = append(words, strings.Fields(d.Data)...)
		}
	}
	return strings.Join(words, " ")
}

func path(t *testing.T, location string) string {
	t.Helper()
	u, err := url.Parse(location)
	require.NoError(t, err)
	return u.Path
}
