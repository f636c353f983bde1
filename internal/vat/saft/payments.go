package saft

import (
	"context"
	"fmt"
	"iter"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// payment is money that settled a document or paid an order. Payouts of payment providers are in the journal alone: they belong to
// no single partner.
type payment struct {
	ID              tenant.ID
	TransactionID   tenant.ID
	TransactionDate date.Date
	Description     *string
	IBAN            *string `gorm:"column:iban"`
	DocumentNumber  *string
	AccountCode     string
	CustomerID      *tenant.ID
	SupplierID      *tenant.ID
	Currency        money.Currency
	// AmountMinor and BaseMinor are positive for money that came in.
	AmountMinor int64
	BaseMinor   int64
}

func (p payment) isCredit() bool { return p.AmountMinor >= 0 }

func (p payment) sides(base money.Currency) (debit, credit money.Amount) {
	none, amount := money.Zero(base), money.New(p.BaseMinor, base).Abs()
	if p.isCredit() {
		return none, amount
	}
	return amount, none
}

func paymentsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[payment, error] {
	return together(bankPaymentsOf(ctx, r, o), orderPaymentsOf(ctx, r, o))
}

func bankPaymentsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[payment, error] {
	return paged(func(after *payment) ([]payment, error) {
		day, id := after.place(o)
		rows, err := tenant.Query[payment](ctx, r, `SELECT m.id, t.id AS transaction_id, t.transaction_date, b.description, k.iban,
				i.document_number, g.code AS account_code,
				CASE WHEN i.document_type <> 'purchase_invoice' THEN i.partner_id END AS customer_id,
				CASE WHEN i.document_type = 'purchase_invoice' THEN i.partner_id END AS supplier_id, b.currency, b.amount_minor,
				COALESCE((SELECT SUM(e.base_debit_minor - e.base_credit_minor) FROM journal_entries e
					JOIN ledger_accounts x ON x.company_id = e.company_id AND x.id = e.account_id
					WHERE e.company_id = t.company_id AND e.transaction_id = t.id AND x.code = k.account_code), 0) AS base_minor
			FROM bank_matches m JOIN journal_transactions t ON t.company_id = m.company_id AND t.id = m.journal_transaction_id
			JOIN bank_transactions b ON b.company_id = m.company_id AND b.id = m.transaction_id
			JOIN bank_accounts k ON k.company_id = b.company_id AND k.id = b.bank_account_id
			JOIN open_items i ON i.company_id = m.company_id AND i.document_id = m.document_id
			JOIN ledger_accounts g ON g.company_id = i.company_id AND g.id = i.account_id
			WHERE m.company_id = @company AND t.transaction_date BETWEEN ? AND ? AND (t.transaction_date > ? OR m.id > ?)
			ORDER BY t.transaction_date, m.id LIMIT ?`, day, o.To, day, id, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading payments: %w", err)
		}
		return rows, nil
	})
}

// orderPaymentsOf reads payments that were confirmed with orders, from the journal entry that credits the customer.
func orderPaymentsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[payment, error] {
	return paged(func(after *payment) ([]payment, error) {
		day, id := after.place(o)
		rows, err := tenant.Query[payment](ctx, r, `SELECT m.id, t.id AS transaction_id, t.transaction_date, t.description,
				o.external_ref AS document_number, o.partner_id AS customer_id, m.currency, m.amount_minor, m.base_minor,
				COALESCE((SELECT x.code FROM journal_entries e JOIN ledger_accounts x ON x.company_id = e.company_id AND x.id = e.account_id
					WHERE e.company_id = t.company_id AND e.transaction_id = t.id AND e.credit_minor > 0
					ORDER BY e.line_no LIMIT 1), '') AS account_code
			FROM order_payments m JOIN journal_transactions t ON t.company_id = m.company_id AND t.id = m.journal_transaction_id
			JOIN orders o ON o.company_id = m.company_id AND o.id = m.order_id
			WHERE m.company_id = @company AND t.transaction_date BETWEEN ? AND ? AND (t.transaction_date > ? OR m.id > ?)
			ORDER BY t.transaction_date, m.id LIMIT ?`, day, o.To, day, id, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading payments of orders: %w", err)
		}
		return rows, nil
	})
}

func (p *payment) place(o Options) (date.Date, tenant.ID) {
	if p == nil {
		return o.From, tenant.ID{}
	}
	return p.TransactionDate, p.ID
}

func (f *file) paid() error {
	base := f.content.company.BaseCurrency
	t, err := reckon(base, f.content.payments, func(p payment) (money.Amount, money.Amount) { return p.sides(base) })
	if err != nil || t.count == 0 {
		return err
	}
	f.markup.write("<Payments>\n")
	f.totals(t)
	err = each(f, f.content.payments, func(p payment) {
		f.summary.Payments++
		f.payment(p)
	})
	f.markup.write("</Payments>\n")
	return err
}

func (f *file) payment(p payment) {
	base := money.New(p.BaseMinor, f.content.company.BaseCurrency)
	method := "KT"
	if p.IBAN != nil {
		method = "BP"
	}
	f.in("Payment", func() {
		f.text("PaymentRefNo", lengthMiddle, short(p.ID))
		f.text("PeriodYear", lengthCode, itoa(p.TransactionDate.Year()))
		f.text("TransactionID", lengthName, p.TransactionID.String())
		f.day("TransactionDate", p.TransactionDate)
		f.text("PaymentMethod", lengthCode, method)
		f.bankAccount(deref(p.IBAN))
		f.text("Description", lengthLong, deref(p.Description))
		f.in("Lines", func() {
			f.in("Line", func() {
				f.text("LineNumber", lengthShort, "1")
				f.optional("SourceDocumentID", lengthMiddle, deref(p.DocumentNumber))
				f.text("AccountID", lengthName, p.AccountCode)
				f.text("CustomerID", lengthMiddle, shortOrEmpty(p.CustomerID))
				f.text("SupplierID", lengthMiddle, shortOrEmpty(p.SupplierID))
				f.indicator(p.isCredit())
				f.amounts("PaymentLineAmount", base, money.New(p.AmountMinor, p.Currency))
			})
		})
		f.amount("GrossTotal", base)
	})
}
