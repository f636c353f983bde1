package webui

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/vienkart/vienkart/internal/money"
)

// languageCookie keeps the chosen language.
const languageCookie = "vienkart_language"

// tongue is one language of the pages.
type tongue struct {
	Tag  string
	Name string
	// thousands and point write an amount: 1 234,56 or 1,234.56.
	thousands, point string
	localizer        *i18n.Localizer
}

// languages are offered in this order; the first is for browsers that ask for none of them.
var languages = []tongue{
	{Tag: "en", Name: "English", thousands: ",", point: "."},
	{Tag: "lt", Name: "Lietuvių", thousands: "\u00a0", point: ","},
	{Tag: "ja", Name: "日本語", thousands: ",", point: "."},
}

func loadLanguages(files fs.FS) ([]*tongue, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	out := make([]*tongue, len(languages))
	for i, l := range languages {
		if _, err := bundle.LoadMessageFileFS(files, "translations/"+l.Tag+".json"); err != nil {
			return nil, fmt.Errorf("reading the texts of %s: %w", l.Tag, err)
		}
		out[i] = &l
	}
	for _, l := range out {
		l.localizer = i18n.NewLocalizer(bundle, l.Tag)
	}
	return out, nil
}

// t is a text by its id. Data fill its places: name, value, name, value.
func (l *tongue) t(id string, data ...any) string { return l.message(id, nil, data) }

// count is a text that depends on a number, which it calls Count.
func (l *tongue) count(id string, n int, data ...any) string {
	return l.message(id, n, append(data, "Count", n))
}

func (l *tongue) message(id string, count any, data []any) string {
	values := map[string]any{}
	for i := 0; i+1 < len(data); i += 2 {
		if name, ok := data[i].(string); ok {
			values[name] = data[i+1]
		}
	}
	text, err := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: values, PluralCount: count})
	if err != nil && text == "" {
		return id
	}
	return text
}

// known is the text of an id that may not exist, such as the status an API of tomorrow answers.
func (l *tongue) known(prefix, value string) string {
	if value == "" {
		return ""
	}
	if id := prefix + value; l.t(id) != id {
		return l.t(id)
	}
	return value
}

// amount writes a decimal with its separators.
func (l *tongue) amount(s string) string {
	d, err := money.ParseDecimal(s)
	if err != nil {
		return s
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	sign := ""
	if d.Sign() < 0 {
		sign, whole = "\u2212", strings.TrimPrefix(whole, "-")
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + l.thousands + whole[i:]
	}
	if !hasFraction {
		return sign + whole
	}
	return sign + whole + l.point + fraction
}

// pickLanguage follows the cookie, then the browser.
func (u *UI) pickLanguage(r *http.Request) *tongue {
	wanted := ""
	if c, err := r.Cookie(languageCookie); err == nil {
		wanted = c.Value
	}
	tags := make([]language.Tag, len(u.languages))
	for i, l := range u.languages {
		if l.Tag == wanted {
			return l
		}
		tags[i] = language.Make(l.Tag)
	}
	_, index := language.MatchStrings(language.NewMatcher(tags), r.Header.Get("Accept-Language"))
	return u.languages[index]
}

const languageLife = 365 * 24 * time.Hour

// setLanguage keeps the choice and shows the page again.
func (u *UI) setLanguage(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	for _, l := range u.languages {
		if l.Tag == r.PostFormValue("language") {
			http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure as the connection is: a machine of one has no TLS
				Name: languageCookie, Value: l.Tag, Path: "/ui/", MaxAge: int(languageLife.Seconds()), HttpOnly: true,
				SameSite: http.SameSiteLaxMode, Secure: isSecure(r),
			})
			u.keepLocale(w, r, l.Tag)
		}
	}
	http.Redirect(w, r, localPath(r.PostFormValue("back")), http.StatusSeeOther) //nolint:gosec // localPath keeps it here
}

// localPath keeps a redirect inside the pages.
func localPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.ContainsAny(to, "\\\r\n") {
		return Prefix
	}
	// A browser takes dots out, and %2e for a dot.
	if !strings.HasPrefix(to, Prefix) || !strings.HasPrefix(path.Clean(u.Path)+"/", Prefix) {
		return Prefix
	}
	return to
}
