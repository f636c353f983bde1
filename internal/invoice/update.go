package invoice

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// UpdateInput changes what is not zero or nil. An empty text removes what it replaces.
type UpdateInput struct {
	ID             tenant.ID
	PartnerID      tenant.ID
	Currency       money.Currency
	IssueDate      date.Date
	DueDate        date.Date
	SupplyDate     date.Date
	VATScheme      vat.Scheme
	VATCountryCode *string
	DeemedSupplier *bool
	// SpecialTaxation puts the document under cash accounting, or takes it out.
	SpecialTaxation *bool
	Notes           *string
	// Lines replace all lines; nil keeps them, and their codes must fit what else changes.
	Lines []LineInput
}

// Update changes a draft. Errors: not_found, invoice.issued, and those of Create.
func Update(ctx context.Context, tx tenant.Tx, in UpdateInput) (*Document, error) {
	d, err := lockDraft(ctx, tx, in.ID, ErrIssued)
	if err != nil {
		return nil, err
	}
	before := d.document()
	in.apply(&d.row.Heading)
	d.row.UpdatedAt = tx.Now()
	if err := d.resolve(ctx, tx); err != nil {
		return nil, err
	}
	if in.Lines != nil {
		err = d.replaceLines(ctx, tx, in.Lines)
	} else {
		err = d.recheck()
	}
	if err != nil {
		return nil, err
	}
	if err := d.price(); err != nil {
		return nil, err
	}
	if err := d.rewrite(ctx, tx); err != nil {
		return nil, err
	}
	after := d.document()
	return after, record(ctx, tx, "sale_invoice.updated", before, after)
}

func (in UpdateInput) apply(h *Heading) {
	if !in.PartnerID.IsZero() {
		h.PartnerID = in.PartnerID
	}
	if !in.Currency.IsZero() {
		h.Currency = in.Currency
	}
	for _, d := range []struct {
		to    *date.Date
		given date.Date
	}{{&h.IssueDate, in.IssueDate}, {&h.DueDate, in.DueDate}, {&h.SupplyDate, in.SupplyDate}} {
		if !d.given.IsZero() {
			*d.to = d.given
		}
	}
	if in.VATScheme != "" {
		h.VATScheme = in.VATScheme
	}
	if in.VATCountryCode != nil {
		h.VATCountryCode = optional(*in.VATCountryCode)
	}
	if in.DeemedSupplier != nil {
		h.DeemedSupplier = *in.DeemedSupplier
	}
	if in.SpecialTaxation != nil {
		h.SpecialTaxation = *in.SpecialTaxation
	}
	if in.Notes != nil {
		h.Notes = optional(*in.Notes)
	}
}

// rewrite stores a changed draft.
func (d *draft) rewrite(ctx context.Context, tx tenant.Tx) error {
	err := tenant.Update(ctx, tx, &d.row, "partner_id", "currency", "issue_date", "due_date", "supply_date", "vat_scheme",
		"vat_country_code", "deemed_supplier", "special_taxation", "notes", "net_minor", "vat_minor", "gross_minor", "updated_at")
	if err != nil {
		return fmt.Errorf("changing the draft: %w", err)
	}
	if _, err := tenant.DeleteWhere[draftLineRow](ctx, tx, "draft_id = ?", d.row.ID); err != nil {
		return fmt.Errorf("replacing the lines of the draft: %w", err)
	}
	if err := tenant.Insert(ctx, tx, d.lines...); err != nil {
		return fmt.Errorf("replacing the lines of the draft: %w", err)
	}
	return nil
}

// lockDraft holds a draft with its lines. A document that is issued by now is refused with the given code.
func lockDraft(ctx context.Context, tx tenant.Tx, id tenant.ID, issued *apperr.Code) (*draft, error) {
	row, err := tenant.Lock[draftRow](ctx, tx, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, refuseIssued(ctx, tx, id, issued)
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	lines, err := tenant.Find[draftLineRow](ctx, tx, "draft_id = ?", id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	slices.SortFunc(lines, func(a, b draftLineRow) int { return a.SortOrder - b.SortOrder })
	d := &draft{row: *row}
	for i := range lines {
		d.lines = append(d.lines, &lines[i])
	}
	return d, nil
}

func refuseIssued(ctx context.Context, r tenant.Reader, id tenant.ID, code *apperr.Code) error {
	issued, err := tenant.Get[invoiceRow](ctx, r, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return unknown(id)
	}
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	refusal := code.New("The document was issued as %s on %s. An issued invoice never changes; credit or cancel it.",
		issued.FullNumber, issued.IssueDate).
		Detail("existingId", issued.ID).Detail("fullNumber", issued.FullNumber)
	if code.Kind() == apperr.Duplicate {
		refusal.Detail("index", "one issued document per draft")
	}
	return refusal
}

// Delete removes a draft. Errors: not_found, invoice.issued.
func Delete(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	d, err := lockDraft(ctx, tx, id, ErrIssued)
	if err != nil {
		return err
	}
	if err := d.remove(ctx, tx); err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "sale_invoice.deleted", Entity: documentType, EntityID: id.String(), Before: d.document().Summary(),
	})
}

// remove deletes the draft; its lines go with it.
func (d *draft) remove(ctx context.Context, tx tenant.Tx) error {
	err := tenant.ExecLater(ctx, tx, "DELETE FROM sales_drafts WHERE company_id = @company AND id = ?", d.row.ID)
	if err != nil {
		return fmt.Errorf("deleting the draft: %w", err)
	}
	return nil
}
