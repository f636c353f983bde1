package webui

import (
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/web"
)

// FuzzLocalPath: wherever a form says to go, the browser stays on this server and in its pages.
func FuzzLocalPath(f *testing.F) {
	for _, seed := range []string{
		"/ui/invoices?status=draft", "//evil.example/ui/", "/ui/../..//evil.example", "/ui/\\evil.example", "/ui/\t/evil", "/ui/%2e%2e//evil.example",
		"https://evil.example/ui/", "javascript:alert(1)", "/ui/?a=\x00", "/ui/#", "/UI/", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, next string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "https://books.example/ui/sign-in/token", http.NoBody)
		http.Redirect(w, r, localPath(next), http.StatusSeeOther)
		to, err := r.URL.Parse(w.Header().Get("Location"))
		if err != nil {
			return // a browser goes nowhere
		}
		require.Equal(t, "https", to.Scheme, "%q", next)
		require.Equal(t, "books.example", to.Host, "%q", next)
		require.True(t, strings.HasPrefix(path.Clean(to.Path)+"/", "/ui/"), "%q leads to %q", next, to.Path)
	})
}

// FuzzAcceptLanguage: any header and cookie gives one of the languages.
func FuzzAcceptLanguage(f *testing.F) {
	for _, seed := range [][2]string{
		{"lt,en;q=0.5", ""}, {"ja-JP;q=1e9", "lt"}, {"*", "xx"}, {strings.Repeat("a-", 500), ""}, {"en;q=NaN", "\x00"}, {strings.Repeat("en,", 1000), ""},
	} {
		f.Add(seed[0], seed[1])
	}
	all, err := loadLanguages(web.Files)
	require.NoError(f, err)
	u := &UI{languages: all}
	f.Fuzz(func(t *testing.T, header, cookie string) {
		r := httptest.NewRequest(http.MethodGet, "/ui/", http.NoBody)
		r.Header["Accept-Language"] = []string{header}
		r.Header["Cookie"] = []string{languageCookie + "=" + cookie}
		picked := u.pickLanguage(r)
		require.Contains(t, all, picked)
		for _, l := range all {
			if cookie == l.Tag {
				require.Equal(t, l, picked, "the cookie goes before the browser")
			}
		}
	})
}

// FuzzDecimalOfPeople: what people type is brought near the plain form, and the plain form stays.
func FuzzDecimalOfPeople(f *testing.F) {
	for _, seed := range []string{"1 234,56", "1,234.56", "\u22125", "1,234,567", "1.2.3", "e", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := plainDecimal(s)
		require.LessOrEqual(t, len(once), len(s))
		require.Equal(t, once, plainDecimal(once))
	})
}

// FuzzFileName: the name of a download is one word of its header.
func FuzzFileName(f *testing.F) {
	for _, seed := range []string{"a\"; filename=\"evil.exe", "a\r\nX: y", "Ąžuolas.csv", "../a", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) { require.Regexp(t, `^[A-Za-z0-9._-]*$`, safeFileName(name)) })
}
