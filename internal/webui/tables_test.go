package webui_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// TestEveryTableIsSortedAndDownloaded walks all pages: whatever shows a table offers to sort it and to have it as a file, and
// both do what they say.
func TestEveryTableIsSortedAndDownloaded(t *testing.T) {
	t.Parallel()
	s, all := filled(t)
	v := s.visit(t, s.token)
	tables := 0
	for _, at := range all {
		p := v.get(t, at)
		if p.location != "" {
			p = v.get(t, p.location)
		}
		seen := map[string]bool{}
		for _, x := range p.all("table") {
			if within(x, "fieldset") {
				continue // the lines of a form
			}
			tables++
			caption := textOf(elements(x, "caption")[0])
			file := downloadOf(x)
			require.NotEmpty(t, file, "%s: the table %q has no file", at, caption)
			require.False(t, seen[file], "%s: two tables have the file %s", at, file)
			seen[file] = true
			v.checkFile(t, at, caption, file, x)
			v.checkSort(t, at, caption, x)
		}
	}
	require.Greater(t, tables, 50, "the pages are not filled")
}

func within(n *html.Node, name string) bool {
	for ; n != nil; n = n.Parent {
		if n.Data == name {
			return true
		}
	}
	return false
}

// downloadOf is the link to the file of a table, which stands below it.
func downloadOf(table *html.Node) string {
	for below := table.Parent.NextSibling; below != nil; below = below.NextSibling {
		if below.Type != html.ElementNode {
			continue
		}
		if attribute(below, "class") != "undertable" {
			return ""
		}
		for _, a := range elements(below, "a") {
			if attribute(a, "class") == "csv" {
				return attribute(a, "href")
			}
		}
	}
	return ""
}

// checkFile compares a file with the table it is of: as many rows, at least.
func (v *visitor) checkFile(t *testing.T, at, caption, file string, table *html.Node) {
	t.Helper()
	p := v.get(t, file)
	require.Equal(t, "text/csv; charset=utf-8", p.header.Get("Content-Type"), "%s: %s", at, caption)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(p.text, "\ufeff"))).ReadAll()
	require.NoError(t, err, "%s: %s", at, caption)
	require.GreaterOrEqual(t, len(rows), 1+len(elements(elements(table, "tbody")[0], "tr")), "%s: %s", at, caption)
	heading := strings.TrimRight(textOf(elements(table, "th")[0]), "▲▼")
	require.Equal(t, heading, rows[0][0], "%s: %s is another table", at, caption)
}

// checkSort follows each link of a heading, and finds the heading marked.
func (v *visitor) checkSort(t *testing.T, at, caption string, table *html.Node) {
	t.Helper()
	links := 0
	for _, th := range elements(elements(table, "thead")[0], "th") {
		for _, a := range elements(th, "a") {
			links++
			to := attribute(a, "href")
			p := v.get(t, to)
			require.Equal(t, http.StatusOK, p.status, "%s: %s", at, to)
			marked := ""
			for _, x := range p.all("table") {
				for _, h := range elements(x, "th") {
					if attribute(h, "aria-sort") != "" && textOf(elements(x, "caption")[0]) == caption {
						marked += strings.TrimRight(textOf(h), "▲▼")
					}
				}
			}
			require.Equal(t, strings.TrimRight(textOf(a), "▲▼"), marked, "%s: %s does not sort %s", at, to, caption)
		}
	}
	require.NotZero(t, links, "%s: the table %q cannot be sorted", at, caption)
}

// TestTablesOfAPageAreApart sorts one table of a page and leaves the others as they are.
func TestTablesOfAPageAreApart(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.issued(t)
	v := s.visit(t, s.token)
	p := v.open(t, "/ui/reports/financial-statements?table=balance-sheet&sort=-amount")
	for _, x := range p.all("table") {
		sorted := false
		for _, th := range elements(x, "th") {
			sorted = sorted || attribute(th, "aria-sort") != ""
		}
		require.Equal(t, textOf(elements(x, "caption")[0]) == "Balance sheet", sorted)
	}
	file := v.get(t, "/ui/reports/financial-statements?table=balance-sheet&sort=-amount&format=csv")
	require.Equal(t, 8, strings.Count(file.text, "\n"))
	amounts := strings.Split(strings.TrimSpace(file.text), "\n")
	require.Contains(t, amounts[1], ",121.00", "the largest first: %s", file.text)
	require.Contains(t, amounts[len(amounts)-1], ",0.00")
}

// TestRefusedPagesLinkToPages follows the links of pages that a refused form shows again: their address takes no GET.
func TestRefusedPagesLinkToPages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.taxpayer(t)
	draft, order := s.draft(t), s.ordered(t, "W-1")
	submission := s.kept(t)
	s.call(t, "/v1/ecommerce/orders/cancel", map[string]any{"id": order})
	month := s.month(t)
	v := s.visit(t, s.token)
	for _, at := range []string{
		"/ui/periods/unlock", "/ui/invoices/" + draft + "/cancel", "/ui/orders/" + order + "/cancel", "/ui/settings/rates/delete",
		"/ui/vat/submissions/" + submission + "/mark", "/ui/vat/submissions", "/ui/settings/keys/revoke", "/ui/settings/members/remove",
		"/ui/account/sessions/revoke", "/ui/assets/depreciation/post", "/ui/webhooks/deliveries/redeliver",
	} {
		p := v.post(t, at, url.Values{"month": {month}}) // without a key, so that each is refused
		require.GreaterOrEqual(t, p.status, http.StatusBadRequest, at)
		require.Less(t, p.status, http.StatusInternalServerError, "%s: %s", at, p.words())
		for _, a := range p.all("a") {
			to := attribute(a, "href")
			if !strings.HasPrefix(to, "/ui/") || strings.HasPrefix(to, "/ui/files/") {
				continue
			}
			require.NotEqual(t, http.StatusNotFound, v.get(t, to).status, "%s links to %s", at, to)
		}
	}
}
