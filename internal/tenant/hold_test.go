package tenant_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// A lock that is not written down holds on one node alone, so nothing but LockWhere may take one.
func TestQueryTakesNoLock(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			require.PanicsWithValue(t, "tenant: a query that locks rows goes through LockWhere: SELECT * FROM ledger_periods WHERE company_id = @company @forupdate",
				func() {
					_, _ = tenant.Query[ledger.Period](ctx, tx, "SELECT * FROM ledger_periods WHERE company_id = @company @forupdate")
				})
			return nil
		})
	})
}
