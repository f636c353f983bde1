package webui_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/web"
)

func translations(t *testing.T, language string) map[string]any {
	t.Helper()
	b, err := fs.ReadFile(web.Files, "translations/"+language+".json")
	require.NoError(t, err)
	var texts map[string]any
	require.NoError(t, json.Unmarshal(b, &texts))
	return texts
}

var place = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

func places(text string) []string {
	found := place.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

func TestTranslations(t *testing.T) {
	t.Parallel()
	english := translations(t, "en")
	plurals := map[string][]string{"lt": {"few", "many", "one", "other"}, "ja": {"other"}}
	for _, language := range []string{"lt", "ja"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			texts := translations(t, language)
			require.Equal(t, slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(texts)))
			for id, text := range texts {
				if forms, ok := text.(map[string]any); ok {
					require.Equal(t, plurals[language], slices.Sorted(maps.Keys(forms)), id)
					continue
				}
				require.NotEmpty(t, text, id)
				require.Equal(t, places(member(t, english, id)), places(member(t, texts, id)), id)
			}
		})
	}
}

// messageID is how sources name a text.
var messageID = regexp.MustCompile(`"([a-z][A-Za-z]*(?:\.[A-Za-z]+)+)"`)

// TestEveryTextIsThere looks in sources and templates for ids without a text.
func TestEveryTextIsThere(t *testing.T) {
	t.Parallel()
	english := translations(t, "en")
	families := map[string]bool{}
	for id := range english {
		family, _, _ := strings.Cut(id, ".")
		families[family] = true
	}
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	templates, err := filepath.Glob("../../web/templates/*.html")
	require.NoError(t, err)
	known := map[string]bool{ // members of the API and posting rules
		"account.code": true, "account.name": true, "purchases.vatReceivable": true,
	}
	for _, name := range append(sources, templates...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range messageID.FindAllStringSubmatch(string(b), -1) {
			family, _, _ := strings.Cut(m[1], ".")
			if families[family] && !known[m[1]] {
				_, ok := english[m[1]]
				require.True(t, ok, "%s: there is no text %s", name, m[1])
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.issued(t)
	t.Run("FollowsTheBrowser", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, s.token)
		p := v.do(t, "GET", "/ui/invoices", nil, "Accept-Language", "lt-LT,lt;q=0.9,en;q=0.5")
		require.Contains(t, p.words(), "Nauja sąskaita")
	})
	t.Run("FollowsTheChoice", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, s.token)
		require.Equal(t, "/ui/invoices", v.post(t, "/ui/language", map[string][]string{"language": {"lt"}, "back": {"/ui/invoices"}}).location)
		p := v.do(t, "GET", "/ui/invoices", nil, "Accept-Language", "ja")
		require.Contains(t, p.words(), "1 eilutė")
		require.Contains(t, p.text, "121,00")
	})
	t.Run("CountsAsLithuanianDoes", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, s.token)
		v.post(t, "/ui/language", map[string][]string{"language": {"lt"}})
		require.Contains(t, v.open(t, "/ui/settings/accounts").words(), " eilu")
	})
}
