package invoice

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// ApplyAdvanceInput takes an advance off an invoice.
type ApplyAdvanceInput struct {
	AdvanceID tenant.ID
	InvoiceID tenant.ID
	// Date is by default today, and not before either document.
	Date date.Date
}

// ApplyAdvance takes an issued advance off an issued invoice, as a whole: what was booked as received before turns into
// settlement of the invoice, and its VAT, which the advance has declared, is taken off the invoice's. Whether the advance was paid
// does not matter: what is owed on it stays owed.
//
// Errors: not_found for the invoice, invoice.advance_not_applicable, invoice.not_issued, invoice.dates, invoice.cancelled,
// invoice.advance_already_applied, invoice.advance_credited, invoice.advance_exceeds_open, ledger.period_locked.
func ApplyAdvance(ctx context.Context, tx tenant.Tx, in ApplyAdvanceInput) (*Document, error) {
	a, err := readApplication(ctx, tx, in)
	if err != nil {
		return nil, err
	}
	if err := a.hold(ctx, tx); err != nil {
		return nil, err
	}
	posted, err := a.post(ctx, tx)
	if err != nil {
		return nil, err
	}
	row := &applicationRow{
		AdvanceID: a.advance.ID, InvoiceID: a.invoice.ID, ApplicationDate: a.day, JournalTransactionID: posted.ID, CreatedAt: tx.Now(),
	}
	if err := tenant.Insert(ctx, tx, row); err != nil {
		return nil, fmt.Errorf("taking the advance off the invoice: %w", err)
	}
	err = ledger.Settle(ctx, tx, ledger.Settlement{
		Item: a.item, Amount: a.sums.gross(), SourceType: ledger.SourceAdvance, SourceID: a.advance.ID, Date: a.day,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was settled
	}
	if err := a.recordVAT(ctx, tx); err != nil {
		return nil, err
	}
	err = audit.Record(ctx, tx, audit.Entry{
		Action: "sale_invoice.advance_applied", Entity: documentType, EntityID: a.invoice.ID.String(),
		After: applicationView{a.advance.ID, a.invoice.ID, a.day, a.sums.gross()},
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was recorded
	}
	return Get(ctx, tx, a.invoice.ID)
}

// applicationView is the use of an advance in the audit log.
type applicationView struct {
	AdvanceID tenant.ID    `json:"advanceId"`
	InvoiceID tenant.ID    `json:"invoiceId"`
	Date      date.Date    `json:"date"`
	Amount    money.Amount `json:"amount"`
}

// application is an advance on its way into an invoice.
type application struct {
	advance *adjusted
	invoice *invoiceRow
	buyer   *partner.Partner
	day     date.Date
	item    *ledger.OpenItem // of the invoice, held
	booked  []bookedGroup
	sums    sums
}

func readApplication(ctx context.Context, tx tenant.Tx, in ApplyAdvanceInput) (*application, error) {
	row, err := issued(ctx, tx, in.InvoiceID)
	if err != nil {
		return nil, err
	}
	advance, err := readAdjusted(ctx, tx, in.AdvanceID)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, ErrNotApplicable.New("There is no issued advance with the id %s.", in.AdvanceID).
			Field("advanceId", "names no issued advance")
	}
	if err != nil {
		return nil, err
	}
	a := &application{advance: advance, invoice: row, day: in.Date}
	if a.day.IsZero() {
		a.day = tx.Today()
	}
	if err := a.check(tx.Today()); err != nil {
		return nil, err
	}
	a.buyer, err = partner.Get(ctx, tx, row.PartnerID)
	return a, err //nolint:wrapcheck // says what was read
}

// issued reads an issued document; a draft is refused.
func issued(ctx context.Context, r tenant.Reader, id tenant.ID) (*invoiceRow, error) {
	row, err := tenant.Get[invoiceRow](ctx, r, id)
	if !errors.Is(err, apperr.ErrNotFound) {
		return row, err //nolint:wrapcheck // says what was read
	}
	if _, err := tenant.Get[draftRow](ctx, r, id); err == nil {
		return nil, ErrNotIssued.New("The document is a draft; issue it first, or delete it.")
	}
	return nil, unknown(id)
}

func (a *application) check(today date.Date) error {
	switch {
	case a.advance.Type != TypeAdvance:
		return ErrNotApplicable.New("%s is no advance invoice.", a.advance.FullNumber).Field("advanceId", "must name an advance invoice")
	case a.invoice.Type != TypeInvoice:
		return ErrNotApplicable.New("An advance is taken off an invoice; %s is none.", a.invoice.FullNumber).
			Field("invoiceId", "must name an invoice")
	case a.advance.PartnerID != a.invoice.PartnerID:
		return ErrNotApplicable.New("%s and %s were issued to different partners.", a.advance.FullNumber, a.invoice.FullNumber).
			Field("advanceId", "is of another partner")
	case a.advance.Currency != a.invoice.Currency:
		return ErrNotApplicable.New("%s is in %s, %s in %s.", a.advance.FullNumber, a.advance.Currency, a.invoice.FullNumber, a.invoice.Currency).
			Field("advanceId", "is in another currency")
	case a.day.After(today):
		return ErrDates.New("The date %s lies in the future; today is %s.", a.day, today).Field("date", "must be %s or earlier", today)
	case a.day.Before(a.invoice.IssueDate) || a.day.Before(a.advance.IssueDate):
		return ErrDates.New("The date %s lies before one of the documents, of %s and %s.", a.day, a.advance.IssueDate, a.invoice.IssueDate).
			Field("date", "must not lie before the documents")
	}
	return nil
}

// hold holds both open items, so that credits, payments and cancellations of either come before or after, and checks what is left.
func (a *application) hold(ctx context.Context, tx tenant.Tx) error {
	if err := ledger.HoldOpen(ctx, tx, a.day); err != nil {
		return err //nolint:wrapcheck // says what is locked
	}
	items, err := ledger.LockItems(ctx, tx, a.advance.ID, a.invoice.ID)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if a.item = items[a.invoice.ID]; a.item == nil {
		return fmt.Errorf("taking an advance off %s: it has no open item", a.invoice.FullNumber)
	}
	if a.advance, err = readAdjusted(ctx, tx, a.advance.ID); err != nil {
		return err
	}
	if err := a.advance.adjustable(ctx, tx); err != nil {
		return err
	}
	if err := notCancelled(ctx, tx, *a.invoice); err != nil {
		return err
	}
	if a.advance.touched() {
		return ErrAdvanceChanged.New("The advance %s was credited; credit the rest too, and issue the invoice without it.", a.advance.FullNumber)
	}
	base := tx.Company().BaseCurrency
	for _, g := range a.advance.groups {
		rate := *a.advance.ExchangeRate
		a.booked = append(a.booked, bookedGroup{group: g.group, baseNet: fx.ToBase(g.net, rate, base), baseVAT: fx.ToBase(g.vat, rate, base)})
	}
	a.sums = addUp(a.booked, a.advance.Currency, base)
	if open := a.item.Open(); a.sums.gross().Cmp(open) > 0 {
		return ErrAdvanceExceeds.New("The advance %s is %s %s, on %s only %s is open.", a.advance.FullNumber, a.sums.gross(),
			a.advance.Currency, a.invoice.FullNumber, open).Detail("open", open.String()).Detail("advance", a.sums.gross().String())
	}
	return nil
}

// post turns the advance into settlement. In a foreign currency the two documents have rates of their own, and the difference is
// a gain or a loss.
func (a *application) post(ctx context.Context, tx tenant.Tx) (*ledger.Transaction, error) {
	codes, err := ledger.AccountCodes(ctx, tx, ledger.RuleAdvancesReceived, ledger.RuleVATPayable, ledger.RuleFXGain, ledger.RuleFXLoss)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	s := a.sums
	owed := fx.ToBase(s.gross(), *a.invoice.ExchangeRate, tx.Company().BaseCurrency)
	lines := []ledger.Line{
		{AccountCode: codes[ledger.RuleAdvancesReceived], Debit: s.net, BaseDebit: s.baseNet},
		{AccountCode: codes[ledger.RuleVATPayable], Debit: s.vat, BaseDebit: s.baseVAT},
		{AccountCode: a.item.AccountCode, Credit: s.gross(), BaseCredit: owed},
	}
	lines = append(lines, ledger.ExchangeDifference(codes, s.baseGross().Sub(owed))...)
	return ledger.Post(ctx, tx, ledger.Posting{ //nolint:wrapcheck // says what cannot be posted
		Date:         a.day,
		Description:  fmt.Sprintf("Advance %s taken off %s, %s", a.advance.FullNumber, a.invoice.FullNumber, a.buyer.Name),
		DocumentType: documentType, DocumentID: a.invoice.ID, Lines: lines,
	})
}

// recordVAT takes the VAT of the advance off the invoice. In the month of the invoice that lowers its rows; later it is a
// correction of its own, for i.SAF takes negative values on notes alone.
func (a *application) recordVAT(ctx context.Context, tx tenant.Tx) error {
	if !a.advance.taxed {
		return nil
	}
	doc := register.Document{
		Direction: register.Sales, RegisterDate: a.day, Type: documentType, ID: a.invoice.ID, Number: a.invoice.FullNumber,
		Date: a.invoice.IssueDate, SupplyDate: a.invoice.SupplyDate, InvoiceType: register.Invoice, Event: register.AdvanceApplied,
		SourceID: a.advance.ID, Partner: buyerOf(a.buyer), Scheme: a.advance.VATScheme,
		SpecialTaxation: a.invoice.SpecialTaxation,
	}
	if date.MonthOf(a.day) != date.MonthOf(a.invoice.IssueDate) {
		doc.InvoiceType, doc.AdjustsNumber, doc.AdjustsDate = register.CreditNote, a.advance.FullNumber, a.advance.IssueDate
	}
	for _, g := range a.booked {
		doc.Groups = append(doc.Groups, g.registered(true))
	}
	return register.Record(ctx, tx, doc) //nolint:wrapcheck // says what was recorded
}
