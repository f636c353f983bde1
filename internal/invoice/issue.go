package invoice

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// defaultTermDays is the time to pay of a partner without a payment term: 14 days.
const defaultTermDays = 14

// IssueInput names the draft to issue.
type IssueInput struct {
	ID tenant.ID
	// Series is the prefix of the series; empty means the default one of the year.
	Series string
	// IssueDate replaces that of the draft; without either it is today in the company's time zone.
	IssueDate date.Date
}

// Issue gives a draft its number, stores it for good, posts it, opens what is owed, and records its VAT. The amounts are those
// of the draft; only a credit note may get a cent less, when another credit was issued since.
//
// Errors: not_found, invoice.already_issued, invoice.dates, invoice.no_amount, invoice.vat_terms, invoice.over_credited,
// invoice.cancelled, invoice.advance_already_applied, invoice.cash_accounting, invoice.number_taken, invoice.amount_out_of_bounds, fx.no_rate,
// numbering.unknown_series, ledger.period_locked, ledger.unknown_account, ledger.account_not_postable.
func Issue(ctx context.Context, tx tenant.Tx, in IssueInput) (*Document, error) {
	d, err := lockDraft(ctx, tx, in.ID, ErrAlreadyIssued)
	if err != nil {
		return nil, err
	}
	before := d.document()
	if err := d.date(ctx, tx, in.IssueDate); err != nil {
		return nil, err
	}
	run, err := numbering.Find(ctx, tx, series[d.row.Type], in.Series, d.row.IssueDate.Year())
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	p, err := d.prepare(ctx, tx)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, tx); err != nil {
		return nil, err
	}
	err = webhook.Publish(ctx, tx, webhook.Event{Type: "sale_invoice.issued", ObjectType: documentType, ObjectID: d.row.ID})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	// From here on the series is held: what follows is what carries the number, and the commit.
	number, err := numbering.Take(ctx, tx, run)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was taken
	}
	after, err := p.store(ctx, tx, run, number)
	if err != nil {
		return nil, err
	}
	return after, record(ctx, tx, "sale_invoice.issued", before, after)
}

// date decides the dates of the document and checks it against them.
func (d *draft) date(ctx context.Context, tx tenant.Tx, asked date.Date) error {
	h, today := &d.row.Heading, tx.Today()
	switch {
	case !asked.IsZero():
		h.IssueDate = asked
	case h.IssueDate.IsZero():
		h.IssueDate = today
	}
	if h.IssueDate.After(today) {
		return ErrDates.New("The issue date %s lies in the future; today is %s. VMI refuses such a document.", h.IssueDate, today).
			Field("issueDate", "must be %s or earlier", today)
	}
	if err := d.resolve(ctx, tx); err != nil {
		return err
	}
	if d.adjusted != nil && h.IssueDate.Before(d.adjusted.IssueDate) {
		return ErrDates.New("A note cannot be dated before %s, which is of %s.", d.adjusted.FullNumber, d.adjusted.IssueDate).
			Field("issueDate", "must be %s or later", d.adjusted.IssueDate)
	}
	if h.DueDate.IsZero() {
		h.DueDate = h.IssueDate.AddDays(d.termDays())
	}
	return d.recheck()
}

func (d *draft) termDays() int {
	switch {
	case d.row.Type == TypeCreditNote:
		return 0
	case d.buyer.PaymentTermDays != nil:
		return *d.buyer.PaymentTermDays
	}
	return defaultTermDays
}

// prepare holds what the document needs, in the lock order, and works out its amounts for good.
func (d *draft) prepare(ctx context.Context, tx tenant.Tx) (*posting, error) {
	p := &posting{draft: d}
	if d.row.Type == TypeProforma {
		return p, nil
	}
	if err := ledger.HoldOpen(ctx, tx, d.row.IssueDate); err != nil {
		return nil, err //nolint:wrapcheck // says what is locked
	}
	if d.adjusted != nil {
		if err := p.holdAdjusted(ctx, tx); err != nil {
			return nil, err
		}
	}
	if d.row.GrossMinor <= 0 {
		return nil, ErrNoAmount.New("The document comes to nothing; give its lines an amount.").Field("lines", "come to nothing")
	}
	if err := p.convert(ctx, tx); err != nil {
		return nil, err
	}
	return p, p.chooseAccounts(ctx, tx)
}

// holdAdjusted holds the open item of what a note adjusts, so that notes, payments and cancellations come one after the other,
// and works out the amounts against what is left then.
func (p *posting) holdAdjusted(ctx context.Context, tx tenant.Tx) error {
	id := *p.row.CreditedInvoiceID
	items, err := ledger.LockItems(ctx, tx, id)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if p.item = items[id]; p.item == nil {
		return fmt.Errorf("adjusting %s: it has no open item", p.adjusted.FullNumber)
	}
	if p.adjusted, err = readAdjusted(ctx, tx, id); err != nil {
		return err
	}
	if err := p.adjusted.adjustable(ctx, tx); err != nil {
		return err
	}
	return p.price()
}
