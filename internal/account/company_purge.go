package account

import (
	"context"
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// PurgeTerms say what allows a company to be removed for good.
type PurgeTerms struct {
	// WithoutWaiting removes a sandbox company whatever its state.
	WithoutWaiting bool
	// Moved proves that a file holds everything the company has; nil when there is none. It is asked for an archived
	// company of real books, which then live on where the file is imported.
	Moved func(context.Context, tenant.Tx) error
}

// MayPurge locks the company and refuses unless it may be removed: a sandbox that was deleted, once its time has passed, or
// at once when the terms say so; a real company only when it is archived and moved, since the law asks for its books for
// ten years. Error: not_found.
func MayPurge(ctx context.Context, tx tenant.Tx, terms PurgeTerms) error {
	found, err := tenant.LockCompany(ctx, tx)
	if err != nil {
		return fmt.Errorf("reading the company: %w", err)
	}
	switch {
	case found == nil:
		return tenant.NotFound("company", tx.Company().ID) //nolint:wrapcheck // a refusal as it stands
	case !found.IsSandbox && terms.Moved == nil:
		return fmt.Errorf("%s is no sandbox: the law asks for its books for ten years; move it to another server first (server company export, import)", found.Name)
	case !found.IsSandbox && found.Status != tenant.CompanyArchived:
		return fmt.Errorf("%s is %s; archive it before it is exported, so that nothing is booked after", found.Name, found.Status)
	case !found.IsSandbox:
		return terms.Moved(ctx, tx)
	case terms.WithoutWaiting:
		return nil
	case found.Status != tenant.CompanyDeleted:
		return fmt.Errorf("the sandbox %s is %s; an admin of it deletes it first, or use --now", found.Name, found.Status)
	case found.PurgeAfter.After(tx.Now().Time):
		return fmt.Errorf("the sandbox %s may be brought back until %s; wait, or use --now", found.Name, found.PurgeAfter.UTC().Format(time.DateTime))
	}
	return nil
}

// DuePurges lists the companies whose time has passed.
func DuePurges(ctx context.Context, y tenant.System) ([]tenant.Company, error) {
	return tenant.SystemQuery[tenant.Company](ctx, y, //nolint:wrapcheck // says what failed
		"SELECT * FROM companies WHERE status = 'deleted' AND is_sandbox = 1 AND purge_after <= @now ORDER BY id")
}
