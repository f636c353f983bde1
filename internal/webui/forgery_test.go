package webui_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
)

// posted finds the addresses that take a form, where the routes are declared.
func posted(t *testing.T) []string {
	t.Helper()
	declaration := regexp.MustCompile(`(?:\b(?:post|both)\("|"POST )(/ui/[^"]*)"`)
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var found []string
	for _, name := range sources {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, match := range declaration.FindAllStringSubmatch(string(text), -1) {
			found = append(found, match[1])
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	require.Greater(t, len(found), 40)
	return found
}

// TestFormsOfOtherSites posts to every address from another site, in every way a browser says where it comes from: refused, and nothing
// happens, whether or not somebody is signed in.
func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	signedIn, nobody := s.visit(t, s.token), s.visit(t, "")
	draft := s.draft(t)
	before := s.company.RowCounts(t)
	tried := 0
	for _, at := range posted(t) {
		at = strings.ReplaceAll(at, "{id}", draft)
		for _, origin := range [][]string{
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
			{"Origin", "https://evil.example"},
			{"Origin", "null"},
			{"Origin", "http://127.0.0.1"},
			{"Origin", s.URL + ".evil.example"},
			{"Sec-Fetch-Site", "cross-site", "Origin", s.URL},
		} {
			for _, v := range []*visitor{signedIn, nobody} {
				p := v.do(t, http.MethodPost, at, url.Values{"token": {s.token}, "language": {"lt"}, "back": {"/ui/"}}, origin...)
				require.Equal(t, http.StatusForbidden, p.status, "%s from %v", at, origin)
				require.Empty(t, p.header.Values("Set-Cookie"), "%s from %v", at, origin)
				tried++
			}
		}
	}
	require.Equal(t, before, s.company.RowCounts(t))
	require.Equal(t, http.StatusOK, signedIn.open(t, "/ui/invoices/"+draft).status, "who was signed in still is")
	t.Logf("forms posted from another site: %d", tried)
}

// TestPagesOnlyRead opens every page: what a link does, which any site can have a browser follow, changes nothing.
func TestPagesOnlyRead(t *testing.T) {
	t.Parallel()
	s, all := filled(t)
	v := s.visit(t, s.token)
	before := s.company.RowCounts(t)
	for _, at := range all {
		v.get(t, at)
		v.do(t, http.MethodHead, at, nil)
	}
	for _, at := range posted(t) {
		if !slices.Contains(all, at) {
			p := v.get(t, strings.ReplaceAll(at, "{id}", s.customer)+"?id="+s.customer+"&token=x&confirm=1")
			require.NotEqual(t, http.StatusInternalServerError, p.status, at)
		}
	}
	require.Equal(t, before, s.company.RowCounts(t))
	require.Equal(t, http.StatusOK, v.open(t, "/ui/").status, "nobody was signed out")
}

// TestSessionsAreNotFixed: whatever cookie a browser was given before, signing in gives it another, and the old one opens nothing new.
func TestSessionsAreNotFixed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, "")
	at, err := url.Parse(s.URL + "/ui/")
	require.NoError(t, err)
	planted := s.tokenOf(t, tenant.RoleViewer, "attacker")
	v.Jar.SetCookies(at, []*http.Cookie{{Name: "vienkart_session", Value: planted, Path: "/ui/"}})
	require.Equal(t, http.StatusSeeOther, v.post(t, "/ui/sign-in/token", url.Values{"token": {s.token}, "next": {"https://evil.example"}}).status)
	var held []string
	for _, c := range v.Jar.Cookies(at) {
		if c.Name == "vienkart_session" {
			held = append(held, c.Value)
		}
	}
	require.Equal(t, []string{s.token}, held, "the cookie that was planted is gone")
	refused := v.post(t, "/ui/sign-in/token", url.Values{"token": {"not.a.token"}})
	require.Equal(t, http.StatusUnauthorized, refused.status)
	require.Empty(t, refused.header.Values("Set-Cookie"), "who fails to sign in stays who they are")
	for _, address := range []string{"/ui/?vienkart_session=" + s.token, "/ui/?token=" + s.token, "/ui/;vienkart_session=" + s.token} {
		require.Equal(t, http.StatusSeeOther, s.visit(t, "").get(t, address).status, "no session by an address: %s", address)
	}
}
