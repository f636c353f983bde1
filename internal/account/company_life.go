package account

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrNotSandbox keeps the books of a real company.
var ErrNotSandbox = apperr.Define("company.not_sandbox", apperr.Conflict,
	"Only a sandbox company can be deleted: the law asks for the books of a real one for ten years. Archive it instead.")

// purgeDelay is how long a deleted company can still be brought back by the operator.
const purgeDelay = 30 * 24 * time.Hour

// ArchiveCompany ends the changing of a company: its books can be read and no more. The company is the caller's own or
// one whose admin the calling user is. Errors: not_found, forbidden.
func ArchiveCompany(ctx context.Context, tx tenant.Tx, id tenant.ID) (tenant.Company, error) {
	return changeStatus(ctx, tx, id, "company.archived", func(c *tenant.Company) error {
		c.Status = tenant.CompanyArchived
		return nil
	})
}

// ActivateCompany lets an archived company be changed again. Errors: not_found, forbidden.
func ActivateCompany(ctx context.Context, tx tenant.Tx, id tenant.ID) (tenant.Company, error) {
	return changeStatus(ctx, tx, id, "company.activated", func(c *tenant.Company) error {
		c.Status = tenant.CompanyActive
		return nil
	})
}

// DeleteCompany ends a sandbox company: every token of it stops working at once, and after PurgeAfter nothing of it need
// be kept. Errors: not_found, forbidden, company.not_sandbox.
func DeleteCompany(ctx context.Context, tx tenant.Tx, id tenant.ID) (tenant.Company, error) {
	return changeStatus(ctx, tx, id, "company.deleted", func(c *tenant.Company) error {
		if !c.IsSandbox {
			return ErrNotSandbox.New("The company %s is no sandbox: its books must be kept. Archive it instead.", c.Name)
		}
		now, purge := tx.Now(), clock.At(tx.Now().Add(purgeDelay))
		c.Status, c.DeletedAt, c.PurgeAfter = tenant.CompanyDeleted, &now, &purge
		return nil
	})
}

// changeStatus moves a company of which the caller is an admin into another state of its life.
func changeStatus(ctx context.Context, tx tenant.Tx, id tenant.ID, action string, change func(*tenant.Company) error) (tenant.Company, error) {
	inside, err := tenant.Enter(ctx, tx, id)
	if err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // a refusal as it stands
	}
	if inside.Scope().Role() != tenant.RoleAdmin {
		return tenant.Company{}, tenant.ErrForbidden.New("Only an admin of the company %s may do that.", inside.Company().Name)
	}
	c, err := tenant.ReadCompany(ctx, inside)
	if err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // says what was read
	}
	before, status := ShowProfile(c), c.Status
	if err := change(&c); err != nil {
		return tenant.Company{}, err
	}
	if c.Status == status {
		return c, nil
	}
	c.UpdatedAt = tx.Now()
	if err := tenant.UpdateCompany(ctx, inside, c, "status", "updated_at", "deleted_at", "purge_after"); err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // says what was updated
	}
	if id != tx.Company().ID {
		if err := record(ctx, tx, c.ID, action, before, ShowProfile(c)); err != nil {
			return tenant.Company{}, err
		}
	}
	return c, record(ctx, inside, c.ID, action, before, ShowProfile(c))
}
