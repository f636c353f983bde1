package invoice

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// CancelInput names the document to cancel, and why.
type CancelInput struct {
	ID     tenant.ID
	Reason string
}

// Cancel takes an issued document back that nobody has used: nothing was settled, credited or adjusted on it, and its month is
// open. The journal is reversed and the VAT revoked on the issue date; the number stays used.
//
// Errors: not_found, validation without a reason, invoice.not_issued, invoice.cancelled, invoice.not_cancellable,
// invoice.advance_already_applied, ledger.period_locked.
func Cancel(ctx context.Context, tx tenant.Tx, in CancelInput) (*Document, error) {
	in.Reason = strings.TrimSpace(in.Reason)
	if in.Reason == "" {
		return nil, apperr.Invalid("reason", "is required")
	}
	row, err := issued(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	if row.Type == TypeCreditNote {
		return nil, ErrNotCancelled.New("The credit note %s has settled what it credits; raise the invoice by a debit note instead.", row.FullNumber)
	}
	before, err := Get(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	c := &cancellationRow{InvoiceID: row.ID, Reason: in.Reason, CreatedAt: tx.Now()}
	if err := c.takeBack(ctx, tx, row); err != nil {
		return nil, err
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, c), "sales_cancellations_invoice",
		func(ctx context.Context, r tenant.ReadTx) error { return notCancelled(ctx, r, *row) })
	if err != nil {
		return nil, fmt.Errorf("cancelling %s: %w", row.FullNumber, err)
	}
	after, err := Get(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	return after, record(ctx, tx, "sale_invoice.cancelled", before, after)
}

// takeBack undoes what the document booked.
func (c *cancellationRow) takeBack(ctx context.Context, tx tenant.Tx, row *invoiceRow) error {
	if row.Type == TypeProforma {
		return notCancelled(ctx, tx, *row)
	}
	if err := ledger.HoldOpen(ctx, tx, row.IssueDate); err != nil {
		return err //nolint:wrapcheck // says what is locked
	}
	items, err := ledger.LockItems(ctx, tx, row.ID)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	item := items[row.ID]
	if item == nil {
		return fmt.Errorf("cancelling %s: it has no open item", row.FullNumber)
	}
	if err := unused(ctx, tx, row, item); err != nil {
		return err
	}
	reversal, err := ledger.Reverse(ctx, tx, ledger.Reversal{
		TransactionID: *row.JournalTransactionID, Date: row.IssueDate, OfDocument: true,
		Description: "Cancellation of " + row.FullNumber + ": " + c.Reason,
	})
	if err != nil {
		return err //nolint:wrapcheck // says what cannot be reversed
	}
	c.JournalTransactionID = &reversal.ID
	err = ledger.Settle(ctx, tx, ledger.Settlement{
		Item: item, Amount: item.Open(), SourceType: "cancellation", SourceID: row.ID, Date: row.IssueDate,
	})
	if err != nil {
		return err //nolint:wrapcheck // says what was settled
	}
	return register.Revoke(ctx, tx, row.ID) //nolint:wrapcheck // says what was recorded
}

// unused refuses a document that others build on.
func unused(ctx context.Context, tx tenant.Tx, row *invoiceRow, item *ledger.OpenItem) error {
	if err := notCancelled(ctx, tx, *row); err != nil {
		return err
	}
	if err := notApplied(ctx, tx, *row); err != nil {
		return err
	}
	if settled := item.Amount().Sub(item.Open()); settled.IsPositive() {
		return ErrNotCancelled.New("%s %s of %s are settled; take the payment back, or issue a credit note.",
			settled, row.Currency, row.FullNumber).Detail("settled", settled.String())
	}
	notes, err := tenant.Query[string](ctx, tx, `SELECT i.full_number FROM sales_invoices i
		LEFT JOIN sales_cancellations c ON c.company_id = i.company_id AND c.invoice_id = i.id
		WHERE i.company_id = @company AND i.credited_invoice_id = ? AND c.id IS NULL ORDER BY i.id`, row.ID)
	if err != nil {
		return fmt.Errorf("looking for notes on %s: %w", row.FullNumber, err)
	}
	if len(notes) > 0 {
		return ErrNotCancelled.New("%s is adjusted by %s; a document that others refer to is not cancelled.",
			row.FullNumber, strings.Join(notes, ", ")).Detail("notes", notes)
	}
	return nil
}
