package partner

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Create stores a partner: a company and a customer unless the fields say otherwise.
// Errors: validation, partner.duplicate_code, partner.duplicate_vat_code.
func Create(ctx context.Context, tx tenant.Tx, in Fields) (*Partner, error) {
	p, err := draft(tx, in)
	if err != nil {
		return nil, err
	}
	if err := p.checkFree(ctx, tx); err != nil {
		return nil, err
	}
	return p, p.insert(ctx, tx)
}

// draft is a new partner before it is stored.
func draft(tx tenant.Tx, in Fields) (*Partner, error) {
	p := &Partner{
		Row: tenant.Row{ID: tenant.NewID()}, Type: TypeCompany, IsCustomer: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	return p, in.apply(p, tx.Company().BaseCurrency)
}

func (p *Partner) insert(ctx context.Context, tx tenant.Tx) error {
	if err := p.onDuplicate(tx, tenant.Insert(ctx, tx, p)); err != nil {
		return err
	}
	return p.record(ctx, tx, "partner.created", nil)
}

// record writes the audit line of a change to what p is now.
func (p *Partner) record(ctx context.Context, tx tenant.Tx, action string, before any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entity, EntityID: p.ID.String(), Before: before, After: p.Card(tx.Company()),
	})
}

// checkFree refuses a code or VAT number that another partner has.
func (p *Partner) checkFree(ctx context.Context, r tenant.Reader) error {
	if p.Code != nil {
		other, err := tenant.First[Partner](ctx, r, "code = ? AND id <> ?", *p.Code, p.ID)
		if err != nil {
			return fmt.Errorf("looking for the code: %w", err)
		}
		if other != nil {
			return ErrDuplicateCode.New("The partner %s has this code already; use it, or correct the code.", other.Name).
				Field("code", "belongs to another partner").
				Detail("existingId", other.ID).Detail("index", "one partner per code")
		}
	}
	if p.VATCode == nil {
		return nil
	}
	other, err := tenant.First[Partner](ctx, r, "vat_code = ? AND id <> ?", *p.VATCode, p.ID)
	if err != nil {
		return fmt.Errorf("looking for the VAT number: %w", err)
	}
	if other != nil {
		return ErrDuplicateVATCode.New("The partner %s has this VAT number already; use it, or correct the number.", other.Name).
			Field("vatCode", "belongs to another partner").
			Detail("existingId", other.ID).Detail("index", "one partner per VAT number")
	}
	return nil
}

// onDuplicate gives the loser of a race the answer that a late duplicate gets.
func (p *Partner) onDuplicate(tx tenant.Tx, err error) error {
	resolve := func(ctx context.Context, r tenant.ReadTx) error { return p.checkFree(ctx, r) }
	for _, index := range []string{"partners_code", "partners_vat_code", "partners_match"} {
		err = tenant.OnDuplicate(tx, err, index, resolve)
	}
	return err
}
