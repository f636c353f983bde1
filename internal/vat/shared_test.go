package vat_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// readShared reads a file of the specification folder beside the repository. Without the folder the test fails in CI, where it
// must be there, and is skipped elsewhere.
func readShared(t *testing.T, name string) []byte {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared")
	if _, err := os.Stat(root); os.IsNotExist(err) {
		const message = "THE SPECIFICATION FOLDER shared/ IS MISSING beside the repository, so %s is not checked"
		if os.Getenv("CI") != "" {
			t.Fatalf(message, name)
		}
		t.Skipf(message, name)
	}
	content, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return content
}
