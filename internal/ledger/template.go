package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

// ApplyTemplate adds the accounts of the template that the company does not have.
func ApplyTemplate(ctx context.Context, tx tenant.Tx) (int, error) { panic("ledger: ApplyTemplate") }
