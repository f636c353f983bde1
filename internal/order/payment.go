package order

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// PaymentInput confirms that an order was paid.
type PaymentInput struct {
	OrderID  tenant.ID
	Amount   string
	Currency money.Currency
}

// ConfirmPayment books the payment of an order, once: confirmed again it gives the same payment and has no second effect.
// Errors: not_found, order.cancelled, order.payment_differs, ledger.period_locked, fx.no_rate.
func ConfirmPayment(ctx context.Context, tx tenant.Tx, in PaymentInput) (*Payment, error) {
	o, err := lock(ctx, tx, in.OrderID)
	if err != nil {
		return nil, err
	}
	if err := o.refuseCancelled(); err != nil {
		return nil, err
	}
	if err := o.check(in); err != nil {
		return nil, err
	}
	paid, err := o.payment(ctx, tx)
	if err != nil || paid != nil {
		return paid, err
	}
	paid, err = o.book(ctx, tx)
	if err != nil {
		return nil, err
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, paid), "order_payments_order",
		tenant.RunAgain) // it finds the winner's payment
	if err != nil {
		return nil, err
	}
	if err := webhook.Publish(ctx, tx, webhook.Event{Type: "order.paid", ObjectType: entity, ObjectID: o.ID}); err != nil {
		return nil, err //nolint:wrapcheck // says what was published
	}
	return paid, o.record(ctx, tx, "order.paid", nil)
}

// check refuses a payment of another amount or in another currency.
func (o *Order) check(in PaymentInput) error {
	differs := ErrPayment.New("The order comes to %s %s.", o.Gross(), o.Currency)
	if in.Currency != o.Currency {
		return differs.Field("currency", "must be %s", o.Currency)
	}
	amount, err := money.Parse(in.Amount, o.Currency)
	if err != nil {
		return differs.Field("amount", "%s", err.Error())
	}
	if amount.Cmp(o.Gross()) != 0 {
		return differs.Field("amount", "must be %s", o.Gross())
	}
	return nil
}

func (o *Order) payment(ctx context.Context, r tenant.Reader) (*Payment, error) {
	return tenant.First[Payment](ctx, r, "order_id = ?", o.ID) //nolint:wrapcheck // says what was read
}

// book posts the money: against the invoice where there is one, else as the customer's advance.
func (o *Order) book(ctx context.Context, tx tenant.Tx) (*Payment, error) {
	day, base := tx.Today(), tx.Company().BaseCurrency
	rate, err := fx.Rate(ctx, tx, o.Currency, day)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	received := fx.ToBase(o.Gross(), rate, base)
	paid := &Payment{
		Row: tenant.Row{ID: tenant.NewID()}, OrderID: o.ID, Currency: o.Currency, AmountMinor: o.GrossMinor, BaseMinor: received.Minor(), PaidAt: tx.Now(),
	}
	accounts, err := ledger.AccountCodes(ctx, tx, ledger.RuleMoneyInTransit, ledger.RuleAdvancesReceived, ledger.RuleFXGain, ledger.RuleFXLoss)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	lines := []ledger.Line{
		{AccountCode: accounts[ledger.RuleMoneyInTransit], Debit: o.Gross(), BaseDebit: received},
		{AccountCode: accounts[ledger.RuleAdvancesReceived], Credit: o.Gross(), BaseCredit: received},
	}
	if o.InvoiceID != nil {
		if lines, err = o.settleInvoice(ctx, tx, paid, accounts, lines); err != nil {
			return nil, err
		}
	}
	posted, err := ledger.Post(ctx, tx, ledger.Posting{
		Date: day, Description: "Payment of the order " + o.name(), DocumentType: entity, DocumentID: o.ID, Lines: lines,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	paid.JournalTransactionID = posted.ID
	return paid, nil
}

// settleInvoice takes the payment off the invoice as far as it is open; the rest stays the customer's advance.
func (o *Order) settleInvoice(
	ctx context.Context, tx tenant.Tx, paid *Payment, accounts map[ledger.Rule]string, lines []ledger.Line,
) ([]ledger.Line, error) {
	if err := ledger.HoldOpen(ctx, tx, tx.Today()); err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	items, err := ledger.LockItems(ctx, tx, *o.InvoiceID)
	if err != nil {
		return nil, fmt.Errorf("holding the open item of the invoice: %w", err)
	}
	item := items[*o.InvoiceID]
	if item.Open().Cmp(o.Gross()) != 0 {
		return lines, nil // credited or paid in part meanwhile: a person decides what the money is for
	}
	base := tx.Company().BaseCurrency
	owed, received := money.New(item.BaseAmountMinor, base), money.New(paid.BaseMinor, base)
	lines[1] = ledger.Line{AccountCode: item.AccountCode, Credit: o.Gross(), BaseCredit: owed}
	lines = append(lines, ledger.ExchangeDifference(accounts, received.Sub(owed))...)
	err = ledger.Settle(ctx, tx, ledger.Settlement{
		Item: item, Amount: o.Gross(), SourceType: paymentSource, SourceID: paid.ID, Date: tx.Today(),
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	return lines, webhook.Publish(ctx, tx, webhook.Event{Type: "sale_invoice.paid", ObjectType: "sale_invoice", ObjectID: *o.InvoiceID}) //nolint:wrapcheck // says what was published
}
