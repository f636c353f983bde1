package webui

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/vienkart/vienkart/internal/tenant"
)

// page is what a handler shows: a heading, links, and blocks one below the other.
type page struct {
	Status  int
	Title   string
	Lead    string
	Pill    *pill
	Crumb   *link
	Links   []link
	Blocks  []block
	Narrow  bool
	Refresh int // seconds after which the page asks again; 0 is never

	Language  string
	Languages []*tongue
	SignedIn  bool
	Company   string
	Sandbox   bool
	User      string
	Companies []option
	Nav       []navGroup
	Back      string
}

// block is one part of a page; exactly one member is set.
type block struct {
	Heading string
	Anchor  string
	Links   []link
	Notice  *notice
	Empty   *empty
	Facts   []fact
	Table   *table
	Form    *form
	Actions []action
	Tiles   []tile
	Chart   *chart
	Tasks   []task
	Compare *comparison
	Code    *code
	Filters *filterBar
	Choices []choice
	Working *progress
}

// choice is a way on, with what it is for.
type choice struct {
	Text, Note, URL string
}

// progress is how much of a job is done, in per cent.
type progress struct {
	Label   string
	Percent int
}

type link struct {
	Text, URL string
	Primary   bool
	Download  bool
}

// notice is a message: good, info, warn or bad.
type notice struct {
	Kind  string
	Title string
	Text  string
	Items []link // a link with an empty address is plain text
	Note  string
}

// empty is what stands in place of rows that are not there.
type empty struct {
	Text  string
	Links []link
}

type fact struct {
	Label, Value, URL string
	Pill              *pill
	Mono              bool
}

// pill is a short state in a colour.
type pill struct{ Kind, Text string }

// tile is a number that matters.
type tile struct {
	Label, Value, Note, URL, Kind string
}

// task is something that is due.
type task struct {
	When, Text, URL, Kind string
}

// code is a text as it is, such as a file.
type code struct{ Label, Text string }

// action is a form behind a button, so that nothing final happens by one click too many.
type action struct {
	Label   string
	Danger  bool
	Primary bool
	Open    bool
	Form    *form
}

type navGroup struct {
	Title string
	Items []navItem
}

type navItem struct {
	Text, URL string
	Current   bool
}

// entry is a line of the menu.
type entry struct {
	title, path string
	permission  tenant.Permission
}

type entryGroup struct {
	title   string
	entries []entry
}

func menu() []entryGroup {
	return []entryGroup{
		{"", []entry{{"dashboard.title", "/ui/", tenant.ReadBooks}}},
		{"nav.documents", []entry{
			{"invoices.title", "/ui/invoices", tenant.ReadBooks},
			{"advances.title", "/ui/advances", tenant.ReadBooks},
			{"orders.title", "/ui/orders", tenant.ReadBooks},
			{"purchases.title", "/ui/purchases", tenant.ReadBooks},
			{"partners.title", "/ui/partners", tenant.ReadBooks},
			{"bank.title", "/ui/bank", tenant.ReadBooks},
			{"settlements.title", "/ui/settlements", tenant.ReadBooks},
		}},
		{"nav.books", []entry{
			{"journal.title", "/ui/journal", tenant.ReadBooks},
			{"balance.title", "/ui/trial-balance", tenant.ReadBooks},
			{"reports.title", "/ui/reports", tenant.ReadBooks},
			{"items.title", "/ui/open-items", tenant.ReadBooks},
			{"assets.title", "/ui/assets", tenant.ReadBooks},
			{"vat.title", "/ui/vat", tenant.ReadBooks},
			{"periods.title", "/ui/periods", tenant.ReadBooks},
		}},
		{"nav.admin", []entry{
			{"refusals.title", "/ui/refusals", tenant.ReviewRefusals},
			{"keys.title", "/ui/keys", tenant.LookUpKeys},
			{"audit.title", "/ui/audit", tenant.ReadAudit},
			{"webhooks.title", "/ui/webhooks", tenant.ManageKeys},
			{"settings.title", "/ui/settings", tenant.ReadBooks},
		}},
	}
}

// newPage is a page with the frame filled in.
func (v *visit) newPage(title string, data ...any) *page {
	p := &page{
		Status: http.StatusOK, Title: strings.TrimSpace(v.t(title, data...)), Language: v.lang.Tag, Languages: v.ui.languages,
		SignedIn: v.me != nil, Back: v.at.RequestURI(),
	}
	if v.me == nil {
		return p
	}
	p.User = v.me.text("user.name")
	if p.User == "" {
		p.User = v.me.text("user.email")
	}
	if p.User == "" {
		p.User = v.me.text("user.id")
	}
	active := v.me.text("activeCompanyId")
	for _, c := range v.me.list("companies") {
		if c.text("id") == active {
			p.Company, p.Sandbox = c.text("name"), c.isTrue("isSandbox")
		}
		p.Companies = append(p.Companies, option{Value: c.text("id"), Text: c.text("name"), Selected: c.text("id") == active})
	}
	if p.Company == "" {
		p.Company = v.company.text("name")
	}
	p.Nav = v.navigation()
	return p
}

func (v *visit) navigation() []navGroup {
	var groups []navGroup
	for _, g := range menu() {
		group := navGroup{}
		if g.title != "" {
			group.Title = v.t(g.title)
		}
		for _, e := range g.entries {
			if v.can(e.permission) {
				group.Items = append(group.Items, navItem{v.t(e.title), e.path, isCurrent(v.at.Path, e.path)})
			}
		}
		if len(group.Items) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

func isCurrent(path, entry string) bool {
	return path == entry || entry != Prefix && strings.HasPrefix(path, entry+"/")
}

func (p *page) add(blocks ...block) { p.Blocks = append(p.Blocks, blocks...) }

// fromForm takes the status of a refused form, so that programs and tests see what a person sees.
func (p *page) fromForm(f *form) {
	if f != nil && f.Status > p.Status {
		p.Status = f.Status
	}
}

func (p *page) write(v *visit) error {
	if v.file != nil {
		return v.file.write(v)
	}
	if flash := v.flash(); flash != nil {
		p.Blocks = append([]block{{Notice: flash}}, p.Blocks...)
	}
	for _, b := range p.Blocks {
		p.fromForm(b.Form)
		for _, a := range b.Actions {
			p.fromForm(a.Form)
		}
	}
	return v.render(p.Status, "page", p)
}

// Outcomes that a redirect may tell the next page.
const (
	outcomeDone     = "done"
	outcomeReplayed = "already"
)

// flash is the message of the redirect that led here. The address bears one of two fixed words, never a text.
func (v *visit) flash() *notice {
	if v.r.Method != http.MethodGet {
		return nil
	}
	switch v.param("outcome") {
	case outcomeDone:
		return &notice{Kind: "good", Text: v.t("outcome.done")}
	case outcomeReplayed:
		return &notice{Kind: "info", Text: v.t("outcome.already")}
	}
	return nil
}

// refusalNotice tells what the API refused and why. Reasons with a text in the language of the page show that first.
func (v *visit) refusalNotice(r *refusal) *notice {
	n := &notice{Kind: "bad", Text: r.Message}
	if text := v.lang.known("reason.", r.Reason); r.Reason != "" && text != r.Reason {
		n.Title = text
	}
	if id := r.ExistingID(); id != "" {
		if to := documentURL(documentOf(r.Operation), id); to != "" {
			n.Items = append(n.Items, link{Text: v.t("error.openExisting"), URL: to})
		}
	}
	if r.RequestID != "" {
		n.Note = v.t("error.requestId", "ID", r.RequestID)
	}
	return n
}

// safe marks SVG that this package made from numbers and escaped texts.
func safe(svg string) template.HTML {
	return template.HTML(svg) //nolint:gosec // every text in it went through template.HTMLEscapeString
}
