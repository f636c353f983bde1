package bank

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// DocumentType is a sort of document that a transaction may settle.
type DocumentType string

// The sorts. The last is ours: what a transaction paid too much is owed as an open item of that transaction, and the
// transaction that pays it back names it.
const (
	SaleInvoice     DocumentType = "sale_invoice"
	PurchaseInvoice DocumentType = "purchase_invoice"
	Overpayment     DocumentType = documentTransaction
)

// Enum lists the allowed values.
func (DocumentType) Enum() []any { return []any{SaleInvoice, PurchaseInvoice, Overpayment} }

// match is what a transaction has settled: the row that makes it matched.
type match struct {
	tenant.Row
	TransactionID        tenant.ID
	DocumentType         DocumentType
	DocumentID           tenant.ID
	SettledMinor         int64
	JournalTransactionID tenant.ID
	CreatedAt            clock.Time
}

// TableName names the table for the mapper.
func (match) TableName() string { return "bank_matches" }

// sourcePayment names a bank transaction as what settles an open item.
const sourcePayment = ledger.SourcePayment

// MatchInput names the document that a transaction is to settle.
type MatchInput struct {
	TransactionID tenant.ID
	DocumentType  DocumentType
	DocumentID    tenant.ID
}

// Matched is a transaction that has settled a document.
type Matched struct {
	State
	// Settled is what of the document it settled, Overpaid what it had beyond that; both positive or zero.
	Settled, Overpaid money.Amount
}

// Match settles a document with a transaction, as far as it is open, and books the transaction on its own day. Money that
// came in settles what is owed to the company: an invoice, or a credit note of a supplier. Money that went out settles the
// mirror of it. Several transactions may settle one document, and a part is no less a settlement. What is paid too much goes
// to customer advances for a sales invoice and stays on the account of the debt otherwise; either way it is owed back as an
// open item of the transaction, which another transaction may settle. A difference of exchange rates between the document
// and the payment is a gain or a loss.
//
// Errors: not_found, bank.already_matched, bank.unknown_document, bank.wrong_direction, bank.currency_mismatch,
// bank.nothing_open, fx.no_rate, ledger.period_locked, ledger.account_not_postable.
func Match(ctx context.Context, tx tenant.Tx, in MatchInput) (*Matched, error) {
	state, err := Get(ctx, tx, in.TransactionID)
	if err != nil {
		return nil, err
	}
	account, err := GetAccount(ctx, tx, state.BankAccountID)
	if err != nil {
		return nil, err
	}
	p := &payment{Transaction: state.Transaction, account: account}
	if err := p.hold(ctx, tx, in); err != nil {
		return nil, err
	}
	journal, err := p.book(ctx, tx)
	if err != nil {
		return nil, err
	}
	if err := p.settle(ctx, tx); err != nil {
		return nil, err
	}
	row := &match{
		Row: tenant.Row{ID: tenant.NewID()}, TransactionID: p.ID, DocumentType: in.DocumentType, DocumentID: in.DocumentID,
		SettledMinor: p.settled.Minor(), JournalTransactionID: journal.ID, CreatedAt: tx.Now(),
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, row), "bank_matches_transaction",
		func(ctx context.Context, r tenant.ReadTx) error { return notMatchedYet(ctx, r, p.ID) })
	if err != nil {
		return nil, fmt.Errorf("matching the transaction: %w", err)
	}
	after, err := Get(ctx, tx, p.ID)
	if err != nil {
		return nil, err
	}
	return &Matched{*after, p.settled, p.rest}, p.tell(ctx, tx, state, after)
}

// notMatchedYet refuses a transaction that has settled a document.
func notMatchedYet(ctx context.Context, r tenant.Reader, id tenant.ID) error {
	existing, err := tenant.First[match](ctx, r, "transaction_id = ?", id)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrAlreadyMatched.New("The transaction has settled a document already; a transaction settles one.").
		Detail("existingId", existing.JournalTransactionID).Detail("index", "one match per bank transaction").
		Detail("documentType", existing.DocumentType).Detail("documentId", existing.DocumentID)
}

// hold takes the month and the open item, in that order, and refuses what does not fit.
func (p *payment) hold(ctx context.Context, tx tenant.Tx, in MatchInput) error {
	if err := notMatchedYet(ctx, tx, p.ID); err != nil {
		return err
	}
	if err := ledger.HoldOpen(ctx, tx, p.TransactionDate); err != nil {
		return err //nolint:wrapcheck // an error of the API
	}
	items, err := ledger.LockItems(ctx, tx, in.DocumentID)
	if err != nil {
		return err //nolint:wrapcheck // says what was held
	}
	// Again: a twin may have come through while this one waited for the item.
	if err := notMatchedYet(ctx, tx, p.ID); err != nil {
		return err
	}
	item, ok := items[in.DocumentID]
	if !ok || item.DocumentType != string(in.DocumentType) {
		return ErrUnknownDocument.New("There is no posted %s with the id %s on which something is or was owed.", in.DocumentType, in.DocumentID).
			Field("documentId", "names no document that can be paid")
	}
	p.item = item
	return p.fits()
}

// fits refuses a document that the transaction cannot settle.
func (p *payment) fits() error {
	if kind := p.kind(); p.item.Kind != kind {
		return ErrWrongDirection.New("The transaction of %s %s settles a %s, and %s is a %s.",
			p.Amount(), p.Currency, kind, p.item.DocumentNumber, p.item.Kind).
			Field("documentId", "is a %s", p.item.Kind)
	}
	if p.item.Currency != p.Currency {
		return ErrCurrency.New("The transaction is in %s and %s is in %s; book the exchange by a journal entry.",
			p.Currency, p.item.DocumentNumber, p.item.Currency).Field("documentId", "is in %s", p.item.Currency)
	}
	if p.item.Settled() {
		return ErrNothingOpen.New("Nothing is open on %s: it is already settled.", p.item.DocumentNumber).
			Detail("documentId", p.item.DocumentID)
	}
	return nil
}

// settle lowers what is owed, and opens what was paid too much.
func (p *payment) settle(ctx context.Context, tx tenant.Tx) error {
	err := ledger.Settle(ctx, tx, ledger.Settlement{
		Item: p.item, Amount: p.settled, SourceType: sourcePayment, SourceID: p.ID, Date: p.TransactionDate,
	})
	if err != nil || p.rest.IsZero() {
		return err //nolint:wrapcheck // says what was settled
	}
	owed := ledger.ItemPayable
	if p.item.Kind == ledger.ItemPayable {
		owed = ledger.ItemReceivable
	}
	_, err = ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
		Kind: owed, DocumentType: documentTransaction, DocumentID: p.ID, DocumentNumber: overpaidNumber(p.item.DocumentNumber),
		PartnerID: p.item.PartnerID, AccountCode: p.restAccount, DocumentDate: p.TransactionDate, DueDate: p.TransactionDate,
		Amount: p.rest, BaseAmount: p.restBase,
	})
	return err //nolint:wrapcheck // says what was opened
}

// overpaidNumber calls an overpayment by the document that was overpaid, within the width of the column.
func overpaidNumber(number string) string {
	const prefix, width = "Overpaid ", 70
	runes := []rune(prefix + number)
	return string(runes[:min(len(runes), width)])
}

// matchView is a match in the audit log.
type matchView struct {
	Card
	SettledAmount  money.Amount `json:"settledAmount"`
	OverpaidAmount money.Amount `json:"overpaidAmount"`
}

// tell records the match, and lets the receivers of events know when the document is paid.
func (p *payment) tell(ctx context.Context, tx tenant.Tx, before, after *State) error {
	err := audit.Record(ctx, tx, audit.Entry{
		Action: "bank_transaction.matched", Entity: documentTransaction, EntityID: p.ID.String(), Before: before.Card(),
		After: matchView{after.Card(), p.settled, p.rest},
	})
	if err != nil || !p.item.Settled() || p.item.DocumentType == documentTransaction {
		return err //nolint:wrapcheck // says what was recorded
	}
	return webhook.Publish(ctx, tx, webhook.Event{ //nolint:wrapcheck // says what was published
		Type: p.item.DocumentType + ".paid", ObjectType: p.item.DocumentType, ObjectID: p.item.DocumentID,
	})
}
