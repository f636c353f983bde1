package partner

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// DueRedaction is a redaction whose day has passed and whose rows that only grow still name the person.
type DueRedaction struct {
	CompanyID tenant.ID
	PartnerID tenant.ID
}

// DueRedactions lists what FinishRedaction has to do, by the date in UTC; each company's own date decides then.
func DueRedactions(ctx context.Context, y tenant.System) ([]DueRedaction, error) {
	return tenant.SystemQuery[DueRedaction](ctx, y, `SELECT company_id, partner_id FROM partner_redactions
		WHERE finished_at IS NULL AND keep_until < ? ORDER BY company_id, partner_id`, date.Of(y.Store().Clock().Now())) //nolint:wrapcheck // says what failed
}

// FinishRedaction takes a person out of the rows that only grow, after the law stopped asking for them: name and codes out of
// the VAT register, and what the log says of the partner itself. Amounts, dates, numbers, actors and actions stay, so the
// books say the same. It needs the rights of the migrating user. Error: not_found.
func FinishRedaction(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	p, err := tenant.Lock[Partner](ctx, tx, id)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	r, err := redaction(ctx, tx, id) // a document of the meantime puts it off
	if err != nil || !r.isFree(tx.Today()) {
		return err
	}
	if err := tenant.Update(ctx, tx, p, p.redact(true)...); err != nil {
		return err //nolint:wrapcheck // says what was updated
	}
	if _, err := tenant.Exec(ctx, tx, `UPDATE vat_register SET partner_name = ?, partner_code = NULL, partner_vat_code = NULL
		WHERE company_id = @company AND partner_id = ?`, redactedName, id); err != nil {
		return fmt.Errorf("redacting the VAT register: %w", err)
	}
	if _, err := tenant.Exec(ctx, tx, `UPDATE audit_log SET diff = NULL
		WHERE company_id = @company AND entity = ? AND entity_id = ? AND action <> 'partner.redacted'`, entity, id.String()); err != nil {
		return fmt.Errorf("redacting the log: %w", err)
	}
	now := tx.Now()
	r.FinishedAt = &now
	if err := tenant.Update(ctx, tx, r, "finished_at"); err != nil {
		return err //nolint:wrapcheck // says what was updated
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "partner.redaction_finished", Entity: entity, EntityID: id.String(),
	})
}
