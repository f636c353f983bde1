package tidy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// topLevel is all that the repository has at its top: a newcomer sees it on
// one screen and knows what each name is for.
var topLevel = []string{
	".ci", ".gitignore", ".golangci.yml", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE",
	"Makefile", "README.md", "bench", "cmd", "deploy", "docker-compose.yml", "docs", "go.mod", "go.sum", "internal", "migrations", "web",
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	tracked, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files").Output()
	if err != nil {
		t.Skipf("this copy is no git repository: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSpace(string(tracked)), "\n") {
		top, _, _ := strings.Cut(name, "/")
		require.Contains(t, topLevel, top, name)
	}
}

// machinePath finds absolute paths of a developer's or builder's machine. A
// word character, a dot or a slash before the path makes it part of an
// address, which is not meant.
var machinePath = regexp.MustCompile(`(?:^|[^\w./-])(?:/(?:(?:work|root)/|(?:home|Users)/\w)|[A-Z]:\\Users\\)`)

func TestMachinePaths(t *testing.T) {
	t.Parallel()
	for text, found := range map[string]bool{
		"see /" + "work/main/x.go":    true,
		`"/` + `home/ona/vienkart/x"`: true,
		"/" + "Users/ona/go/":         true,
		`C:\` + `Users\ona`:           true,
		"POST /v1/work/list":          false,
		"https://example.lt/home/a/":  false,
		"/workers/":                   false,
		"docs/decisions/README.md":    false,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, found, machinePath.MatchString(text))
		})
	}
	t.Run("RepositoryHasNone", func(t *testing.T) {
		t.Parallel()
		for _, name := range files(t) {
			content, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err)
			if !utf8.Valid(content) {
				continue
			}
			for number, line := range strings.Split(string(content), "\n") {
				require.False(t, machinePath.MatchString(line), "%s:%d: %s", name, number+1, line)
			}
		}
	})
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		names  []string
		faults int
	}{
		"CountingFromOneIsAllowed": {[]string{"README.md", "0001-a.md", "0002-b.md"}, 0},
		"GapIsFound":               {[]string{"0001-a.md", "0003-c.md"}, 1},
		"SameNumberTwiceIsFound":   {[]string{"0001-a.md", "0001-b.md"}, 1},
		"OtherNameIsFound":         {[]string{"0001-a.md", "notes.md"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, decisionFaults(example.names), example.faults)
		})
	}
	t.Run("RepositoryKeepsTheOrder", func(t *testing.T) {
		t.Parallel()
		var names []string
		for _, name := range files(t) {
			if path.Dir(name) == "docs/decisions" {
				names = append(names, path.Base(name))
			}
		}
		require.NotEmpty(t, names)
		require.Empty(t, decisionFaults(names))
	})
}

var decisionName = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)

func decisionFaults(names []string) []string {
	var faults []string
	next := 1
	for _, name := range slices.Sorted(slices.Values(names)) {
		if name == "README.md" {
			continue
		}
		match := decisionName.FindStringSubmatch(name)
		switch {
		case match == nil:
			faults = append(faults, name+" is not named NNNN-title.md")
		case match[1] != fmt.Sprintf("%04d", next):
			faults = append(faults, fmt.Sprintf("%s: expected number %04d", name, next))
		default:
			next++
		}
	}
	return faults
}
