package partner_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// readShared reads a file of the specification folder beside the repository. Without the folder the test fails in CI,
// where it must be there, and is skipped elsewhere.
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

func create(t *testing.T, c *testkit.Company, in partner.Fields) *partner.Partner {
	t.Helper()
	var p *partner.Partner
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		p, err = partner.Create(ctx, tx, in)
		return err
	})
	return p
}

func get(t *testing.T, c *testkit.Company, id tenant.ID) *partner.Partner {
	t.Helper()
	var p *partner.Partner
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		p, err = partner.Get(ctx, r, id)
		return err
	})
	return p
}
