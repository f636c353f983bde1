package partner

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Update changes the given fields of a partner. What was issued to it before keeps what it says.
// Errors: not_found, validation, partner.duplicate_code, partner.duplicate_vat_code.
func Update(ctx context.Context, tx tenant.Tx, id tenant.ID, in Fields) (*Partner, error) {
	p, err := tenant.Lock[Partner](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	before := p.Card(tx.Company())
	if err := in.apply(p, tx.Company().BaseCurrency); err != nil {
		return nil, err
	}
	if err := p.checkFree(ctx, tx); err != nil {
		return nil, err
	}
	// The partner may be known by something else now; what it was first sought by binds it no longer.
	p.MatchKey = nil
	p.UpdatedAt = tx.Now()
	err = tenant.Update(ctx, tx, p,
		"type", "name", "code", "vat_code", "peppol_id", "email", "phone", "self_employment_cert_no", "birth_date",
		"is_customer", "is_supplier", "payment_term_days", "credit_limit_minor", "street", "city", "postal_code",
		"country_code", "notes", "match_key", "updated_at")
	if err := p.onDuplicate(tx, err); err != nil {
		return nil, err
	}
	return p, p.record(ctx, tx, "partner.updated", before)
}
