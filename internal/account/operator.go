package account

import (
	"context"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// RecordByOperator writes what the operator did to a whole company into its log.
func RecordByOperator(ctx context.Context, tx tenant.Tx, action string, after any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entityCompany, EntityID: tx.Company().ID.String(), After: after,
	})
}
