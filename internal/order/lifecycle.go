package order

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Reserve marks an order as being prepared; the server keeps no stock. Reserving again confirms it.
// Errors: not_found, order.cancelled, order.fulfilled.
func Reserve(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Order, error) {
	o, err := lock(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := o.refuseCancelled(); err != nil {
		return nil, err
	}
	if err := o.refuseFulfilled(); err != nil {
		return nil, err
	}
	return o, o.become(ctx, tx, StatusReserved, "order.reserved")
}

// Cancel ends an order that is neither fulfilled nor paid. Errors: not_found, order.cancelled, order.fulfilled, order.paid.
func Cancel(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Order, error) {
	o, err := lock(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := o.refuseCancelled(); err != nil {
		return nil, err
	}
	if err := o.refuseFulfilled(); err != nil {
		return nil, err
	}
	paid, err := o.payment(ctx, tx)
	if err != nil {
		return nil, err
	}
	if paid != nil {
		return nil, ErrPaid.New("The order is paid. Fulfil it and credit the invoice, so that the money goes back with a document.")
	}
	return o, o.become(ctx, tx, StatusCancelled, "order.cancelled")
}

func (o *Order) become(ctx context.Context, tx tenant.Tx, status Status, action string) error {
	before := o.view()
	o.Status, o.UpdatedAt = status, tx.Now()
	if err := tenant.Update(ctx, tx, o, "status", "invoice_id", "updated_at"); err != nil {
		return err //nolint:wrapcheck // says what was written
	}
	return o.record(ctx, tx, action, before)
}

// IssueInvoice makes and issues the invoice of an order, dated on a day, and gives its id. It works in the same transaction.
type IssueInvoice func(ctx context.Context, tx tenant.Tx, o *Order, day date.Date) (tenant.ID, error)

// Fulfill issues the invoice of an order, once, and takes a payment made before off it. The zero day is today.
// Errors: not_found, order.cancelled, order.fulfilled, order.terms, and what issuing an invoice refuses.
func Fulfill(ctx context.Context, tx tenant.Tx, id tenant.ID, day date.Date, issue IssueInvoice) (*Order, error) {
	o, err := lock(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := o.refuseCancelled(); err != nil {
		return nil, err
	}
	if err := o.refuseFulfilled(); err != nil {
		return nil, err
	}
	if day.IsZero() {
		day = tx.Today()
	}
	invoiceID, err := issue(ctx, tx, o, day)
	if err != nil {
		return nil, err
	}
	o.InvoiceID = &invoiceID
	if err := o.takeOffPayment(ctx, tx, day); err != nil {
		return nil, err
	}
	return o, o.become(ctx, tx, StatusFulfilled, "order.fulfilled")
}

// takeOffPayment settles the invoice with what the customer had paid in advance. Between the two days a foreign currency
// may have moved; the difference is the company's gain or loss.
func (o *Order) takeOffPayment(ctx context.Context, tx tenant.Tx, day date.Date) error {
	paid, err := o.payment(ctx, tx)
	if err != nil || paid == nil {
		return err
	}
	items, err := ledger.LockItems(ctx, tx, *o.InvoiceID)
	if err != nil {
		return fmt.Errorf("holding the open item of the invoice: %w", err)
	}
	item := items[*o.InvoiceID]
	if item.Open().Cmp(o.Gross()) != 0 {
		return ErrTerms.New("The invoice came to %s and the order to %s: rates have changed since it was ordered. Cancel it and take it in again.",
			item.Open(), o.Gross())
	}
	accounts, err := ledger.AccountCodes(ctx, tx, ledger.RuleAdvancesReceived, ledger.RuleFXGain, ledger.RuleFXLoss)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	base := tx.Company().BaseCurrency
	advance, owed := money.New(paid.BaseMinor, base), money.New(item.BaseAmountMinor, base)
	lines := append([]ledger.Line{
		{AccountCode: accounts[ledger.RuleAdvancesReceived], Debit: o.Gross(), BaseDebit: advance},
		{AccountCode: item.AccountCode, Credit: o.Gross(), BaseCredit: owed},
	}, ledger.ExchangeDifference(accounts, advance.Sub(owed))...)
	_, err = ledger.Post(ctx, tx, ledger.Posting{
		Date: day, Description: "Advance of the order " + o.name(), DocumentType: entity, DocumentID: o.ID, Lines: lines,
	})
	if err != nil {
		return err //nolint:wrapcheck // a refusal as it stands
	}
	return ledger.Settle(ctx, tx, ledger.Settlement{ //nolint:wrapcheck // a refusal as it stands
		Item: item, Amount: o.Gross(), SourceType: paymentSource, SourceID: paid.ID, Date: day,
	})
}

// name is how people know the order.
func (o *Order) name() string {
	if o.ExternalRef != nil {
		return *o.ExternalRef
	}
	return o.ID.String()
}
