package webui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// comparison is two requests side by side.
type comparison struct{ Sides []side }

type side struct {
	Title string
	Facts []fact
	Lines []jsonLine
}

// jsonLine is one line of a request; a marked one differs.
type jsonLine struct {
	Text   string
	Marked bool
}

func (v *visit) compareRequests(out record) *comparison {
	differs := map[string]bool{}
	for _, d := range out.list("differences") {
		differs[d.text("pointer")] = true
	}
	c := &comparison{}
	if out.has("first") {
		c.Sides = append(c.Sides, v.side("refusals.first", out.record("first"), differs))
	}
	c.Sides = append(c.Sides, v.side("refusals.refused", out.record("refused"), differs))
	return c
}

func (v *visit) side(title string, request record, differs map[string]bool) side {
	s := side{Title: v.t(title), Facts: []fact{{Label: v.t("field.path"), Value: request.text("method") + " " + request.text("path"), Mono: true}}}
	if q := request.text("query"); q != "" {
		s.Facts = append(s.Facts, fact{Label: v.t("field.query"), Value: q, Mono: true})
	}
	s.Lines = printJSON(request.at("body"), "", "", 0, differs["/"] || differs[""], differs)
	return s
}

// printJSON writes a value line by line, sorted by name, and marks what lies at or below a differing pointer.
func printJSON(value any, pointer, name string, depth int, marked bool, differs map[string]bool) []jsonLine {
	marked = marked || pointer != "" && differs[pointer]
	indent, head := strings.Repeat("  ", depth), ""
	if name != "" {
		head = name + ": "
	}
	switch v := value.(type) {
	case map[string]any:
		lines := []jsonLine{{indent + head + "{", marked}}
		for _, member := range slices.Sorted(maps.Keys(v)) {
			lines = append(lines, printJSON(v[member], pointer+"/"+escapePointer(member), quote(member), depth+1, marked, differs)...)
		}
		return append(lines, jsonLine{indent + "}", marked})
	case []any:
		lines := []jsonLine{{indent + head + "[", marked}}
		for i, item := range v {
			lines = append(lines, printJSON(item, pointer+"/"+strconv.Itoa(i), "", depth+1, marked, differs)...)
		}
		return append(lines, jsonLine{indent + "]", marked})
	}
	return []jsonLine{{indent + head + scalar(value), marked}}
}

func escapePointer(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

func quote(s string) string { return scalar(s) }

func scalar(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(b.String())
}
