package partner

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// referrer names the first document that refers to a partner. Every table with a foreign key to partners has its line
// here; a test compares them with the schema.
const referrer = `SELECT CASE
	WHEN EXISTS (SELECT 1 FROM sales_drafts d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a draft of a sales document'
	WHEN EXISTS (SELECT 1 FROM sales_invoices d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a sales document'
	WHEN EXISTS (SELECT 1 FROM purchase_drafts d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a draft of a supplier invoice'
	WHEN EXISTS (SELECT 1 FROM purchase_invoices d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a supplier invoice'
	WHEN EXISTS (SELECT 1 FROM purchase_numbers d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'the number of a supplier invoice'
	WHEN EXISTS (SELECT 1 FROM open_items d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'an open item'
	WHEN EXISTS (SELECT 1 FROM orders d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'an order'
	WHEN EXISTS (SELECT 1 FROM vat_register d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a row of the VAT register'
	WHEN EXISTS (SELECT 1 FROM partner_redactions d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'the record of its redaction'
	ELSE '' END FROM partners p WHERE p.company_id = @company AND p.id = ?`

// Delete removes a partner that no document refers to. Errors: not_found, partner.referenced.
func Delete(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	// A document that is being stored holds its partner through the foreign key. The lock waits for it, and keeps new
	// ones out until this transaction ends, so what the next statement finds is all there is.
	p, err := tenant.Lock[Partner](ctx, tx, id)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	found, err := tenant.QueryOne[string](ctx, tx, referrer, id)
	if err != nil {
		return fmt.Errorf("looking for documents of the partner: %w", err)
	}
	if found != nil && *found != "" {
		return ErrReferenced.New("The partner %s cannot be deleted: %s refers to it.", p.Name, *found).Detail("referencedBy", *found)
	}
	if _, err := tenant.Delete[Partner](ctx, tx, id); err != nil {
		return err //nolint:wrapcheck // says what was deleted
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "partner.deleted", Entity: entity, EntityID: id.String(), Before: p.Card(tx.Company()),
	})
}
