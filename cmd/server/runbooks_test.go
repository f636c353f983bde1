package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
)

const docs = "../../docs"

var (
	apiLine      = regexp.MustCompile(`(?m)^\s*api (/v1/[a-z0-9/-]+)(?: '([^']*)')?`)
	anyPath      = regexp.MustCompile(`/v1/[a-z0-9-]+(?:/[a-z0-9-]+)+`)
	placeholder  = regexp.MustCompile(`[A-Z]+_ID`)
	commandLine  = regexp.MustCompile("(?m)(?:^\\s*|`|VIENKART_[A-Z_]+=\\S+ |\\$\\()server ([a-z]+)")
	variableName = regexp.MustCompile(`VIENKART_[A-Z_]+`)
	linkTarget   = regexp.MustCompile(`\]\(([a-z0-9./-]+)\)`)
)

// Whoever reads a runbook has no time for a command that does not exist.
func TestRunbooksCanBeFollowed(t *testing.T) {
	t.Parallel()
	requests := map[string]reflect.Type{}
	for _, o := range httpapi.Operations() {
		requests[o.Path] = o.Request
	}
	var cli commands
	parser, err := kong.New(&cli)
	require.NoError(t, err)
	known := map[string]bool{}
	for _, c := range parser.Model.Children {
		known[c.Name] = true
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	pages, err := filepath.Glob(docs + "/runbooks/*.md")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(pages), 11)
	index, err := os.ReadFile(docs + "/runbooks/README.md")
	require.NoError(t, err)
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(page)
			require.NoError(t, err)
			text := string(content)
			for _, path := range anyPath.FindAllString(text, -1) {
				require.Contains(t, requests, path)
			}
			for _, line := range apiLine.FindAllStringSubmatch(text, -1) {
				requireRequest(t, requests[line[1]], line[0], line[2])
			}
			for _, c := range commandLine.FindAllStringSubmatch(text, -1) {
				require.True(t, known[c[1]], "server %s", c[1])
			}
			require.Empty(t, missing(string(readme), "`%s`", variableName.FindAllString(text, -1)))
			for _, link := range linkTarget.FindAllStringSubmatch(text, -1) {
				_, err := os.Stat(filepath.Join(filepath.Dir(page), link[1]))
				require.NoError(t, err)
			}
			if filepath.Base(page) != "README.md" {
				require.Contains(t, string(index), "("+filepath.Base(page)+")")
				require.Contains(t, text, "\n## Verify\n")
			}
		})
	}
}

func TestReadmeHasEveryVariableAndCommand(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	var variables, names []string
	for field := range reflect.TypeFor[config]().Fields() {
		variables = append(variables, field.Tag.Get("env"))
	}
	for field := range reflect.TypeFor[commands]().Fields() {
		names = append(names, strings.ToLower(field.Name))
	}
	require.Empty(t, missing(string(content), "`%s`", variables))
	require.Empty(t, missing(string(content), "`server %s", names))
}

// missing are the names that do not stand in a text in some form.
func missing(text, form string, names []string) []string {
	var found []string
	for _, name := range names {
		if !strings.Contains(text, fmt.Sprintf(form, name)) {
			found = append(found, name)
		}
	}
	return found
}

// requireRequest checks that an example has members that the operation knows.
func requireRequest(t *testing.T, request reflect.Type, line, body string) {
	t.Helper()
	if body == "" {
		body = "{}"
	}
	body = placeholder.ReplaceAllString(strings.TrimSpace(body), tenant.NewID().String())
	err := json.Unmarshal([]byte(body), reflect.New(request).Interface(), json.RejectUnknownMembers(true))
	require.NoError(t, err, line)
}
