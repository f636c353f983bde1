package purchase_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// TestInvariantsAreReadable runs every invariant on both engines; what the scenarios leave is checked by "server verify".
func TestInvariantsAreReadable(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		_, err := tenant.Verify(t.Context(), e.System, purchase.Invariants)
		require.NoError(t, err)
	})
}
