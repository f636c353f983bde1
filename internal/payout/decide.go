package payout

import (
	"context"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// DecideInput says which invoice a line is about.
type DecideInput struct {
	LineID tenant.ID
	// InvoiceID is zero to take the match away.
	InvoiceID tenant.ID
}

// Decide matches a line with an issued sales document by hand, or takes its match away. Later imports keep either.
// It gives the line and its settlement. Errors: not_found, settlement.posted, settlement.unknown_invoice,
// settlement.currency_mismatch.
func Decide(ctx context.Context, tx tenant.Tx, in DecideInput) (*Line, *Settlement, error) {
	l, s, err := holdLine(ctx, tx, in.LineID)
	if err != nil {
		return nil, nil, err
	}
	before := l.Card(s.Currency)
	l.MatchState, l.InvoiceID = stateCleared, nil
	if !in.InvoiceID.IsZero() {
		if err := payable(ctx, tx, s, in.InvoiceID); err != nil {
			return nil, nil, err
		}
		l.MatchState, l.InvoiceID = stateManual, &in.InvoiceID
	}
	if err := tenant.Update(ctx, tx, l, "match_state", "invoice_id"); err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was updated
	}
	s.UpdatedAt = tx.Now()
	if err := tenant.Update(ctx, tx, s, "updated_at"); err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was updated
	}
	action := "settlement_line.unmatched"
	if l.InvoiceID != nil {
		action = "settlement_line.matched"
	}
	err = audit.Record(ctx, tx, audit.Entry{
		Action: action, Entity: "settlement_line", EntityID: l.ID.String(), Before: before, After: l.Card(s.Currency),
	})
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was recorded
	}
	event := webhook.Event{Type: "settlement.updated", ObjectType: entity, ObjectID: s.ID}
	return l, s, webhook.Publish(ctx, tx, event) //nolint:wrapcheck // says what failed
}

// holdLine holds the settlement of a line and reads the line after that: an import may have taken it away.
func holdLine(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Line, *Settlement, error) {
	seen, err := tenant.Get[Line](ctx, tx, id)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	s, err := tenant.Lock[Settlement](ctx, tx, seen.SettlementID)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	postings, err := postingsOf(ctx, tx, []tenant.ID{s.ID})
	if err != nil {
		return nil, nil, err
	}
	if _, isPosted := postings[s.ID]; isPosted {
		return nil, nil, ErrPosted.New("The settlement of the payout %s is posted; its lines keep their invoices. Correct it by a journal entry.", s.PayoutID).
			Detail("settlementId", s.ID)
	}
	l, err := tenant.Get[Line](ctx, tx, id)
	return l, s, err //nolint:wrapcheck // says what was read
}

// payable refuses an id that is no issued sales document of the settlement's currency.
func payable(ctx context.Context, r tenant.Reader, s *Settlement, invoice tenant.ID) error {
	items, err := ledger.ItemsOf(ctx, r, invoice)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	item, ok := items[invoice]
	if !ok || item.Kind != ledger.ItemReceivable || item.DocumentType != saleInvoice {
		return ErrUnknownInvoice.New("There is no issued sales invoice with the id %s on which something is or was owed.", invoice).
			Field("invoiceId", "names no issued sales invoice")
	}
	if item.Currency != s.Currency {
		return ErrCurrency.New("The invoice %s is in %s, the payout in %s.", item.DocumentNumber, item.Currency, s.Currency).
			Field("invoiceId", "is in another currency")
	}
	return nil
}

// notPostedYet refuses a settlement that is in the books.
func notPostedYet(ctx context.Context, r tenant.Reader, s *Settlement) error {
	existing, err := tenant.First[posting](ctx, r, "settlement_id = ?", s.ID)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	id := s.ID
	if existing.JournalTransactionID != nil {
		id = *existing.JournalTransactionID
	}
	return ErrAlreadyPosted.New("The settlement of the payout %s was posted on %s; it is posted once.", s.PayoutID, existing.PostingDate).
		Detail("existingId", id).Detail("index", "one posting per settlement")
}
