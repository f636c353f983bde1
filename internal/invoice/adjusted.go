package invoice

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

// adjusted is an issued document that a note adjusts, with what was credited of it so far.
type adjusted struct {
	invoiceRow
	groups  []creditedGroup
	taxDate date.Date
	taxed   bool
}

// creditedGroup is one code and rate of a document: the document's own sums, and those credited so far.
type creditedGroup struct {
	group
	creditedNet, creditedVAT money.Amount
}

// left is what can still be credited.
func (g creditedGroup) left() group {
	return group{g.code, g.rate, g.net.Sub(g.creditedNet), g.vat.Sub(g.creditedVAT)}
}

type creditedGroupRow struct {
	Code             *string
	Rate             money.Decimal
	NetMinor         int64
	VATMinor         int64
	CreditedNetMinor int64
	CreditedVATMinor int64
}

// readAdjusted reads an issued document and its credits. Hold its open item to be sure that no credit is under way.
func readAdjusted(ctx context.Context, r tenant.Reader, id tenant.ID) (*adjusted, error) {
	row, err := tenant.Get[invoiceRow](ctx, r, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	sums, err := tenant.Query[creditedGroupRow](ctx, r, `SELECT code, rate, SUM(net_minor) AS net_minor, SUM(vat_minor) AS vat_minor,
		SUM(credited_net_minor) AS credited_net_minor, SUM(credited_vat_minor) AS credited_vat_minor FROM (
			SELECT l.vat_code AS code, l.vat_rate AS rate, l.net_minor, l.vat_minor, 0 AS credited_net_minor, 0 AS credited_vat_minor
			FROM sales_invoice_lines l WHERE l.company_id = @company AND l.invoice_id = ?
			UNION ALL
			SELECT l.vat_code, l.vat_rate, 0, 0, l.net_minor, l.vat_minor FROM sales_invoices i
			JOIN sales_invoice_lines l ON l.company_id = i.company_id AND l.invoice_id = i.id
			WHERE i.company_id = @company AND i.credited_invoice_id = ? AND i.type = 'credit_note') sums
		GROUP BY code, rate ORDER BY code, rate`, id, id)
	if err != nil {
		return nil, fmt.Errorf("reading what was credited of %s: %w", row.FullNumber, err)
	}
	a := &adjusted{invoiceRow: *row}
	for _, s := range sums {
		g := creditedGroup{
			group:       group{rate: s.Rate, net: row.amount(s.NetMinor), vat: row.amount(s.VATMinor)},
			creditedNet: row.amount(s.CreditedNetMinor), creditedVAT: row.amount(s.CreditedVATMinor),
		}
		if s.Code != nil {
			g.code, a.taxed = *s.Code, true
		}
		a.groups = append(a.groups, g)
	}
	a.taxDate, err = taxDateOf(ctx, r, row)
	return a, err
}

// taxDateOf is the date of supply: a note without one has that of what it adjusts.
func taxDateOf(ctx context.Context, r tenant.Reader, row *invoiceRow) (date.Date, error) {
	if !row.SupplyDate.IsZero() || row.CreditedInvoiceID == nil {
		return supplyOrIssue(row.Heading), nil
	}
	original, err := tenant.Get[invoiceRow](ctx, r, *row.CreditedInvoiceID)
	if err != nil {
		return date.Date{}, err //nolint:wrapcheck // says what was read
	}
	return supplyOrIssue(original.Heading), nil // a note is never adjusted by a debit note, so this is an invoice
}

func supplyOrIssue(h Heading) date.Date {
	if h.SupplyDate.IsZero() {
		return h.IssueDate
	}
	return h.SupplyDate
}

// left is what can still be credited in total.
func (a *adjusted) left() money.Amount {
	total := money.Zero(a.Currency)
	for _, g := range a.groups {
		total = total.Add(g.left().gross())
	}
	return total
}

// touched reports that something was credited.
func (a *adjusted) touched() bool {
	return slices.ContainsFunc(a.groups, func(g creditedGroup) bool { return !g.creditedNet.IsZero() || !g.creditedVAT.IsZero() })
}

// codeAt is the code of the only group with a rate, or empty.
func (a *adjusted) codeAt(rate money.Decimal) string {
	code := ""
	for _, g := range a.groups {
		if g.rate.Cmp(rate) != 0 {
			continue
		}
		if code != "" {
			return ""
		}
		code = g.code
	}
	return code
}

func (a *adjusted) find(g group) (creditedGroup, bool) {
	at := slices.IndexFunc(a.groups, func(c creditedGroup) bool { return c.sameTerms(g.code, g.rate) })
	if at < 0 {
		return creditedGroup{}, false
	}
	return a.groups[at], true
}

// resolveAdjusted reads what the note adjusts, checks it, and takes currency, scheme and the duty to carry codes from it.
func (d *draft) resolveAdjusted(ctx context.Context, r tenant.Reader) error {
	if d.row.CreditedInvoiceID == nil {
		return apperr.Invalid("creditedInvoiceId", "is required for a credit note")
	}
	if d.row.Type != TypeCreditNote && d.row.Type != TypeInvoice {
		return ErrUnknownInvoice.New("Only a credit note, or an invoice as a debit note, adjusts another document.").
			Field("creditedInvoiceId", "must be absent for type %s", d.row.Type)
	}
	a, err := readAdjusted(ctx, r, *d.row.CreditedInvoiceID)
	if errors.Is(err, apperr.ErrNotFound) {
		return ErrUnknownInvoice.New("There is no issued invoice with the id %s; issue it before adjusting it.", *d.row.CreditedInvoiceID).
			Field("creditedInvoiceId", "names no issued invoice")
	}
	if err != nil {
		return err
	}
	d.adjusted, d.taxed = a, a.taxed
	if d.row.Currency.IsZero() {
		d.row.Currency = a.Currency
	}
	if d.row.VATScheme == "" {
		d.row.VATScheme = a.VATScheme
	}
	if d.row.SpecialTaxation && !a.SpecialTaxation {
		return ErrNoteMismatch.New("%s is not under cash accounting, so a note to it is not either.", a.FullNumber).
			Field("specialTaxation", "must be false, as on %s", a.FullNumber)
	}
	d.row.SpecialTaxation = a.SpecialTaxation
	if d.row.VATCountryCode == nil {
		d.row.VATCountryCode = a.VATCountryCode
	}
	if err := d.matchesAdjusted(); err != nil {
		return err
	}
	return a.adjustable(ctx, r)
}

func (d *draft) matchesAdjusted() error {
	a := d.adjusted
	kindFits := a.Type == TypeInvoice || (a.Type == TypeAdvance && d.row.Type == TypeCreditNote)
	switch {
	case !kindFits || (d.row.Type == TypeInvoice && a.isNote()):
		return ErrUnknownInvoice.New("%s %s cannot be adjusted by this note; a credit note credits an invoice or an advance, a debit note raises an invoice.",
			called[a.Type], a.FullNumber).Field("creditedInvoiceId", "names a document that this note cannot adjust")
	case a.PartnerID != d.row.PartnerID:
		return ErrNoteMismatch.New("%s was issued to another partner.", a.FullNumber).
			Field("partnerId", "must be %s, as on %s", a.PartnerID, a.FullNumber)
	case a.Currency != d.row.Currency:
		return ErrNoteMismatch.New("%s is in %s.", a.FullNumber, a.Currency).Field("currency", "must be %s, as on %s", a.Currency, a.FullNumber)
	case a.VATScheme != d.row.VATScheme:
		return ErrNoteMismatch.New("%s has the VAT scheme %s.", a.FullNumber, a.VATScheme).
			Field("vatScheme", "must be %s, as on %s", a.VATScheme, a.FullNumber)
	}
	return nil
}

// adjustable refuses a document that was cancelled, or an advance that was taken off an invoice.
func (a *adjusted) adjustable(ctx context.Context, r tenant.Reader) error {
	if err := notCancelled(ctx, r, a.invoiceRow); err != nil {
		return err
	}
	if a.Type != TypeAdvance {
		return nil
	}
	return notApplied(ctx, r, a.invoiceRow)
}

func notCancelled(ctx context.Context, r tenant.Reader, row invoiceRow) error {
	c, err := tenant.First[cancellationRow](ctx, r, "invoice_id = ?", row.ID)
	if err != nil || c == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrCancelled.New("%s was cancelled; nothing can be done with it.", row.FullNumber).Detail("existingId", c.ID)
}

func notApplied(ctx context.Context, r tenant.Reader, row invoiceRow) error {
	used, err := tenant.First[applicationRow](ctx, r, "advance_id = ?", row.ID)
	if err != nil || used == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrAdvanceApplied.New("The advance %s was taken off an invoice; credit that invoice instead.", row.FullNumber).
		Detail("existingId", used.InvoiceID).Detail("index", "one invoice per advance")
}
