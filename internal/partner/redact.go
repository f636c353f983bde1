package partner

import (
	"context"
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of redaction.
var (
	ErrNotPerson = apperr.Define("partner.not_person", apperr.Rule,
		"Only a natural person can be redacted; a business has no personal data in this sense.")
	ErrUnfinished = apperr.Define("partner.unfinished", apperr.Conflict,
		"A draft or an open order would still be made out to the person; issue, cancel or delete it first.")
)

// retentionYears is how long documents are kept, and with them what they must say of the buyer or seller, counted from the
// end of the year of the last one (decision 0038).
const retentionYears = 10

// redactedName stands where a name must.
const redactedName = "[redacted]"

// Redaction says that a person's data was taken out, and of when the rest goes.
type Redaction struct {
	tenant.Row
	PartnerID tenant.ID
	// KeepUntil is the last day on which documents ask for name, codes and address; a day that has passed when none does.
	KeepUntil   date.Date
	RequestedAt clock.Time
	// FinishedAt is when the rows that only grow were redacted too; see FinishRedaction.
	FinishedAt *clock.Time
}

// TableName names the table for the mapper.
func (Redaction) TableName() string { return "partner_redactions" }

const unfinished = `SELECT CASE
	WHEN EXISTS (SELECT 1 FROM sales_drafts d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a draft of a sales document'
	WHEN EXISTS (SELECT 1 FROM purchase_drafts d WHERE d.company_id = p.company_id AND d.partner_id = p.id) THEN 'a draft of a supplier invoice'
	WHEN EXISTS (SELECT 1 FROM orders d WHERE d.company_id = p.company_id AND d.partner_id = p.id
		AND d.invoice_id IS NULL AND d.status <> 'cancelled') THEN 'an order without its invoice'
	ELSE '' END FROM partners p WHERE p.company_id = @company AND p.id = ?`

const lastDocument = `SELECT MAX(day) FROM (
	SELECT MAX(issue_date) AS day FROM sales_invoices WHERE company_id = @company AND partner_id = ?
	UNION ALL SELECT MAX(document_date) FROM purchase_invoices WHERE company_id = @company AND partner_id = ?
	UNION ALL SELECT MAX(registration_date) FROM purchase_invoices WHERE company_id = @company AND partner_id = ?
	UNION ALL SELECT MAX(register_date) FROM vat_register WHERE company_id = @company AND partner_id = ?
	UNION ALL SELECT MAX(document_date) FROM open_items WHERE company_id = @company AND partner_id = ?
	UNION ALL SELECT DATE(MAX(created_at)) FROM orders WHERE company_id = @company AND partner_id = ?) days`

// Redact takes the personal data of a natural person out of the partner: at once what no document needs, such as e-mail,
// phone, date of birth and notes; name, codes and address once the law no longer asks for the documents that are made out to
// the person, which is at once when there is none. Asking again later takes what has become free. What only grows, the VAT
// register and the log, waits for that day too and for FinishRedaction. Errors: not_found, partner.not_person,
// partner.unfinished.
func Redact(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Partner, *Redaction, error) {
	p, err := tenant.Lock[Partner](ctx, tx, id) // new documents wait, as for Delete
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	if p.Type != TypePerson {
		return nil, nil, ErrNotPerson.New("The partner %s is a business; only the data of a natural person (type person) is redacted.", p.Name)
	}
	found, err := tenant.QueryOne[string](ctx, tx, unfinished, id)
	if err != nil {
		return nil, nil, fmt.Errorf("looking for unfinished documents of the partner: %w", err)
	}
	if found != nil && *found != "" {
		return nil, nil, ErrUnfinished.New("%s is made out to the partner; issue, cancel or delete it first.", *found).Detail("referencedBy", *found)
	}
	r, err := redaction(ctx, tx, id)
	if err != nil {
		return nil, nil, err
	}
	fields := p.redact(r.isFree(tx.Today()))
	p.UpdatedAt = tx.Now()
	if err := tenant.Update(ctx, tx, p, append(fields, "updated_at")...); err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was updated
	}
	return p, r, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "partner.redacted", Entity: entity, EntityID: id.String(), After: redactionLine{fields, r.KeepUntil},
	})
}

// redactionLine is a redaction in the log: which columns, and never what they held.
type redactionLine struct {
	Fields    []string  `json:"fields"`
	KeepUntil date.Date `json:"keepUntil"`
}

// isFree reports that no document asks for the person any more.
func (r *Redaction) isFree(today date.Date) bool { return r.KeepUntil.Before(today) }

// redaction stores that a redaction was asked for, or brings the stored one up to date.
func redaction(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Redaction, error) {
	keep := tx.Today().AddDays(-1)
	var last *date.Date
	if _, err := tenant.QueryRow(ctx, tx, lastDocument, []any{id, id, id, id, id, id}, &last); err != nil {
		return nil, fmt.Errorf("looking for the last document of the partner: %w", err)
	}
	if last != nil && !last.IsZero() {
		keep = date.New(last.Year()+retentionYears, time.December, 31)
	}
	r, err := tenant.First[Redaction](ctx, tx, "partner_id = ?", id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if r == nil {
		r = &Redaction{PartnerID: id, KeepUntil: keep, RequestedAt: tx.Now()}
		return r, tenant.Insert(ctx, tx, r) //nolint:wrapcheck // says what was stored
	}
	r.KeepUntil, r.FinishedAt = keep, nil
	return r, tenant.Update(ctx, tx, r, "keep_until", "finished_at") //nolint:wrapcheck // says what was updated
}

// redact empties the partner and names the columns: those of contact, and with identity also those that documents show.
func (p *Partner) redact(identity bool) []string {
	p.PeppolID, p.Email, p.Phone, p.Notes, p.MatchKey, p.BirthDate = nil, nil, nil, nil, nil, date.Date{}
	fields := []string{"peppol_id", "email", "phone", "notes", "match_key", "birth_date"}
	if !identity {
		return fields
	}
	// The country stays: it is no personal data alone, and reports are by country.
	p.Name, p.Code, p.VATCode, p.SelfEmploymentCertNo, p.Street, p.City, p.PostalCode = redactedName, nil, nil, nil, nil, nil, nil
	return append(fields, "name", "code", "vat_code", "self_employment_cert_no", "street", "city", "postal_code")
}
