package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
)

// TestReportsWithoutReplica: where no replica is set a report costs what it did. Its caller is looked up, a snapshot begins, the
// books are read and the snapshot ends.
func TestReportsWithoutReplica(t *testing.T) {
	t.Parallel()
	s := newTapped(t, testkit.MySQL(t))
	january := body{"fromDate": "2026-01-01", "toDate": "2026-01-31"}
	s.statements(t, "/v1/reports/vat-summary", january)
	statements := s.statements(t, "/v1/reports/vat-summary", january)
	require.Len(t, statements, 4)
	for _, statement := range statements {
		require.NotContains(t, statement, "audit_log")
	}
}
