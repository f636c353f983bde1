package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Reversal asks for the mirror of a posted transaction.
type Reversal struct {
	TransactionID tenant.ID
	// Date is the day of the reversal, not before the original's. The zero Date means the original's own day while its
	// month is open, and today afterwards.
	Date date.Date
	// Description replaces the one made from the original's.
	Description string
	// OfDocument says that the document behind the transaction asks; without it a transaction of a document is refused.
	// The document audits itself.
	OfDocument bool
}

// Reverse posts the mirror of a transaction's stored lines: accounts and amounts are those of the original, with sides
// swapped, even where an account takes no new postings any more. The mirror names the same document.
//
// Errors: not_found, ledger.is_reversal, ledger.belongs_to_document, ledger.already_reversed (existingId is the
// reversing transaction), ledger.invalid_posting for a date before the original's, ledger.period_locked.
func Reverse(ctx context.Context, tx tenant.Tx, in Reversal) (*Transaction, error) {
	original, err := reversible(ctx, tx, in)
	if err != nil {
		return nil, err
	}
	day, err := holdReversalDay(ctx, tx, original, in.Date)
	if err != nil {
		return nil, err
	}
	entries, err := tenant.Find[Entry](ctx, tx, "transaction_id = ?", original.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	mirror := &Transaction{
		TransactionDate: day, Description: reversalDescription(original, in.Description),
		DocumentType: original.DocumentType, DocumentID: original.DocumentID, ReversesID: &original.ID, PostedAt: tx.Now(),
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, mirror), "journal_transactions_reversal",
		func(ctx context.Context, r tenant.ReadTx) error { return notReversedYet(ctx, r, original.ID) })
	if err != nil {
		return nil, fmt.Errorf("reversing: %w", err)
	}
	mirrored := make([]*Entry, len(entries))
	for i, e := range entries {
		mirrored[i] = e.mirror(mirror)
	}
	if err := tenant.Insert(ctx, tx, mirrored...); err != nil {
		return nil, fmt.Errorf("reversing: %w", err)
	}
	if in.OfDocument {
		return mirror, nil
	}
	return mirror, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "journal_transaction.reversed", Entity: "journal_transaction", EntityID: mirror.ID.String(),
		After: postedView(mirror, nil),
	})
}

// reversible reads the original and refuses what cannot be reversed. The row is not locked: it never changes, and the
// unique index on what a transaction reverses lets one reversal through.
func reversible(ctx context.Context, tx tenant.Tx, in Reversal) (*Transaction, error) {
	original, err := tenant.Get[Transaction](ctx, tx, in.TransactionID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if original.ReversesID != nil {
		return nil, ErrIsReversal.New("The transaction is itself a reversal; post the corrected entry anew instead.").
			Detail("reversesId", *original.ReversesID)
	}
	if original.DocumentType != nil && !in.OfDocument {
		return nil, ErrBelongsToDocument.New("The transaction belongs to a document (%s %s); credit or cancel the document instead.",
			*original.DocumentType, original.DocumentID).
			Detail("documentType", *original.DocumentType).Detail("documentId", *original.DocumentID)
	}
	return original, notReversedYet(ctx, tx, original.ID)
}

func reversalOf(ctx context.Context, r tenant.Reader, id tenant.ID) (*Transaction, error) {
	return tenant.First[Transaction](ctx, r, "reverses_id = ?", id) //nolint:wrapcheck // says what was read
}

func notReversedYet(ctx context.Context, r tenant.Reader, id tenant.ID) error {
	existing, err := reversalOf(ctx, r, id)
	if err != nil || existing == nil {
		return err
	}
	return ErrAlreadyReversed.New("The transaction was reversed on %s; a transaction is reversed once.", existing.TransactionDate).
		Detail("existingId", existing.ID).Detail("index", "one reversal per transaction")
}

// holdReversalDay chooses the day of the reversal and holds its month open.
func holdReversalDay(ctx context.Context, tx tenant.Tx, original *Transaction, asked date.Date) (date.Date, error) {
	day := asked
	if day.IsZero() {
		day = original.TransactionDate
	}
	if day.Before(original.TransactionDate) {
		return day, ErrInvalidPosting.New("A reversal cannot be dated before the original, which is of %s.", original.TransactionDate).
			Field("date", "must be %s or later", original.TransactionDate)
	}
	err := holdOpen(ctx, tx, date.MonthOf(day))
	if asked.IsZero() && errors.Is(err, ErrPeriodLocked) && tx.Today().After(day) {
		day = tx.Today()
		err = holdOpen(ctx, tx, date.MonthOf(day))
	}
	return day, err
}

func reversalDescription(original *Transaction, asked string) *string {
	switch {
	case asked != "":
		return optional(asked)
	case original.Description != nil:
		return optional("Reversal: " + *original.Description)
	default:
		return optional("Reversal of the transaction of " + original.TransactionDate.String())
	}
}

func (e Entry) mirror(t *Transaction) *Entry {
	return &Entry{
		TransactionID: t.ID, LineNo: e.LineNo, TransactionDate: t.TransactionDate, AccountID: e.AccountID, Currency: e.Currency,
		DebitMinor: e.CreditMinor, CreditMinor: e.DebitMinor,
		BaseDebitMinor: e.BaseCreditMinor, BaseCreditMinor: e.BaseDebitMinor, Description: e.Description,
	}
}
