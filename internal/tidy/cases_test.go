package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// namedTest finds a test that docs/cases.md names: its package under internal/ and its function.
var namedTest = regexp.MustCompile("`([a-z0-9/]+)\\.(Test\\w+)[^`]*`")

// TestCases keeps docs/cases.md true: a test it names is there.
func TestCases(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(filepath.Join(root, "docs", "cases.md"))
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
		require.True(t, found, "docs/cases.md names %s of %s, which is not there", match[2], match[1])
	}
}
