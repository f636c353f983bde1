package bank

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/bank/pain"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// MaxPayments is how many invoices one payment file takes: the answer that holds it is kept for a retry, and has a limit.
const MaxPayments = 250

// entityExport names a payment file in the audit log.
const entityExport = "bank_payment_export"

// PaymentExport is a payment file that was given out. The file itself is not kept: it is made of what is.
type PaymentExport struct {
	tenant.Row
	BankAccountID    tenant.ID
	MessageID        string
	ExecutionDate    date.Date
	TransactionCount int
	Currency         money.Currency
	TotalMinor       int64
	CreatedAt        clock.Time
}

// TableName names the table for the mapper.
func (PaymentExport) TableName() string { return "bank_payment_exports" }

// Total is the control sum of the file.
func (e PaymentExport) Total() money.Amount { return money.New(e.TotalMinor, e.Currency) }

// FileName is how the file may be called.
func (e PaymentExport) FileName() string {
	return fmt.Sprintf("pain.001-%s-%s.xml", e.ExecutionDate, e.MessageID)
}

// paymentOrder is one payment of a file. A document has one order, unless another was asked for expressly.
type paymentOrder struct {
	tenant.Row
	ExportID     tenant.ID
	OpenItemID   tenant.ID
	Attempt      int
	AmountMinor  int64
	CreditorIBAN string
	CreatedAt    clock.Time
}

// TableName names the table for the mapper.
func (paymentOrder) TableName() string { return "bank_payment_orders" }

// ExportInput asks for a payment file.
type ExportInput struct {
	BankAccountID tenant.ID
	// InvoiceIDs are supplier invoices, each once.
	InvoiceIDs []tenant.ID
	// ExecutionDate is zero for today.
	ExecutionDate date.Date
	// CreditorIBANs are the accounts to pay to, by partner. For a partner not in it the account serves that the latest
	// matched payment to it went to.
	CreditorIBANs map[tenant.ID]string
	// Again lets invoices into the file that are in one already.
	Again bool
}

// ExportPayments makes a payment file, pain.001.001.09, for what is open on supplier invoices. It pays and posts nothing:
// that is for the bank, and for the match of the transaction that follows.
//
// Errors: validation, bank.unknown_account, bank.account_inactive, bank.no_iban, bank.not_euro, bank.execution_date_past,
// bank.not_payable, bank.nothing_open, bank.already_exported, bank.no_creditor_iban, bank.payment_too_large.
func ExportPayments(ctx context.Context, tx tenant.Tx, in ExportInput) (*PaymentExport, []byte, error) {
	account, err := inUse(ctx, tx, in.BankAccountID)
	if err != nil {
		return nil, nil, err
	}
	if in.ExecutionDate.IsZero() {
		in.ExecutionDate = tx.Today()
	}
	if err := in.check(account, tx.Today()); err != nil {
		return nil, nil, err
	}
	items, err := payables(ctx, tx, in.InvoiceIDs)
	if err != nil {
		return nil, nil, err
	}
	attempts, err := in.attempts(ctx, tx, items)
	if err != nil {
		return nil, nil, err
	}
	creditors, err := in.creditors(ctx, tx, items)
	if err != nil {
		return nil, nil, err
	}
	id := tenant.NewID()
	order := pain.Order{
		MessageID: "VK" + hex.EncodeToString(id[:]), Created: tx.Now().Time, Debtor: tx.Company().Name, DebtorIBAN: *account.IBAN,
		ExecutionDate: in.ExecutionDate,
	}
	orders := make([]*paymentOrder, len(items))
	for i, item := range items {
		c := creditors[item.PartnerID]
		order.Payments = append(order.Payments, pain.Payment{
			DocumentNumber: item.DocumentNumber, Amount: item.Open(), Creditor: c.Name, CreditorIBAN: c.IBAN,
		})
		orders[i] = &paymentOrder{
			ExportID: id, OpenItemID: item.ID, Attempt: attempts[item.ID] + 1, AmountMinor: item.OpenMinor, CreditorIBAN: c.IBAN, CreatedAt: tx.Now(),
		}
	}
	file, err := order.Marshal()
	if err != nil {
		return nil, nil, fmt.Errorf("exporting payments: %w", err)
	}
	export := &PaymentExport{
		Row: tenant.Row{ID: id}, BankAccountID: account.ID, MessageID: order.MessageID, ExecutionDate: in.ExecutionDate,
		TransactionCount: len(orders), Currency: account.Currency, TotalMinor: order.Total().Minor(), CreatedAt: tx.Now(),
	}
	return export, file, export.store(ctx, tx, orders, in.InvoiceIDs)
}

// check refuses what no file can pay.
func (in ExportInput) check(account *Account, today date.Date) error {
	if len(in.InvoiceIDs) == 0 || len(in.InvoiceIDs) > MaxPayments {
		return apperr.Invalid("purchaseInvoiceIds", "must have 1 to %d ids", MaxPayments)
	}
	seen := map[tenant.ID]bool{}
	for i, id := range in.InvoiceIDs {
		if seen[id] {
			return apperr.Invalid(fmt.Sprintf("purchaseInvoiceIds.%d", i), "is given twice")
		}
		seen[id] = true
	}
	for partner, iban := range in.CreditorIBANs {
		if err := identifier.CheckIBAN(identifier.NormalizeIBAN(iban)); err != nil {
			return apperr.Invalid("creditorIbans."+partner.String(), "%s", err.Error())
		}
	}
	switch {
	case account.IBAN == nil:
		return ErrNoIBAN.New("The bank account %s has no IBAN; add it to the account first.", account.Name).Field("bankAccountId", "has no IBAN")
	case account.Currency != money.EUR:
		return ErrNotEuro.New("The bank account %s is in %s; SEPA credit transfers are in EUR.", account.Name, account.Currency).
			Field("bankAccountId", "is in %s", account.Currency)
	case in.ExecutionDate.Before(today):
		return ErrExecutionDate.New("The day %s has passed; today is %s.", in.ExecutionDate, today).
			Field("executionDate", "must be %s or later", today)
	}
	return nil
}

// payables holds the open items of the invoices, in the order given, and refuses what cannot be paid.
func payables(ctx context.Context, tx tenant.Tx, invoices []tenant.ID) ([]*ledger.OpenItem, error) {
	held, err := ledger.LockItems(ctx, tx, invoices...)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was held
	}
	items := make([]*ledger.OpenItem, len(invoices))
	for i, id := range invoices {
		at := fmt.Sprintf("purchaseInvoiceIds.%d", i)
		item, ok := held[id]
		switch {
		case !ok || item.DocumentType != string(PurchaseInvoice) || item.Kind != ledger.ItemPayable:
			return nil, ErrNotPayable.New("%s is no registered supplier invoice on which the company owes.", id).
				Field(at, "is no invoice to pay")
		case item.Settled():
			return nil, ErrNothingOpen.New("Nothing is open on %s: it is already settled.", item.DocumentNumber).
				Field(at, "is settled").Detail("documentId", id)
		case item.Currency != money.EUR:
			return nil, ErrNotEuro.New("The invoice %s is in %s; SEPA credit transfers are in EUR.", item.DocumentNumber, item.Currency).
				Field(at, "is in %s", item.Currency)
		case item.OpenMinor > pain.MaxAmount:
			return nil, ErrPaymentTooLarge.New("%s EUR are open on %s; a SEPA credit transfer takes up to %s.",
				item.Open(), item.DocumentNumber, money.New(pain.MaxAmount, money.EUR)).Field(at, "is too large for one payment")
		}
		items[i] = item
	}
	return items, nil
}

// attempts are how often each item is in a payment file already; more than never is refused unless it was asked for.
func (in ExportInput) attempts(ctx context.Context, tx tenant.Tx, items []*ledger.OpenItem) (map[tenant.ID]int, error) {
	ids := make([]tenant.ID, len(items))
	for i, item := range items {
		ids[i] = item.ID
	}
	before, err := tenant.Find[paymentOrder](ctx, tx, "open_item_id IN ?", ids)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	attempts := map[tenant.ID]int{}
	for _, order := range before {
		if !in.Again {
			i := slices.Index(ids, order.OpenItemID)
			return nil, ErrAlreadyExported.New("The invoice %s is in a payment file of %s already. Send exportAgain to put it into another.",
				items[i].DocumentNumber, order.CreatedAt.Format(date.Layout)).Field(fmt.Sprintf("purchaseInvoiceIds.%d", i), "was exported before").
				Detail("existingId", order.ExportID).Detail("documentId", items[i].DocumentID).Detail("index", "one payment order per invoice")
		}
		attempts[order.OpenItemID] = max(attempts[order.OpenItemID], order.Attempt)
	}
	return attempts, nil
}

// exportView is a payment file in the audit log.
type exportView struct {
	ID               tenant.ID    `json:"id"`
	MessageID        string       `json:"messageId"`
	BankAccountID    tenant.ID    `json:"bankAccountId"`
	ExecutionDate    date.Date    `json:"executionDate"`
	TransactionCount int          `json:"transactionCount"`
	ControlSum       money.Amount `json:"controlSum"`
	Invoices         []tenant.ID  `json:"purchaseInvoiceIds"`
}

func (e *PaymentExport) store(ctx context.Context, tx tenant.Tx, orders []*paymentOrder, invoices []tenant.ID) error {
	if err := tenant.Insert(ctx, tx, e); err != nil {
		return err //nolint:wrapcheck // says what was stored
	}
	err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, orders...), "bank_payment_orders_attempt", tenant.RunAgain)
	if err != nil {
		return fmt.Errorf("exporting payments: %w", err)
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "bank_payments.exported", Entity: entityExport, EntityID: e.ID.String(),
		After: exportView{e.ID, e.MessageID, e.BankAccountID, e.ExecutionDate, e.TransactionCount, e.Total(), invoices},
	})
}
