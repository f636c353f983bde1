package webui

import (
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/money"
)

// Operations of refused duplicates.
const (
	opRefusalList   = "/v1/idempotency/rejections/list"
	opRefusalGet    = "/v1/idempotency/rejections/get"
	opRefusalReview = "/v1/idempotency/rejections/review"
)

func refusalURL(r record) string { return "/ui/refusals/" + r.text("id") }

func refusalColumns() []column {
	return []column{
		{Title: "field.lastSeenAt", Field: "lastSeenAt", Kind: cellTime, Sort: "lastSeenAt", Link: refusalURL},
		{Title: "field.reason", Field: "reason", Kind: cellPill, Words: "refusal.", Sort: "reason"},
		{Title: "field.operation", Field: "operation", Sort: "operation", Link: refusalURL},
		{Title: "field.occurrences", Field: "occurrences", Kind: cellNumber, Sort: "occurrences", Total: true},
		{Title: "field.reviewed", Field: "reviewDecision", Words: "decision.", Sort: "reviewDecision"},
		{Title: "field.actor", Field: "actorId", Kind: cellMono, Sort: "actorId", Minor: true, Most: 13},
		{Title: "field.address", Field: "clientAddress", Kind: cellMono, Hidden: true},
		{Title: "field.key", Field: "key", Kind: cellMono, Minor: true, Most: 16},
		{
			Title: "field.existing", Minor: true, Shown: true, Text: func(v *visit, r record) string {
				if r.has("existingId") {
					return v.t("action.open")
				}
				return ""
			}, Link: existingURL,
		},
		{Title: "field.resourceId", Field: "existingId", Hidden: true},
		{Title: "field.businessIndex", Field: "businessIndex", Hidden: true},
		{Title: "field.createdAt", Field: "createdAt", Hidden: true},
		{Title: "field.requestId", Field: "requestId", Hidden: true},
		{Title: "field.firstRequestId", Field: "firstRequestId", Hidden: true},
		{Title: "field.note", Field: "reviewNote", Hidden: true},
	}
}

// existingURL is the document that a duplicate was refused for.
func existingURL(r record) string {
	if !r.has("existingId") {
		return ""
	}
	return documentURL(documentOf(r.text("operation")), r.text("existingId"))
}

func shorten(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

func listRefusals(v *visit) (answer, error) {
	p := v.newPage("refusals.title")
	p.Lead = v.t("refusals.lead")
	l := listing{
		operation: opRefusalList, file: "refused-duplicates", sort: "-lastSeenAt", columns: refusalColumns(),
		criteria: []criterion{
			{Name: "reason", Label: "field.reason", Kind: kindSelect, Words: "refusal.", Values: []string{"key_reuse", "in_progress", "duplicate"}},
			{Name: "operation", Label: "field.operation", Kind: kindText, Op: "contains"},
			{Name: "actor", Label: "field.actor", Kind: kindText, Field: "actorId", Op: "contains"},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "lastSeenAt", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "createdAt", Op: "lte"},
			{Name: "reviewed", Label: "field.reviewed", Kind: kindSelect, Words: "yesno.", Values: []string{"false", "true"}},
		},
		none: &empty{Text: v.t("refusals.none"), Links: []link{{Text: v.t("keys.title"), URL: "/ui/keys"}}},
	}
	if !v.wantsFile("") && v.ui.serves(opRefusalList) {
		recent, err := v.recentRefusals()
		if err != nil {
			return nil, err
		}
		if len(recent) > 0 {
			p.add(v.refusalOverview(recent)...)
		}
	}
	return l.show(v, p)
}

// overviewDays is what the chart and the hints look at.
const overviewDays = 30

func (v *visit) recentRefusals() ([]record, error) {
	since := v.today().AddDays(1 - overviewDays)
	return v.everything(opRefusalList, map[string]any{"filter": []filter{{"lastSeenAt", "gte", since.String()}}}, 1000)
}

// refusalOverview counts the last days: tiles, bars, and what clients do wrong.
func (v *visit) refusalOverview(recent []record) []block {
	counts, unreviewed := map[string]int{}, 0
	perDay := map[string]int{}
	for _, r := range recent {
		counts[r.text("reason")] += r.whole("occurrences")
		if !r.has("reviewedAt") {
			unreviewed++
		}
		if at, err := time.Parse(time.RFC3339Nano, r.text("lastSeenAt")); err == nil {
			perDay[at.In(v.zone).Format(time.DateOnly)] += r.whole("occurrences")
		}
	}
	tiles := []tile{{Label: v.t("refusals.toReview"), Value: fmt.Sprint(unreviewed), URL: "/ui/refusals?reviewed=false", Kind: warnIf(unreviewed > 0)}}
	for _, reason := range []string{"key_reuse", "duplicate", "in_progress"} {
		tiles = append(tiles, tile{
			Label: v.t("refusal." + reason), Value: fmt.Sprint(counts[reason]), Note: v.t("refusals.inDays", "Days", overviewDays),
			URL: "/ui/refusals?reason=" + reason,
		})
	}
	labels, values := []string{}, []money.Decimal{}
	for i := range overviewDays {
		day := v.today().AddDays(i + 1 - overviewDays).String()
		labels, values = append(labels, day[5:]), append(values, money.DecimalFromInt(int64(perDay[day])))
	}
	chart := v.newChart(v.t("refusals.perDay"), "refusals-by-day", "field.date", labels, cellNumber, 5, series{"refusals.refusals", values})
	blocks := []block{{Tiles: tiles}, {Chart: chart}}
	if hints := v.hints(recent); hints != nil {
		blocks = append(blocks, block{Notice: hints})
	}
	return blocks
}

func warnIf(condition bool) string {
	if condition {
		return "warn"
	}
	return ""
}

func (v *visit) reviewForm(id string) *form {
	return &form{
		Title: v.t("refusals.review"), Action: "/ui/refusals/" + id + "/review", Submit: v.t("refusals.saveReview"),
		Fields: []field{
			{
				Name: "decision", Label: v.t("field.decision"), Kind: kindSelect, Required: true,
				Options: append([]option{{Text: v.t("form.choose")}}, v.choices("decision.", "client bug", "legitimate, booked separately", "ignored")...),
			},
			{Name: "note", Label: v.t("field.note"), Kind: kindArea, Wide: true, Max: 2000},
		},
	}
}

func showRefusal(v *visit) (answer, error) {
	out, err := v.query(opRefusalGet, v.id())
	if err != nil {
		return nil, err
	}
	r := out.record("rejection")
	p := v.newPage("refusals.one")
	p.Crumb = &link{Text: v.t("refusals.title"), URL: "/ui/refusals"}
	p.Pill = v.state("refusal.", r.text("reason"))
	p.Lead = v.t("refusal.why." + r.text("reason"))
	p.add(block{Facts: v.refusalFacts(r)})
	if differences := out.list("differences"); len(differences) > 0 {
		columns := []column{
			{Title: "field.pointer", Field: "pointer", Kind: cellMono, Sort: "pointer"},
			{Title: "field.kind", Field: "kind", Kind: cellPill, Words: "difference."},
			{Title: "refusals.first", Field: "first", Kind: cellValue},
			{Title: "refusals.refused", Field: "refused", Kind: cellValue},
		}
		p.add(block{Heading: v.t("refusals.differences"), Table: v.sheet(sheet{
			File: "differences", Caption: v.t("refusals.differences"), Columns: columns, Rows: differences,
		})})
	}
	p.add(block{Heading: v.t("refusals.requests"), Compare: v.compareRequests(out)})
	f := v.reviewForm(r.text("id"))
	f.set("decision", r.text("reviewDecision"))
	f.set("note", r.text("reviewNote"))
	if v.shown != nil {
		f = v.shown
	}
	p.add(block{Form: v.keyed(f)})
	return p, nil
}

func (v *visit) refusalFacts(r record) []fact {
	facts := []fact{
		{Label: v.t("field.operation"), Value: r.text("operation"), Mono: true},
		{Label: v.t("field.key"), Value: r.text("key"), Mono: true},
		{Label: v.t("field.occurrences"), Value: r.text("occurrences")},
		{Label: v.t("field.actor"), Value: r.text("actorType") + " " + r.text("actorId"), Mono: true},
		{Label: v.t("field.address"), Value: r.text("clientAddress"), Mono: true},
		{Label: v.t("field.createdAt"), Value: v.moment(r.text("createdAt"))},
		{Label: v.t("field.lastSeenAt"), Value: v.moment(r.text("lastSeenAt"))},
		{Label: v.t("field.requestId"), Value: r.text("requestId"), Mono: true},
	}
	if r.text("key") == "" {
		facts[1].Value, facts[1].Mono = v.t("refusals.noKey"), false
	}
	if at := r.text("firstAt"); at != "" {
		facts = append(facts,
			fact{Label: v.t("field.firstAt"), Value: v.moment(at)},
			fact{Label: v.t("field.firstRequestId"), Value: r.text("firstRequestId"), Mono: true})
	}
	if index := r.text("businessIndex"); index != "" {
		facts = append(facts, fact{Label: v.t("field.businessIndex"), Value: index})
	}
	if to := existingURL(r); to != "" {
		facts = append(facts, fact{Label: v.t("field.existing"), Value: v.t("action.open"), URL: to})
	} else if to := v.keyURL(r.text("key")); to != "" && r.text("reason") != "duplicate" {
		facts = append(facts, fact{Label: v.t("field.existing"), Value: v.t("action.open"), URL: to})
	}
	if at := r.text("reviewedAt"); at != "" {
		facts = append(facts, fact{
			Label: v.t("field.reviewed"), Value: v.lang.known("decision.", r.text("reviewDecision")) + "\n" + v.moment(at) + " " + r.text("reviewedBy"),
		})
	}
	return facts
}

func reviewRefusal(v *visit) (answer, error) {
	f := v.reviewForm(v.r.PathValue("id"))
	return v.runAction(f, once(opRefusalReview, f, v.id(), refusalURL), showRefusal)
}
