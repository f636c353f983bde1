package files

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
)

// known says of each sort of object that this server keeps whether one with an id exists.
var known = map[string]func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error){
	"company": func(_ context.Context, r tenant.Reader, id tenant.ID) (bool, error) { return id == r.Company().ID, nil },
	"partner": func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error) {
		return exists(tenant.QueryOne[int](ctx, r, `SELECT 1 FROM partners WHERE company_id = @company AND id = ?`, id))
	},
	"sale_invoice": func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error) {
		return exists(tenant.QueryOne[int](ctx, r, `SELECT 1 FROM sales_drafts WHERE company_id = @company AND id = ?
			UNION SELECT 1 FROM sales_invoices WHERE company_id = @company AND id = ?`, id, id))
	},
	"purchase_invoice": func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error) {
		return exists(tenant.QueryOne[int](ctx, r, `SELECT 1 FROM purchase_drafts WHERE company_id = @company AND id = ?
			UNION SELECT 1 FROM purchase_invoices WHERE company_id = @company AND id = ?`, id, id))
	},
	"journal_transaction": func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error) {
		return exists(tenant.QueryOne[int](ctx, r, `SELECT 1 FROM journal_transactions WHERE company_id = @company AND id = ?`, id))
	},
	"asset": func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error) {
		return exists(tenant.QueryOne[int](ctx, r, `SELECT 1 FROM assets WHERE company_id = @company AND id = ?`, id))
	},
	"bank_transaction": func(ctx context.Context, r tenant.Reader, id tenant.ID) (bool, error) {
		return exists(tenant.QueryOne[int](ctx, r, `SELECT 1 FROM bank_transactions WHERE company_id = @company AND id = ?`, id))
	},
}

func exists(row *int, err error) (bool, error) { return row != nil, err }

// requireEntity refuses a file for an object of a known sort that does not exist. What the server does not keep itself
// may have files all the same. Error: file.no_entity.
func requireEntity(ctx context.Context, r tenant.Reader, entity, entityID string) error {
	look, isKnown := known[entity]
	if !isKnown {
		return nil
	}
	missing := ErrNoEntity.New("There is no %s with the id %s.", entity, short(entityID)).Field("entityId", "is the id of no %s of this company", entity)
	id, err := tenant.ParseID(entityID)
	if err != nil {
		return missing
	}
	found, err := look(ctx, r, id)
	if err != nil {
		return fmt.Errorf("looking for the %s of a file: %w", entity, err)
	}
	if !found {
		return missing
	}
	return nil
}
