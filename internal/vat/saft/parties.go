package saft

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// party is a customer or a supplier with what is owed on each account; positive is owed to the company.
type party struct {
	partyRow
	balances []partyBalance
	open     []openDocument
}

type partyRow struct {
	ID          tenant.ID
	Type        string
	Name        string
	Code        *string
	VATCode     *string `gorm:"column:vat_code"`
	Street      *string
	City        *string
	PostalCode  *string
	CountryCode *string
}

type partyBalance struct {
	account          string
	opening, closing money.Amount
}

// openDocument is a document that is not settled on the last day.
type openDocument struct {
	number        string
	day           date.Date
	transactionID string
	// amount and open are in the base currency, own and ownOpen in that of the document.
	amount, open, own, ownOpen money.Amount
	isCredit                   bool
}

// itemRow is an open item with what of it was settled before the first day and by the last.
type itemRow struct {
	PartnerID       tenant.ID
	AccountCode     string
	Kind            ledger.ItemKind
	DocumentNumber  string
	DocumentDate    date.Date
	Currency        money.Currency
	AmountMinor     int64
	BaseAmountMinor int64
	SettledBefore   int64
	SettledThrough  int64
	TransactionID   *tenant.ID
}

// customersOf reads the customers that the period is about: those of its transactions, and those with an open item.
func customersOf(ctx context.Context, r tenant.ReadTx, o Options, d debts) iter.Seq2[party, error] {
	return paged(func(after *party) ([]party, error) {
		rows, err := tenant.Query[partyRow](ctx, r, `SELECT p.id, p.type, p.name, p.code, p.vat_code, p.street, p.city, p.postal_code, p.country_code
			FROM partners p WHERE p.company_id = @company AND p.id > ? AND (
				EXISTS (SELECT 1 FROM sales_invoices s JOIN journal_transactions t ON t.company_id = s.company_id AND t.document_id = s.id
					WHERE s.company_id = p.company_id AND s.partner_id = p.id AND t.transaction_date BETWEEN ? AND ?)
				OR EXISTS (SELECT 1 FROM orders o JOIN journal_transactions t ON t.company_id = o.company_id AND t.document_id = o.id
					WHERE o.company_id = p.company_id AND o.partner_id = p.id AND t.transaction_date BETWEEN ? AND ?)
				OR EXISTS (SELECT 1 FROM open_items i WHERE i.company_id = p.company_id AND i.partner_id = p.id
					AND i.document_type <> 'purchase_invoice' AND i.document_date <= ? AND i.amount_minor <>
						(SELECT COALESCE(SUM(a.amount_minor), 0) FROM open_item_allocations a
						WHERE a.company_id = i.company_id AND a.open_item_id = i.id AND a.allocation_date < ?)))
			ORDER BY p.id LIMIT ?`, idOf(after), o.From, o.To, o.From, o.To, o.To, o.From, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading customers: %w", err)
		}
		items, err := itemsOf(ctx, r, o, rows, false)
		return parties(r, o, rows, items, d.receivable), err
	})
}

func suppliersOf(ctx context.Context, r tenant.ReadTx, o Options, d debts) iter.Seq2[party, error] {
	return paged(func(after *party) ([]party, error) {
		rows, err := tenant.Query[partyRow](ctx, r, `SELECT p.id, p.type, p.name, p.code, p.vat_code, p.street, p.city, p.postal_code, p.country_code
			FROM partners p WHERE p.company_id = @company AND p.id > ? AND (
				EXISTS (SELECT 1 FROM purchase_invoices s JOIN journal_transactions t ON t.company_id = s.company_id AND t.document_id = s.id
					WHERE s.company_id = p.company_id AND s.partner_id = p.id AND t.transaction_date BETWEEN ? AND ?)
				OR EXISTS (SELECT 1 FROM open_items i WHERE i.company_id = p.company_id AND i.partner_id = p.id
					AND i.document_type = 'purchase_invoice' AND i.document_date <= ? AND i.amount_minor <>
						(SELECT COALESCE(SUM(a.amount_minor), 0) FROM open_item_allocations a
						WHERE a.company_id = i.company_id AND a.open_item_id = i.id AND a.allocation_date < ?)))
			ORDER BY p.id LIMIT ?`, idOf(after), o.From, o.To, o.To, o.From, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading suppliers: %w", err)
		}
		items, err := itemsOf(ctx, r, o, rows, true)
		return parties(r, o, rows, items, d.payable), err
	})
}

func idOf(p *party) tenant.ID {
	if p == nil {
		return tenant.ID{}
	}
	return p.ID
}

// itemsOf reads the items of parties that matter for the period, of purchases or of all else.
func itemsOf(ctx context.Context, r tenant.ReadTx, o Options, rows []partyRow, ofPurchases bool) ([]itemRow, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]tenant.ID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	items, err := tenant.Query[itemRow](ctx, r, `SELECT i.partner_id, g.code AS account_code, i.kind, i.document_number, i.document_date,
			i.currency, i.amount_minor, i.base_amount_minor,
			COALESCE((SELECT SUM(a.amount_minor) FROM open_item_allocations a
				WHERE a.company_id = i.company_id AND a.open_item_id = i.id AND a.allocation_date < ?), 0) AS settled_before,
			COALESCE((SELECT SUM(a.amount_minor) FROM open_item_allocations a
				WHERE a.company_id = i.company_id AND a.open_item_id = i.id AND a.allocation_date <= ?), 0) AS settled_through,
			(SELECT MIN(t.id) FROM journal_transactions t
				WHERE t.company_id = i.company_id AND t.document_id = i.document_id) AS transaction_id
		FROM open_items i JOIN ledger_accounts g ON g.company_id = i.company_id AND g.id = i.account_id
		WHERE i.company_id = @company AND i.partner_id IN ? AND i.document_date <= ?
			AND CASE WHEN i.document_type = 'purchase_invoice' THEN 1 ELSE 0 END = ?
		ORDER BY i.document_date, i.id`, o.From, o.To, ids, o.To, ofPurchases)
	if err != nil {
		return nil, fmt.Errorf("reading open items: %w", err)
	}
	return items, nil
}

// parties adds up items by party and account. A party without any has the usual account, for the schema demands one.
func parties(r tenant.ReadTx, o Options, rows []partyRow, items []itemRow, usual string) []party {
	base := r.Company().BaseCurrency
	list := make([]party, len(rows))
	position := map[tenant.ID]int{}
	for i, row := range rows {
		list[i].partyRow, position[row.ID] = row, i
	}
	for _, item := range items {
		list[position[item.PartnerID]].add(item, o, base)
	}
	for i := range list {
		if len(list[i].balances) == 0 {
			list[i].balances = []partyBalance{{usual, money.Zero(base), money.Zero(base)}}
		}
		slices.SortFunc(list[i].balances, func(a, b partyBalance) int { return cmp.Compare(a.account, b.account) })
	}
	return list
}

func (p *party) add(item itemRow, o Options, base money.Currency) {
	before, through := item.baseOf(item.AmountMinor-item.SettledBefore, base), item.baseOf(item.AmountMinor-item.SettledThrough, base)
	if !item.DocumentDate.Before(o.From) {
		before = money.Zero(base)
	}
	isCredit := item.Kind == ledger.ItemPayable
	if item.AmountMinor != item.SettledThrough {
		entry := openDocument{
			number: item.DocumentNumber, day: item.DocumentDate, amount: money.New(item.BaseAmountMinor, base), open: through,
			own: money.New(item.AmountMinor, item.Currency), ownOpen: money.New(item.AmountMinor-item.SettledThrough, item.Currency),
			isCredit: isCredit,
		}
		if item.TransactionID != nil {
			entry.transactionID = item.TransactionID.String()
		}
		p.open = append(p.open, entry)
	}
	if isCredit {
		before, through = before.Neg(), through.Neg()
	}
	i := slices.IndexFunc(p.balances, func(b partyBalance) bool { return b.account == item.AccountCode })
	if i < 0 {
		i = len(p.balances)
		p.balances = append(p.balances, partyBalance{item.AccountCode, money.Zero(base), money.Zero(base)})
	}
	p.balances[i].opening = p.balances[i].opening.Add(before)
	p.balances[i].closing = p.balances[i].closing.Add(through)
}

// baseOf is the share of a part of an item in the base currency.
func (i itemRow) baseOf(part int64, base money.Currency) money.Amount {
	whole := money.New(i.BaseAmountMinor, base)
	if part == i.AmountMinor || i.AmountMinor == 0 {
		return whole
	}
	exact := whole.Decimal().Mul(money.DecimalFromInt(part)).Div(money.DecimalFromInt(i.AmountMinor), int32(base.MinorUnits())) //nolint:gosec // 0 to 4
	return money.RoundHalfAwayFromZero(exact, base)
}

// origin is the country of a party: that on its card, else that of its VAT number, else none.
func origin(country, vatCode *string) string {
	if country != nil {
		return *country
	}
	if vatCode != nil {
		if of, ok := identifier.VATCountry(*vatCode); ok {
			return of
		}
	}
	return ""
}

func (f *file) party(element string, p party) {
	country := origin(p.CountryCode, p.VATCode)
	f.in(element, func() {
		f.optional("RegistrationNumber", lengthMiddle, deref(p.Code))
		f.text("Name", lengthName, p.Name)
		f.address(deref(p.Street), deref(p.City), deref(p.PostalCode), country)
		if number := deref(p.VATCode); number != "" {
			f.registration(number, "PVM", country)
		} else if code := deref(p.Code); code != "" {
			f.registration(code, codeSort(country), country)
		}
		f.text(element+"ID", lengthMiddle, short(p.ID))
		if element == "Supplier" {
			// Nobody issues invoices for a supplier here; the schema demands the element.
			f.text("SelfBillingIndicator", lengthCode, "")
		}
		for _, b := range p.balances {
			f.in("Accounts", func() {
				f.text("AccountID", lengthName, b.account)
				f.balance("Opening", b.opening)
				f.balance("Closing", b.closing)
			})
		}
		if len(p.open) > 0 {
			f.openDocuments(element, p.open)
		}
	})
}

// codeSort is the register that a code without a VAT number is of: that of Lithuanian taxpayers, or another.
func codeSort(country string) string {
	if country == "LT" {
		return "MMR"
	}
	return "KT"
}

func (f *file) openDocuments(element string, documents []openDocument) {
	name := "OpenSalesInvoice"
	if element == "Supplier" {
		name = "OpenPurchaseInvoice"
	}
	f.in(name+"s", func() {
		for _, d := range documents {
			f.in(name, func() {
				f.text("InvoiceNo", lengthName, d.number)
				f.day("InvoiceDate", d.day)
				f.day("GLPostingDate", d.day)
				f.text("TransactionID", lengthName, d.transactionID)
				f.openAmount("", "CurrencyCode1", d.amount, d.own)
				f.openAmount("Unpaid", "CurrencyCode", d.open, d.ownOpen)
				f.indicator(d.isCredit)
			})
		}
	})
}

// openAmount writes an amount of an open document, with that in its own currency when it has another one than the books.
func (f *file) openAmount(which, currency string, base, own money.Amount) {
	f.amount(which+"Amount", base)
	if own.Currency() != base.Currency() {
		f.amount("Currency"+which+"Amount", own)
		f.text(currency, lengthCode, own.Currency().Code())
	}
}
