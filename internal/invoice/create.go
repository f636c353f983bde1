package invoice

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// CreateInput is what a draft needs; what is zero gets its default.
type CreateInput struct {
	PartnerID tenant.ID
	Type      Type
	// Currency is that of the adjusted document, else the company's for invoices.
	Currency   money.Currency
	IssueDate  date.Date
	DueDate    date.Date
	SupplyDate date.Date
	// CreditedInvoiceID is required for a credit note, and makes an invoice a debit note.
	CreditedInvoiceID tenant.ID
	VATScheme         vat.Scheme
	VATCountryCode    string
	DeemedSupplier    bool
	// SpecialTaxation puts the document under cash accounting.
	SpecialTaxation bool
	Notes           string
	// Lines may be empty in a credit note: it then credits all that is left.
	Lines []LineInput
}

// Create stores a draft.
// Errors: validation, invoice.unknown_partner, invoice.unknown_invoice, invoice.note_mismatch, invoice.vat_terms,
// invoice.amount_out_of_bounds, invoice.negative_total, invoice.too_long, invoice.dates, invoice.over_credited,
// invoice.cancelled, invoice.advance_already_applied, invoice.cash_accounting.
func Create(ctx context.Context, tx tenant.Tx, in CreateInput) (*Document, error) {
	d := &draft{row: draftRow{
		Row: tenant.Row{ID: tenant.NewID()},
		Heading: Heading{
			PartnerID: in.PartnerID, Type: in.Type, Currency: in.Currency, IssueDate: in.IssueDate, DueDate: in.DueDate,
			SupplyDate: in.SupplyDate, VATScheme: in.VATScheme, VATCountryCode: optional(in.VATCountryCode),
			DeemedSupplier: in.DeemedSupplier, SpecialTaxation: in.SpecialTaxation, Notes: optional(in.Notes), CreatedAt: tx.Now(),
		},
		UpdatedAt: tx.Now(),
	}}
	if d.row.Type == "" {
		d.row.Type = TypeInvoice
	}
	if !in.CreditedInvoiceID.IsZero() {
		d.row.CreditedInvoiceID = &in.CreditedInvoiceID
	}
	if err := d.resolve(ctx, tx); err != nil {
		return nil, err
	}
	if err := d.replaceLines(ctx, tx, in.Lines); err != nil {
		return nil, err
	}
	if err := d.price(); err != nil {
		return nil, err
	}
	if err := tenant.Insert(ctx, tx, &d.row); err != nil {
		return nil, fmt.Errorf("storing the draft: %w", err)
	}
	if err := tenant.Insert(ctx, tx, d.lines...); err != nil {
		return nil, fmt.Errorf("storing the draft: %w", err)
	}
	doc := d.document()
	return doc, record(ctx, tx, "sale_invoice.created", nil, doc)
}

// record writes the audit line of a change.
func record(ctx context.Context, tx tenant.Tx, action string, before, after *Document) error {
	e := audit.Entry{Action: action, Entity: documentType}
	if before != nil {
		e.EntityID, e.Before = before.ID.String(), before.Summary()
	}
	if after != nil {
		e.EntityID, e.After = after.ID.String(), after.Summary()
	}
	return audit.Record(ctx, tx, e) //nolint:wrapcheck // says what was recorded
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// draft is a draft in work.
type draft struct {
	row   draftRow
	lines []*draftLineRow
	buyer *partner.Partner
	// adjusted is what a note adjusts, else nil.
	adjusted *adjusted
	// taxed says that lines carry classifier codes: the company is a VAT payer, or was one when it issued what a note adjusts.
	taxed bool
	// taxDate is the day whose codes and rates count.
	taxDate date.Date
}

// resolve checks the heading against what it names, and fills its defaults.
func (d *draft) resolve(ctx context.Context, tx tenant.Tx) error {
	buyer, err := partner.Get(ctx, tx, d.row.PartnerID)
	if errors.Is(err, apperr.ErrNotFound) {
		return ErrUnknownPartner.New("There is no partner with the id %s; create it with partners/create.", d.row.PartnerID).
			Field("partnerId", "names no partner")
	}
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	d.buyer = buyer
	if err := d.dueAfterIssue(); err != nil {
		return err
	}
	if d.row.CreditedInvoiceID != nil || d.row.Type == TypeCreditNote {
		if err := d.resolveAdjusted(ctx, tx); err != nil {
			return err
		}
	} else {
		company := tx.Company()
		d.taxed = company.IsVATPayer
		if d.row.Currency.IsZero() {
			d.row.Currency = company.DefaultInvoiceCurrency
		}
		if d.row.VATScheme == "" {
			d.row.VATScheme = vat.SchemeDomestic
		}
	}
	d.chooseTaxDate(tx)
	return d.checkCash(tx)
}

// chooseTaxDate takes the date of supply where it is known: a note's is that of what it adjusts.
func (d *draft) chooseTaxDate(tx tenant.Tx) {
	switch {
	case !d.row.SupplyDate.IsZero():
		d.taxDate = d.row.SupplyDate
	case d.adjusted != nil:
		d.taxDate = d.adjusted.taxDate
	case !d.row.IssueDate.IsZero():
		d.taxDate = d.row.IssueDate
	default:
		d.taxDate = tx.Today()
	}
}

func (d *draft) dueAfterIssue() error {
	if !d.row.DueDate.IsZero() && d.row.DueDate.Before(d.row.IssueDate) {
		return ErrDates.New("The due date %s lies before the issue date %s; correct one of them.", d.row.DueDate, d.row.IssueDate).
			Field("dueDate", "must be %s or later", d.row.IssueDate)
	}
	return nil
}

// document shows the draft.
func (d *draft) document() *Document {
	doc := &Document{ID: d.row.ID, Heading: d.row.Heading, Status: StatusDraft, UpdatedAt: d.row.UpdatedAt}
	for _, l := range d.lines {
		doc.Lines = append(doc.Lines, Line{l.ID, l.LineContent})
	}
	return doc
}
