package webui_test

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/vienkart/vienkart/web"
)

// TestPagesAreAccessible checks every page in every language for what assistive technology needs.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	s, all := filled(t)
	for _, language := range []string{"en", "lt", "ja"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			v := s.visit(t, s.token)
			v.post(t, "/ui/language", map[string][]string{"language": {language}})
			for _, at := range all {
				p := v.get(t, at)
				if p.location != "" {
					p = v.get(t, p.location)
				}
				for _, fault := range accessFaults(p, language) {
					t.Errorf("%s (%s): %s", at, language, fault)
				}
			}
		})
	}
}

func accessFaults(p page, language string) []string {
	var faults []string
	fault := func(parts ...string) { faults = append(faults, strings.Join(parts, " ")) }
	if got := attribute(p.all("html")[0], "lang"); got != language {
		fault("lang is", got)
	}
	if len(p.all("h1")) != 1 {
		fault("there is not one h1")
	}
	if len(p.all("main")) != 1 || len(p.all("header")) == 0 || len(p.all("footer")) == 0 {
		fault("a landmark is missing")
	}
	if title := p.all("title"); len(title) == 0 || title[0].Parent.Data != "head" || textOf(title[0]) == "" {
		fault("there is no title")
	}
	level := 1
	for _, h := range p.all("h1", "h2", "h3", "h4") {
		now := int(h.Data[1] - '0')
		if now > level+1 {
			fault("heading", textOf(h), "skips a level")
		}
		level = now
		if strings.TrimSpace(textOf(h)) == "" {
			fault("a heading is empty")
		}
	}
	return append(faults, nodeFaults(p)...)
}

func nodeFaults(p page) []string {
	var faults []string
	fault := func(parts ...string) { faults = append(faults, strings.Join(parts, " ")) }
	labels, ids := map[string]string{}, map[string]bool{}
	for n := range p.root.Descendants() {
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				fault("id", id, "stands twice")
			}
			ids[id] = true
		}
		if n.Data == "label" {
			labels[attribute(n, "for")] = strings.TrimSpace(textOf(n))
		}
	}
	for n := range p.root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if tab := attribute(n, "tabindex"); tab != "" && tab != "0" && tab != "-1" {
			fault("tabindex", tab)
		}
		for _, refers := range []string{"aria-describedby", "list"} {
			if id := attribute(n, refers); id != "" && !ids[id] {
				fault(n.Data, attribute(n, "name"), refers, id, "leads nowhere")
			}
		}
		switch n.Data {
		case "input", "select", "textarea":
			if attribute(n, "type") != "hidden" && labels[attribute(n, "id")] == "" {
				fault(n.Data, attribute(n, "name"), "has no label")
			}
		case "img":
			if !has(n, "alt") {
				fault("img without alt")
			}
		case "svg":
			if attribute(n, "aria-hidden") != "true" && attribute(n, "aria-label") == "" {
				fault("svg that says nothing")
			}
		case "a", "button", "summary":
			if strings.TrimSpace(textOf(n)) == "" {
				fault(n.Data, attribute(n, "href"), "has no text")
			}
		case "nav":
			if attribute(n, "aria-label") == "" {
				fault("nav without a name")
			}
		case "th":
			if attribute(n, "scope") == "" {
				fault("th without scope")
			}
		}
		if n.Data == "a" && strings.HasPrefix(attribute(n, "href"), "#") && !ids[attribute(n, "href")[1:]] {
			fault("link", attribute(n, "href"), "leads nowhere")
		}
	}
	return faults
}

func TestErrorsAreTold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	f := v.open(t, "/ui/partners/new").form(t, "/ui/partners/new", "name", "")
	p := v.post(t, "/ui/partners/new", f)
	require.Equal(t, http.StatusBadRequest, p.status)
	require.Empty(t, accessFaults(p, "en"))
	alerts := 0
	for _, n := range p.all("div") {
		if attribute(n, "role") == "alert" {
			alerts++
			require.Contains(t, textOf(n), "Name")
		}
	}
	require.Equal(t, 1, alerts)
}

func TestFocusIsVisible(t *testing.T) {
	t.Parallel()
	css := stylesheet(t)
	for _, element := range []string{"a", "button", "input", "select", "textarea", "summary", "[tabindex]"} {
		require.Contains(t, css, element+":focus-visible")
	}
	require.Regexp(t, `:focus-visible \{\s*outline: 2px solid`, css)
	for _, rule := range regexp.MustCompile(`[^}]*\{[^}]*outline: none[^}]*\}`).FindAllString(css, -1) {
		require.Contains(t, rule, "main:focus", "only the target of the skip link goes without an outline")
	}
}

func stylesheet(t *testing.T) string {
	t.Helper()
	b, err := fs.ReadFile(web.Files, "static/app.css")
	require.NoError(t, err)
	return string(b)
}
