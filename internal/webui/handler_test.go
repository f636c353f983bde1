package webui_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// pages are the addresses of every page without an id.
var pages = []string{
	"/ui/", "/ui/invoices", "/ui/invoices/new", "/ui/purchases", "/ui/purchases/new", "/ui/partners", "/ui/partners/new", "/ui/journal",
	"/ui/journal/new", "/ui/trial-balance", "/ui/open-items", "/ui/periods", "/ui/refusals", "/ui/keys", "/ui/keys?key=k", "/ui/audit",
	"/ui/vat", "/ui/vat?box=29", "/ui/assets", "/ui/assets/new", "/ui/assets/groups/new", "/ui/assets/depreciation", "/ui/bank",
	"/ui/bank/accounts/new", "/ui/bank/import", "/ui/settlements", "/ui/settlements/import", "/ui/settings", "/ui/settings/series",
	"/ui/settings/rules", "/ui/settings/accounts", "/ui/settings/keys", "/ui/settings/members", "/ui/account", "/ui/webhooks", "/ui/webhooks/deliveries",
	"/ui/sign-in", "/ui/sign-in/link?token=x", "/ui/nowhere",
}

// filled is a site with something of everything, and the addresses of all its pages.
func filled(t *testing.T) (*site, []string) {
	t.Helper()
	s := newSite(t)
	all := append([]string{}, pages...)
	invoice := s.issued(t)
	all = append(all, "/ui/invoices/"+invoice, "/ui/partners/"+s.customer, "/ui/partners/"+s.customer+"/edit")
	draft := s.draft(t)
	all = append(all, "/ui/invoices/"+draft, "/ui/invoices/"+draft+"/edit")
	journal := member(t, s.call(t, "/v1/sales/invoices/get", map[string]any{"id": invoice}), "journalTransactionId")
	all = append(all, "/ui/journal/"+journal)
	bill := map[string]any{
		"partnerId": s.customer, "documentNumber": "A-1", "documentDate": "2026-01-05",
		"lines": []any{map[string]any{"description": "Popierius", "unitPriceExclVat": "10"}},
	}
	_, purchase := s.try(t, "/v1/purchases/invoices/create", "key", bill)
	at := "/ui/purchases/" + member(t, purchase, "id")
	all = append(all, at, at+"/edit")
	s.try(t, "/v1/purchases/invoices/create", "other", bill)
	bill["notes"] = "other"
	s.try(t, "/v1/purchases/invoices/create", "key", bill)
	refusals, ok := s.call(t, "/v1/idempotency/rejections/list", map[string]any{})["rows"].([]any)
	require.True(t, ok)
	for _, r := range refusals {
		all = append(all, "/ui/refusals/"+member(t, r, "id"))
	}
	group := s.call(t, "/v1/assets/groups/create", map[string]any{
		"code": "IT", "name": "Kompiuteriai", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
	})["id"]
	asset := member(t, s.call(t, "/v1/assets/assets/create", map[string]any{
		"groupId": group, "code": "IT-1", "name": "Serveris", "acquisitionDate": "2026-01-10", "acquisitionCost": "3600",
	}), "id")
	s.call(t, "/v1/account/api-keys/create", map[string]any{"name": "shop"})
	s.call(t, "/v1/ledger/periods/lock", map[string]any{"year": 2026, "month": 1})
	return s, append(all, "/ui/assets/"+asset)
}

func TestPagesAreSafe(t *testing.T) {
	t.Parallel()
	s, all := filled(t)
	v := s.visit(t, s.token)
	for _, at := range all {
		p := v.get(t, at)
		if p.location != "" {
			p = v.get(t, p.location)
		}
		require.Less(t, p.status, http.StatusInternalServerError, "%s: %s", at, p.words())
		csp := p.header.Get("Content-Security-Policy")
		require.Contains(t, csp, "default-src 'none'; script-src 'self'; style-src 'self';", at)
		require.NotContains(t, csp, "unsafe", at)
		require.Equal(t, "nosniff", p.header.Get("X-Content-Type-Options"), at)
		require.NotContains(t, p.header.Get("Cache-Control"), "no-store", "%s: going back must find the form with its key", at)
		for n := range p.root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			require.NotEqual(t, "style", n.Data, at)
			if n.Data == "script" {
				require.NotEmpty(t, attribute(n, "src"), at)
				require.Empty(t, textOf(n), at)
			}
			for _, a := range n.Attr {
				require.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style", "%s: %s=%q", at, a.Key, a.Val)
				require.False(t, strings.HasPrefix(strings.ToLower(a.Val), "javascript:"), at)
			}
		}
		require.NotContains(t, p.text, "<b>Ko</b>", "%s does not escape a name", at)
		require.NotContains(t, p.words(), "<no value>", at)
		require.NotContains(t, p.text, "ZgotmplZ", at)
	}
}

func TestFormsCarryAKey(t *testing.T) {
	t.Parallel()
	s, all := filled(t)
	v := s.visit(t, s.token)
	keyless := map[string]bool{"/ui/language": true, "/ui/sign-out": true, "/ui/company": true}
	for _, at := range all {
		if strings.HasPrefix(at, "/ui/sign-in") {
			continue
		}
		p := v.get(t, at)
		if p.location != "" {
			p = v.get(t, p.location)
		}
		seen := map[string]bool{}
		for _, f := range p.all("form") {
			if attribute(f, "method") != "post" || keyless[attribute(f, "action")] {
				continue
			}
			key := ""
			for _, x := range elements(f, "input") {
				if attribute(x, "name") == "_key" {
					key = attribute(x, "value")
				}
			}
			require.Len(t, key, 36, "%s: form %s has no key", at, attribute(f, "action"))
			require.False(t, seen[key], "%s: two forms share a key", at)
			seen[key] = true
		}
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.call(t, "/v1/partners/create", map[string]any{"name": `=HYPERLINK("http://evil.example")`, "code": "+1", "email": "a@example.com"})
	s.issued(t)
	v := s.visit(t, s.token)
	t.Run("FormulasAreText", func(t *testing.T) {
		t.Parallel()
		p := v.get(t, "/ui/partners?format=csv")
		require.Equal(t, "text/csv; charset=utf-8", p.header.Get("Content-Type"))
		require.Contains(t, p.header.Get("Content-Disposition"), "attachment; filename=\"partners-")
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(p.text, "\ufeff"))).ReadAll()
		require.NoError(t, err)
		require.Equal(t, `'=HYPERLINK("http://evil.example")`, rows[1][0])
		require.Equal(t, "'+1", rows[1][1])
	})
	t.Run("AmountsStayNumbers", func(t *testing.T) {
		t.Parallel()
		p := v.get(t, "/ui/trial-balance?format=csv")
		require.Contains(t, p.text, "2410")
		require.Contains(t, p.text, ",-100.00\n")
		require.NotContains(t, p.text, "'-")
	})
	t.Run("EveryTableHasOne", func(t *testing.T) {
		t.Parallel()
		for _, at := range []string{"/ui/invoices", "/ui/partners", "/ui/journal", "/ui/trial-balance", "/ui/open-items", "/ui/periods", "/ui/audit", "/ui/settings/rules", "/ui/settings/accounts", "/ui/settings/series"} {
			found := ""
			for _, a := range v.open(t, at).all("a") {
				if strings.Contains(attribute(a, "class"), "csv") {
					found = attribute(a, "href")
				}
			}
			require.NotEmpty(t, found, at)
			require.Contains(t, v.get(t, found).header.Get("Content-Type"), "text/csv", at)
		}
	})
}

func TestSorting(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.call(t, "/v1/partners/create", map[string]any{"name": "AAA"})
	v := s.visit(t, s.token)
	up, down := v.open(t, "/ui/partners?sort=name").words(), v.open(t, "/ui/partners?sort=-name").words()
	require.Less(t, strings.Index(up, "AAA"), strings.Index(up, "UAB Pirkėjas"))
	require.Greater(t, strings.Index(down, "AAA"), strings.Index(down, "UAB Pirkėjas"))
	require.Equal(t, http.StatusOK, v.get(t, "/ui/partners?sort=evil;drop").status)
	for _, th := range v.open(t, "/ui/partners?sort=-name").all("th") {
		if strings.HasPrefix(textOf(th), "Name") {
			require.Equal(t, "descending", attribute(th, "aria-sort"))
		}
	}
}

func TestRootLeadsToThePages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, "")
	for from, to := range map[string]string{
		"/": "/ui/", "/login?token=a%26b": "/ui/sign-in/link?token=a%26b", "/invite?token=x": "/ui/invite?token=x",
	} {
		require.Equal(t, to, v.get(t, from).location)
	}
	require.Equal(t, http.StatusOK, v.get(t, "/healthz").status, "the API stays where it was")
	require.Equal(t, http.StatusNotFound, v.get(t, "/ui/static/").status)
	require.Equal(t, http.StatusOK, v.get(t, "/ui/static/app.css").status)
}
