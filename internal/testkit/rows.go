package testkit

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RowCounts counts the company's rows of every table, without claims and recorded refusals, which a refused request may
// leave.
func (c *Company) RowCounts(t testing.TB) map[string]int64 {
	t.Helper()
	tables, err := c.Engine.Admin.TenantTables(context.Background())
	require.NoError(t, err)
	counts := map[string]int64{}
	for _, table := range tables {
		if strings.HasPrefix(table, "idempotency_") {
			continue
		}
		var n int64
		query := "SELECT COUNT(*) FROM " + table + " WHERE company_id = ?"
		require.NoError(t, c.Engine.Admin.Reader().QueryRowContext(context.Background(), query, c.Scope.Company().ID).Scan(&n))
		counts[table] = n
	}
	return counts
}
