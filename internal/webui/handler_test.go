package webui_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

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
