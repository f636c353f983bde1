package purchase

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// CreateInput is what a supplier's document says.
type CreateInput struct {
	PartnerID tenant.ID
	// Type is an invoice when empty.
	Type           Type
	DocumentNumber string
	DocumentDate   date.Date
	// DueDate is worked out on registration when it is the zero Date.
	DueDate date.Date
	// SupplyDate is the document's date when it is the zero Date.
	SupplyDate date.Date
	// SupplyType is goods when empty.
	SupplyType      SupplyType
	SpecialTaxation bool
	// Currency is the base currency when zero.
	Currency          money.Currency
	CreditedInvoiceID *tenant.ID
	Notes             string
	Lines             []LineInput
	// DuplicateReason lets an admin book a second document under a number that is in use, and says why.
	DuplicateReason string
}

// Create stores a draft and holds its number. Errors: validation, purchase.number, purchase.duplicate,
// purchase.duplicate_needs_admin, purchase.no_duplicate, purchase.unknown_supplier, purchase.credited_invoice, purchase.vat,
// purchase.account.
func Create(ctx context.Context, tx tenant.Tx, in CreateInput) (*Invoice, error) {
	if err := checkNumber(in.DocumentNumber); err != nil {
		return nil, err
	}
	lines, err := readLines(in.Lines)
	if err != nil {
		return nil, err
	}
	d, err := work(ctx, tx, in.draft(tx), lines)
	if err != nil {
		return nil, err
	}
	held, found, err := hold(ctx, tx, d.ID, d.PartnerID, d.DocumentNumber, in.DuplicateReason)
	if err != nil {
		return nil, err
	}
	if err := tenant.Insert(ctx, tx, d.draftRow); err != nil {
		return nil, fmt.Errorf("creating the draft: %w", err)
	}
	if err := d.insertLines(ctx, tx); err != nil {
		return nil, err
	}
	i := d.draft()
	i.know(held, found)
	return i, record(ctx, tx, "created", i.ID, nil, i.Card())
}

func (in CreateInput) draft(tx tenant.Tx) *draftRow {
	row := &draftRow{
		Row: tenant.Row{ID: tenant.NewID()},
		Header: Header{
			PartnerID: in.PartnerID, Type: in.Type, DocumentNumber: printed(in.DocumentNumber), DocumentDate: in.DocumentDate,
			DueDate: in.DueDate, SupplyDate: in.SupplyDate, SupplyType: in.SupplyType, SpecialTaxation: in.SpecialTaxation,
			Currency: in.Currency, CreditedInvoiceID: in.CreditedInvoiceID, Notes: optional(in.Notes),
		},
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if row.Type == "" {
		row.Type = TypeInvoice
	}
	if row.SupplyType == "" {
		row.SupplyType = SupplyGoods
	}
	if row.Currency.IsZero() {
		row.Currency = tx.Company().BaseCurrency
	}
	return row
}

// insertLines stores the lines in one statement; those that had an id keep it.
func (d *document) insertLines(ctx context.Context, tx tenant.Tx) error {
	rows := make([]*draftLineRow, len(d.lines))
	for n := range d.lines {
		rows[n] = &d.lines[n].draftLineRow
		rows[n].DraftID = d.ID
	}
	if err := tenant.Insert(ctx, tx, rows...); err != nil {
		return fmt.Errorf("storing the lines: %w", err)
	}
	return nil
}

// record writes a change of a document into the audit log.
func record(ctx context.Context, tx tenant.Tx, what string, id tenant.ID, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: entity + "." + what, Entity: entity, EntityID: id.String(), Before: before, After: after,
	})
}

func optional(s string) *string {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil
	}
	return &s
}
