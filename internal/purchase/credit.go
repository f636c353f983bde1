package purchase

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// sourceCreditNote names a credit note as what settles an open item.
const sourceCreditNote = ledger.SourceCreditNote

// readCredited reads the invoice that a note names; nil when it names none. Error: purchase.credited_invoice.
func readCredited(ctx context.Context, r tenant.Reader, note *Header) (*invoiceRow, error) {
	if note.CreditedInvoiceID == nil {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	refuse := func(fault string) error {
		return ErrCreditedInvoice.New("The document cannot correct %s: it %s.", *note.CreditedInvoiceID, fault).
			Field("creditedInvoiceId", "%s", fault)
	}
	credited, err := tenant.Get[invoiceRow](ctx, r, *note.CreditedInvoiceID)
	switch {
	case errors.Is(err, apperr.ErrNotFound):
		return nil, refuse("is no registered supplier invoice")
	case err != nil:
		return nil, err //nolint:wrapcheck // says what was read
	case credited.Type != TypeInvoice:
		return nil, refuse("is a credit note itself")
	case credited.PartnerID != note.PartnerID:
		return nil, refuse("is an invoice of another supplier")
	case note.DocumentDate.Before(credited.DocumentDate):
		return nil, refuse(fmt.Sprintf("is of %s, a later day than the note", credited.DocumentDate))
	case credited.Currency != note.Currency:
		return nil, refuse(fmt.Sprintf("is in %s, the note in %s", credited.Currency, note.Currency))
	}
	return credited, nil
}

// holdCredited keeps other credit notes of the same invoice out until the transaction ends, and refuses one that exceeds what
// is left. An invoice's own row is never locked, since nobody may change it; its number's is. Error: purchase.over_credited.
func (d *document) holdCredited(ctx context.Context, tx tenant.Tx) error {
	if d.Type != TypeCreditNote || d.credited == nil {
		return nil
	}
	if _, err := tenant.Lock[numberRow](ctx, tx, d.credited.ID); err != nil {
		return fmt.Errorf("holding the credited invoice: %w", err)
	}
	credited, err := tenant.QueryOne[int64](ctx, tx, `SELECT COALESCE(SUM(gross_minor), 0) FROM purchase_invoices
		WHERE company_id = @company AND credited_invoice_id = ? AND type = 'credit_note'`, d.credited.ID)
	if err != nil {
		return fmt.Errorf("adding up the credit notes: %w", err)
	}
	left := money.New(d.credited.GrossMinor-*credited, d.Currency)
	if d.gross().Cmp(left) > 0 {
		return ErrOverCredited.New("Of the invoice %s only %s %s is left to credit, not %s.",
			d.credited.DocumentNumber, left, d.Currency, d.gross()).
			Detail("left", left.String()).Detail("creditedInvoiceId", d.credited.ID)
	}
	return nil
}

// setOff settles the invoice that a credit note names with the note, as far as it is open, and returns what is left of the
// note: the supplier owes it.
func (d *document) setOff(ctx context.Context, tx tenant.Tx, day date.Date) (money.Amount, error) {
	if d.Type != TypeCreditNote || d.credited == nil {
		return d.owed(), nil
	}
	items, err := ledger.LockItems(ctx, tx, d.credited.ID)
	if err != nil {
		return money.Amount{}, err //nolint:wrapcheck // says what was held
	}
	invoice, owed := items[d.credited.ID]
	if !owed || invoice.Settled() {
		return d.owed(), nil
	}
	amount := invoice.Open()
	if d.owed().Cmp(amount) < 0 {
		amount = d.owed()
	}
	err = ledger.Settle(ctx, tx, ledger.Settlement{
		Item: invoice, Amount: amount, SourceType: sourceCreditNote, SourceID: d.ID, Date: day,
	})
	if err != nil {
		return money.Amount{}, fmt.Errorf("setting the credit note off: %w", err)
	}
	return d.owed().Sub(amount), nil
}
