package purchase

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
	"github.com/vienkart/vienkart/internal/webhook"
)

// defaultTermDays is when a document falls due that names no day, of a supplier without terms.
const defaultTermDays = 14

// RegisterInput says which draft enters the books.
type RegisterInput struct {
	ID tenant.ID
	// RegistrationDate puts the document into a period, as its receipt does (KD-8517); today when it is the zero Date.
	RegistrationDate date.Date
}

// Register books a draft: posting, open item and VAT register. Codes and amounts are worked out anew, as the supplier stands
// that day. Errors: not_found, purchase.registered, purchase.registration_date, purchase.amount, purchase.over_credited,
// fx.no_rate, those of Create but for the number, and those of ledger.Post.
func Register(ctx context.Context, tx tenant.Tx, in RegisterInput) (*Invoice, error) {
	draft, lines, err := lockDraft(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	before, err := Get(ctx, tx, in.ID)
	if err != nil {
		return nil, err
	}
	day, err := registrationDay(tx, draft, in.RegistrationDate)
	if err != nil {
		return nil, err
	}
	d, err := work(ctx, tx, draft, lines)
	if err != nil {
		return nil, err
	}
	if !d.gross().IsPositive() || d.owed().IsNegative() {
		return nil, ErrAmount.New("The document comes to %s %s; its total must be above zero. A reduction is a credit_note with positive lines.",
			d.gross(), d.Currency).Field("lines", "must add up to more than zero")
	}
	if d.DueDate.IsZero() {
		d.DueDate = d.dueDate()
	}
	row, err := d.book(ctx, tx, day)
	if err != nil {
		return nil, err
	}
	return d.registered(ctx, tx, row, before)
}

func registrationDay(tx tenant.Tx, draft *draftRow, asked date.Date) (date.Date, error) {
	day := asked
	if day.IsZero() {
		day = tx.Today()
	}
	fault := ""
	switch {
	case day.Before(draft.DocumentDate):
		fault = fmt.Sprintf("must not lie before the document, which is of %s", draft.DocumentDate)
	case day.After(tx.Today()):
		fault = fmt.Sprintf("must not lie in the future; today is %s", tx.Today())
	default:
		return day, nil
	}
	return day, ErrRegistrationDate.New("The document cannot be registered on %s: the date %s.", day, fault).
		Field("registrationDate", "%s", fault)
}

func (d *document) dueDate() date.Date {
	switch {
	case d.Type == TypeCreditNote:
		return d.DocumentDate
	case d.supplier.PaymentTermDays != nil:
		return d.DocumentDate.AddDays(*d.supplier.PaymentTermDays)
	}
	return d.DocumentDate.AddDays(defaultTermDays)
}

// rate is units of the currency for one of the base currency: of the day of the supply, and for a note the rate of the invoice
// it corrects, so that the two cancel out. Error: fx.no_rate.
func (d *document) rate(ctx context.Context, tx tenant.Tx) (money.Decimal, error) {
	if d.credited != nil {
		return d.credited.ExchangeRate, nil
	}
	return fx.Rate(ctx, tx, d.Currency, d.setting.day) //nolint:wrapcheck // an error of the API
}

// book posts the document, turns the draft into the registered row, and writes what is owed and the tax facts.
func (d *document) book(ctx context.Context, tx tenant.Tx, day date.Date) (*invoiceRow, error) {
	if err := d.holdCredited(ctx, tx); err != nil {
		return nil, err
	}
	rate, err := d.rate(ctx, tx)
	if err != nil {
		return nil, err
	}
	accounts, err := ledger.AccountCodes(ctx, tx, ledger.RuleDefaultExpense, ledger.RuleVATReceivable, ledger.RuleVATPayable, ledger.RulePayables)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	d.fillAccounts(accounts[ledger.RuleDefaultExpense])
	b := d.reckon(rate, tx.Company().BaseCurrency)
	transaction, err := ledger.Post(ctx, tx, ledger.Posting{
		Date: day, Description: d.description(), DocumentType: entity, DocumentID: d.ID, Lines: b.posting(accounts),
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // an error of the API
	}
	row := &invoiceRow{
		Row: tenant.Row{ID: d.ID}, Header: d.Header, RegistrationDate: day, ExchangeRate: rate,
		JournalTransactionID: transaction.ID, CreatedAt: d.CreatedAt, RegisteredAt: tx.Now(),
	}
	if err := d.move(ctx, tx, row); err != nil {
		return nil, err
	}
	if err := d.open(ctx, tx, day, b.gross, accounts[ledger.RulePayables]); err != nil {
		return nil, err
	}
	return row, d.recordVAT(ctx, tx, day, b.groups)
}

func (d *document) fillAccounts(expense string) {
	for n := range d.lines {
		if d.lines[n].AccountCode == nil {
			d.lines[n].AccountCode = &expense
		}
	}
}

func (d *document) description() string {
	what := "Invoice"
	switch {
	case d.setting.declaration && d.Type == TypeInvoice:
		what = "Customs declaration"
	case d.Type == TypeCreditNote:
		what = "Credit note"
	case d.credited != nil:
		what = "Debit note"
	}
	return fmt.Sprintf("%s %s of %s", what, d.DocumentNumber, d.supplier.Name)
}

// move stores the registered document and removes the draft, whose id it takes over.
func (d *document) move(ctx context.Context, tx tenant.Tx, row *invoiceRow) error {
	if err := tenant.Insert(ctx, tx, row); err != nil {
		return fmt.Errorf("registering: %w", err)
	}
	lines := make([]*invoiceLineRow, len(d.lines))
	for n, l := range d.lines {
		lines[n] = &invoiceLineRow{Row: l.Row, InvoiceID: d.ID, Line: l.Line}
	}
	if err := tenant.Insert(ctx, tx, lines...); err != nil {
		return fmt.Errorf("registering: %w", err)
	}
	if _, err := tenant.Delete[draftRow](ctx, tx, d.ID); err != nil {
		return fmt.Errorf("registering: %w", err)
	}
	return nil
}

// open stores what is owed: to the supplier, or of a credit note by the supplier, after setting it off.
func (d *document) open(ctx context.Context, tx tenant.Tx, day date.Date, base money.Amount, account string) error {
	left, err := d.setOff(ctx, tx, day)
	if err != nil || left.IsZero() {
		return err
	}
	kind := ledger.ItemPayable
	if d.Type == TypeCreditNote {
		kind = ledger.ItemReceivable
	}
	_, err = ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
		Kind: kind, DocumentType: entity, DocumentID: d.ID, DocumentNumber: d.DocumentNumber, PartnerID: d.PartnerID,
		AccountCode: account, DocumentDate: d.DocumentDate, DueDate: d.DueDate, Amount: left,
		BaseAmount: portion(base, left, d.owed()),
	})
	return err //nolint:wrapcheck // says what was opened
}

// portion is part/whole of an amount, rounded half away from zero.
func portion(amount, part, whole money.Amount) money.Amount {
	if part == whole {
		return amount
	}
	c := amount.Currency()
	exact := amount.Decimal().Mul(part.Decimal()).Div(whole.Decimal(), int32(c.MinorUnits())) //nolint:gosec // 0 to 4
	return money.RoundHalfAwayFromZero(exact, c)
}

// recordVAT writes the tax facts. A document without any is not in the register.
func (d *document) recordVAT(ctx context.Context, tx tenant.Tx, day date.Date, groups []register.Group) error {
	if len(groups) == 0 {
		return nil
	}
	facts := register.Document{
		Direction: register.Purchases, RegisterDate: day, Type: entity, ID: d.ID, Number: d.DocumentNumber, Date: d.DocumentDate,
		SupplyDate: d.SupplyDate, InvoiceType: register.Invoice, Event: register.Recorded,
		SpecialTaxation: d.SpecialTaxation, Groups: groups,
		Partner: register.Partner{
			ID: d.supplier.ID, Name: d.supplier.Name, Code: d.supplier.Code, VATCode: d.supplier.VATCode, Country: d.supplier.CountryCode,
		},
	}
	switch {
	case d.Type == TypeCreditNote:
		facts.InvoiceType = register.CreditNote
	case d.credited != nil:
		facts.InvoiceType = register.DebitNote
	}
	if d.credited != nil {
		facts.AdjustsNumber, facts.AdjustsDate = d.credited.DocumentNumber, d.credited.DocumentDate
	}
	return register.Record(ctx, tx, facts) //nolint:wrapcheck // says what was recorded
}

// registered tells the log and the receivers of events, and shows the document as it is now.
func (d *document) registered(ctx context.Context, tx tenant.Tx, row *invoiceRow, before *Invoice) (*Invoice, error) {
	i := d.draft()
	i.Status, i.UpdatedAt = StatusRegistered, row.RegisteredAt
	i.RegistrationDate, i.ExchangeRate, i.JournalTransactionID = row.RegistrationDate, row.ExchangeRate, &row.JournalTransactionID
	i.DuplicateOfID, i.DuplicateReason = before.DuplicateOfID, before.DuplicateReason
	i.DuplicateIDs, i.Warnings = before.DuplicateIDs, before.Warnings
	items, err := ledger.ItemsOf(ctx, tx, i.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	i.SettledMinor = i.GrossMinor - items[i.ID].OpenMinor
	if err := record(ctx, tx, "registered", i.ID, before.Card(), i.Card()); err != nil {
		return nil, err
	}
	event := webhook.Event{Type: entity + ".registered", ObjectType: entity, ObjectID: i.ID}
	return i, webhook.Publish(ctx, tx, event) //nolint:wrapcheck // says what was published
}
