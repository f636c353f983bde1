package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// namedTest finds a test that a table of cases names: its package under internal/ and its function.
var namedTest = regexp.MustCompile("`([a-z0-9/]+)\\.(Test\\w+)[^`]*`")

// TestCases keeps the tables of cases in docs/ true: a test they name is there.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cases.md", "edge-cases.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireNamedTests(t, name)
		})
	}
}

func requireNamedTests(t *testing.T, name string) {
	t.Helper()
	document, err := os.ReadFile(filepath.Join(root, "docs", name))
	require.NoError(t, err)
	named := namedTest.FindAllStringSubmatch(string(document), -1)
	require.NotEmpty(t, named)
	for _, match := range named {
		found := false
		folder := filepath.Join(root, "internal", filepath.FromSlash(match[1]))
		sources, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		require.NoError(t, err)
		declaration := regexp.MustCompile(`(?m)^func ` + match[2] + `\(`)
		for _, source := range sources {
			text, err := os.ReadFile(source)
			require.NoError(t, err)
			found = found || declaration.Match(text)
		}
		require.True(t, found, "docs/%s names %s of %s, which is not there", name, match[2], match[1])
	}
}
