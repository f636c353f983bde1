package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// namedTest finds a test that a document names: its package under internal/, or cmd/server, and its function.
var namedTest = regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz)\\w+)[^`]*`")

// TestCases keeps the documents true that name tests: each is there.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cases.md", "edge-cases.md", "security.md"} {
		document, err := os.ReadFile(filepath.Join(root, "docs", name))
		require.NoError(t, err)
		named := namedTest.FindAllStringSubmatch(string(document), -1)
		require.NotEmpty(t, named)
		for _, match := range named {
			require.True(t, isTest(t, match[1], match[2]), "docs/%s names %s of %s, which is not there", name, match[2], match[1])
		}
	}
}

func isTest(t *testing.T, folder, function string) bool {
	t.Helper()
	if folder != "cmd/server" {
		folder = "internal/" + folder
	}
	sources, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
	require.NoError(t, err)
	declaration := regexp.MustCompile(`(?m)^func ` + function + `\(`)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		if declaration.Match(text) {
			return true
		}
	}
	return false
}
