package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// UpdateInput changes what is given: a nil pointer, a zero Date, a zero Currency, an empty SupplyType and nil Lines leave the
// draft as it is.
type UpdateInput struct {
	ID              tenant.ID
	PartnerID       *tenant.ID
	DocumentNumber  *string
	DocumentDate    date.Date
	DueDate         date.Date
	SupplyDate      date.Date
	SupplyType      SupplyType
	SpecialTaxation *bool
	Currency        money.Currency
	// Notes that are empty are removed.
	Notes *string
	// Lines replace all lines.
	Lines           []LineInput
	DuplicateReason string
}

// Update changes a draft; codes and amounts are worked out anew. Errors: not_found, purchase.registered,
// purchase.has_duplicate, and those of Create.
func Update(ctx context.Context, tx tenant.Tx, in UpdateInput) (*Invoice, error) {
	if in.DocumentNumber != nil {
		if err := checkNumber(*in.DocumentNumber); err != nil {
			return nil, err
		}
	}
	draft, lines, err := lockDraft(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	before, err := Get(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	if in.Lines != nil {
		if lines, err = readLines(in.Lines); err != nil {
			return nil, err
		}
	}
	in.change(draft)
	draft.UpdatedAt = tx.Now()
	d, err := work(ctx, tx, draft, lines)
	if err != nil {
		return nil, err
	}
	number, err := tenant.Lock[numberRow](ctx, tx, d.ID)
	if err != nil {
		return nil, fmt.Errorf("holding the number: %w", err)
	}
	found, err := number.renumber(ctx, tx, d.PartnerID, d.DocumentNumber, in.DuplicateReason)
	if err != nil {
		return nil, err
	}
	if err := d.replace(ctx, tx); err != nil {
		return nil, err
	}
	i := d.draft()
	i.know(number, found)
	return i, record(ctx, tx, "updated", i.ID, before.Card(), i.Card())
}

// lockDraft holds a draft to the end of the transaction, so that of two who want it the second finds what the first made of it.
// Errors: not_found, purchase.registered.
func lockDraft(ctx context.Context, tx tenant.Tx, id tenant.ID) (*draftRow, []draftLine, error) {
	draft, err := tenant.Lock[draftRow](ctx, tx, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, nil, notDraft(ctx, tx, id)
	}
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	rows, err := tenant.Find[draftLineRow](ctx, tx, "draft_id = ?", id)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	lines := make([]draftLine, len(rows))
	for n, row := range rows {
		lines[n] = draftLine{draftLineRow: row, rate: &row.VATRate}
		if row.VATStated {
			stated := money.New(row.VATMinor, draft.Currency).Decimal()
			lines[n].stated = &stated
		}
	}
	slices.SortFunc(lines, func(a, b draftLine) int { return a.SortOrder - b.SortOrder })
	return draft, lines, nil
}

func notDraft(ctx context.Context, r tenant.Reader, id tenant.ID) error {
	i, err := tenant.Get[invoiceRow](ctx, r, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return unknown(id)
	}
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrRegistered.New("The document %s was registered on %s and stays as it is; correct it by a credit note or a debit note.",
		i.DocumentNumber, i.RegistrationDate).Detail("existingId", i.ID)
}

func (in UpdateInput) change(draft *draftRow) {
	if in.PartnerID != nil {
		draft.PartnerID = *in.PartnerID
	}
	if in.DocumentNumber != nil {
		draft.DocumentNumber = printed(*in.DocumentNumber)
	}
	for _, day := range []struct {
		to    *date.Date
		given date.Date
	}{{&draft.DocumentDate, in.DocumentDate}, {&draft.DueDate, in.DueDate}, {&draft.SupplyDate, in.SupplyDate}} {
		if !day.given.IsZero() {
			*day.to = day.given
		}
	}
	if in.SupplyType != "" {
		draft.SupplyType = in.SupplyType
	}
	if in.SpecialTaxation != nil {
		draft.SpecialTaxation = *in.SpecialTaxation
	}
	if !in.Currency.IsZero() {
		draft.Currency = in.Currency
	}
	if in.Notes != nil {
		draft.Notes = optional(*in.Notes)
	}
}

// replace writes a changed draft and its lines.
func (d *document) replace(ctx context.Context, tx tenant.Tx) error {
	err := tenant.Update(ctx, tx, d.draftRow, "partner_id", "document_number", "document_date", "due_date", "supply_date",
		"supply_type", "special_taxation", "currency", "notes", "net_minor", "vat_minor", "gross_minor", "updated_at")
	if err != nil {
		return fmt.Errorf("updating the draft: %w", err)
	}
	if _, err := tenant.DeleteWhere[draftLineRow](ctx, tx, "draft_id = ?", d.ID); err != nil {
		return fmt.Errorf("replacing the lines: %w", err)
	}
	return d.insertLines(ctx, tx)
}

// Delete removes a draft and lets go of its number. Errors: not_found, purchase.registered, purchase.has_duplicate.
func Delete(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	if _, _, err := lockDraft(ctx, tx, id); err != nil {
		return err
	}
	before, err := Get(ctx, tx, id)
	if err != nil {
		return err
	}
	if _, err := tenant.Delete[draftRow](ctx, tx, id); err != nil {
		return fmt.Errorf("deleting the draft: %w", err)
	}
	if err := release(ctx, tx, id); err != nil {
		return err
	}
	return record(ctx, tx, "deleted", id, before.Card(), nil)
}
