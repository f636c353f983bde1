package account

import (
	"context"
	"log/slog"
	"strings"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Wish asks the operator for an integration.
type Wish struct {
	Integration, Name, Email string
	// Company, Website and Details may be empty.
	Company, Website, Details string
}

// KeepWish stores a wish for the operator to read. Errors: validation, account.too_many_attempts.
func (d *Desk) KeepWish(ctx context.Context, v Visit, w Wish) error {
	email, err := NormalizeEmail(w.Email)
	if err != nil {
		return err
	}
	if err := v.count(ctx, wishesOfAddress, v.source()); err != nil {
		return err
	}
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		row := tenant.IntegrationRequest{
			ID: tenant.NewID(), Integration: strings.TrimSpace(w.Integration), Name: strings.TrimSpace(w.Name), Email: email, CreatedAt: t.Now(),
		}
		set(&row.Company, &w.Company)
		set(&row.Website, &w.Website)
		set(&row.Details, &w.Details)
		return tenant.DoorInsert(ctx, t, row) //nolint:wrapcheck // says what was stored
	})
	if err == nil {
		slog.InfoContext(ctx, "somebody asks for an integration", "integration", w.Integration)
	}
	return err //nolint:wrapcheck // says what failed
}
