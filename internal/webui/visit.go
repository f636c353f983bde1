package webui

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// visit is one request of a browser.
type visit struct {
	ui    *UI
	w     http.ResponseWriter
	r     *http.Request
	lang  *tongue
	token string
	at    url.URL // of the page that is shown: after a refused form, the page that the form stands on
	file  answer  // a table of the page as a file, when the address asks for one

	me      record
	company record
	zone    *time.Location
	partner map[string]string
	shown   *form // the form that was refused and is shown again
	placed  bool  // whether it stands in a table
}

// enter reads who is signed in and the company.
func (v *visit) enter() error {
	if v.token == "" {
		return &refusal{Status: http.StatusUnauthorized}
	}
	var err error
	if v.me, err = v.query("/v1/account/me", nil); err != nil {
		return err
	}
	v.zone = time.UTC
	if v.can(tenant.ReadBooks) {
		if v.company, err = v.query("/v1/account/companies/profile", nil); err != nil {
			return err
		}
		if zone, err := time.LoadLocation(v.company.text("timeZone")); err == nil {
			v.zone = zone
		}
	}
	return nil
}

// can says whether the signed-in user has a permission, so that a page offers what would be allowed. The API decides.
func (v *visit) can(p tenant.Permission) bool {
	scopes := v.me.texts("scopes")
	return tenant.Role(v.me.text("role")).Has(p) && (len(scopes) == 0 || slices.Contains(scopes, string(p)))
}

// offers says whether an operation exists and is allowed.
func (v *visit) offers(operation string, p tenant.Permission) bool {
	return v.can(p) && v.ui.serves(operation)
}

func (v *visit) t(id string, data ...any) string { return v.lang.t(id, data...) }

// today is the day in the company's time zone.
func (v *visit) today() date.Date { return date.Of(v.ui.clock.Now().In(v.zone)) }

// moment writes an instant as a clock in the company shows it.
func (v *visit) moment(s string) string {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	return at.In(v.zone).Format("2006-01-02 15:04")
}

func (v *visit) param(name string) string { return v.r.URL.Query().Get(name) }

// base is the currency of the books.
func (v *visit) base() string { return v.company.text("baseCurrency") }

// with is the address of this page with some parameters changed; an empty value drops one.
func (v *visit) with(pairs ...string) string {
	q := v.at.Query()
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			q.Del(pairs[i])
			continue
		}
		q.Set(pairs[i], pairs[i+1])
	}
	return address(v.at.Path, q)
}

func address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// partnerNames reads the names of partners that rows mention.
func (v *visit) partnerNames(ids ...string) error {
	if v.partner == nil {
		v.partner = map[string]string{}
	}
	var missing []string
	for _, id := range ids {
		if _, known := v.partner[id]; id != "" && !known && !slices.Contains(missing, id) {
			missing = append(missing, id)
		}
	}
	for chunk := range slices.Chunk(missing, maxPage) {
		answer, err := v.query("/v1/partners/list", map[string]any{
			"pageSize": maxPage, "filter": []filter{{"id", "in", chunk}},
		})
		if err != nil {
			return err
		}
		for _, p := range answer.list("rows") {
			v.partner[p.text("id")] = p.text("name")
		}
	}
	return nil
}
