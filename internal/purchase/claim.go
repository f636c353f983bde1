package purchase

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// neighbours are the other documents of a supplier whose numbers are the same or look alike.
type neighbours struct {
	same, similar []numberRow
}

func findNeighbours(ctx context.Context, r tenant.Reader, n *numberRow) (neighbours, error) {
	rows, err := tenant.Find[numberRow](ctx, r, "partner_id = ? AND similar_key = ? AND id <> ?", n.PartnerID, n.SimilarKey, n.ID)
	if err != nil {
		return neighbours{}, err //nolint:wrapcheck // says what was read
	}
	var found neighbours
	for _, row := range rows {
		if row.NormalizedNumber == n.NormalizedNumber {
			found.same = append(found.same, row)
		} else {
			found.similar = append(found.similar, row)
		}
	}
	return found, nil
}

// first is the document that had the number first, or nil.
func (f neighbours) first() *numberRow {
	var first *numberRow
	for i := range f.same {
		if first == nil || f.same[i].Sequence < first.Sequence {
			first = &f.same[i]
		}
	}
	return first
}

func (f neighbours) nextSequence() int {
	next := 0
	for _, row := range f.same {
		next = max(next, row.Sequence+1)
	}
	return next
}

// duplicatesOf are the documents that were booked as duplicates of one.
func (f neighbours) duplicatesOf(id tenant.ID) []tenant.ID {
	var ids []tenant.ID
	for _, row := range f.same {
		if row.DuplicateOfID != nil && *row.DuplicateOfID == id {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

func (f neighbours) warnings() []string {
	warnings := make([]string, 0, len(f.similar))
	for _, row := range f.similar {
		warnings = append(warnings, fmt.Sprintf(
			"The supplier's document %s has a similar number; check that it is not the same document.", row.NormalizedNumber))
	}
	return warnings
}

// hold gives a document its number before anything else of it is written. A reason is an admin's, for a number that another
// document has. Errors: purchase.number, purchase.duplicate, purchase.duplicate_needs_admin, purchase.no_duplicate.
func hold(ctx context.Context, tx tenant.Tx, id, partnerID tenant.ID, number, reason string) (*numberRow, neighbours, error) {
	row := newNumber(id, partnerID, number)
	row.CreatedAt = tx.Now()
	found, err := row.choose(ctx, tx, reason)
	if err != nil {
		return nil, found, err
	}
	err = row.onDuplicate(tx, tenant.Insert(ctx, tx, row))
	if err != nil {
		return nil, found, fmt.Errorf("holding the number: %w", err)
	}
	return row, found, row.recordReason(ctx, tx)
}

func newNumber(id, partnerID tenant.ID, number string) *numberRow {
	key := normalized(number)
	return &numberRow{Row: tenant.Row{ID: id}, PartnerID: partnerID, NormalizedNumber: key, SimilarKey: similarKey(key)}
}

// choose looks at who has the number and places the row behind them, or refuses it.
func (n *numberRow) choose(ctx context.Context, tx tenant.Tx, reason string) (neighbours, error) {
	reason = strings.TrimSpace(reason)
	if reason != "" && tx.Scope().Role() != tenant.RoleAdmin {
		return neighbours{}, ErrReasonNeedsAdmin.New(
			"Only an admin may book a second document under a number; leave duplicateReason out, or ask an admin.")
	}
	found, err := findNeighbours(ctx, tx, n)
	if err != nil {
		return found, err
	}
	first := found.first()
	switch {
	case first == nil && reason != "":
		return found, noDuplicate()
	case first == nil:
		n.Sequence, n.DuplicateOfID, n.DuplicateReason = 0, nil, nil
		return found, nil
	case reason == "":
		return found, duplicate(first)
	}
	if err := first.keep(ctx, tx); err != nil {
		return found, err
	}
	n.Sequence, n.DuplicateOfID, n.DuplicateReason = found.nextSequence(), &first.ID, &reason
	return found, nil
}

// keep holds the first document's number until its duplicate is stored, so that it is neither released nor moved meanwhile.
func (n *numberRow) keep(ctx context.Context, tx tenant.Tx) error {
	held, err := tenant.Lock[numberRow](ctx, tx, n.ID)
	if err != nil && !errors.Is(err, apperr.ErrNotFound) {
		return err //nolint:wrapcheck // says what was read
	}
	if err != nil || held.NormalizedNumber != n.NormalizedNumber || held.PartnerID != n.PartnerID {
		return noDuplicate()
	}
	return nil
}

func noDuplicate() error {
	return ErrNoDuplicate.New("No other document of the supplier has this number; leave duplicateReason out.").
		Field("duplicateReason", "is for a number that is in use")
}

func duplicate(existing *numberRow) error {
	return ErrDuplicate.New("The supplier's document %s is in the books already; existingId names it. "+
		"If this is another document, an admin may book it with duplicateReason.", existing.NormalizedNumber).
		Field("documentNumber", "is in use for this supplier").
		Detail("existingId", existing.ID).Detail("index", "one supplier invoice per supplier and document number")
}

// onDuplicate gives the loser of a race the answer that a late duplicate gets. One with a reason, and one whose winner is
// gone, is run again.
func (n *numberRow) onDuplicate(tx tenant.Tx, err error) error {
	return tenant.OnDuplicate(tx, err, numberIndex, func(ctx context.Context, r tenant.ReadTx) error {
		if n.DuplicateReason != nil {
			return nil
		}
		found, err := findNeighbours(ctx, r, n)
		if err != nil || found.first() == nil {
			return err
		}
		return duplicate(found.first())
	})
}

// recordReason writes into the log of the first document that a second one was booked beside it, and why.
func (n *numberRow) recordReason(ctx context.Context, tx tenant.Tx) error {
	if n.DuplicateOfID == nil {
		return nil
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "purchase_invoice.duplicate_accepted", Entity: entity, EntityID: n.DuplicateOfID.String(),
		After: acceptedView{n.ID, *n.DuplicateReason},
	})
}

// acceptedView is a duplicate in the audit log of the first document.
type acceptedView struct {
	DuplicateID     tenant.ID `json:"duplicateId"`
	DuplicateReason string    `json:"duplicateReason"`
}

// renumber moves a draft's hold to another number or supplier, or gives it a reason. Without a reason a row that keeps its
// number keeps its place. Errors: those of hold, and purchase.has_duplicate.
func (n *numberRow) renumber(ctx context.Context, tx tenant.Tx, partnerID tenant.ID, number, reason string) (neighbours, error) {
	target := newNumber(n.ID, partnerID, number)
	moves := target.PartnerID != n.PartnerID || target.NormalizedNumber != n.NormalizedNumber
	if !moves && strings.TrimSpace(reason) == "" {
		return findNeighbours(ctx, tx, n)
	}
	if moves {
		if err := n.mustBeFree(ctx, tx); err != nil {
			return neighbours{}, err
		}
	}
	n.PartnerID, n.NormalizedNumber, n.SimilarKey = target.PartnerID, target.NormalizedNumber, target.SimilarKey
	found, err := n.choose(ctx, tx, reason)
	if err != nil {
		return found, err
	}
	err = tenant.Update(ctx, tx, n,
		"partner_id", "normalized_number", "similar_key", "sequence", "duplicate_of_id", "duplicate_reason")
	if err := n.onDuplicate(tx, err); err != nil {
		return found, fmt.Errorf("holding the number: %w", err)
	}
	return found, n.recordReason(ctx, tx)
}

// mustBeFree refuses to let go of a number beside which an admin booked another document.
func (n *numberRow) mustBeFree(ctx context.Context, r tenant.Reader) error {
	other, err := tenant.First[numberRow](ctx, r, "duplicate_of_id = ?", n.ID)
	if err != nil || other == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrHasDuplicate.New("The document must keep its number: another one was booked as its duplicate. Delete or renumber that one first.").
		Detail("duplicateId", other.ID)
}

// release lets go of a deleted draft's number. Error: purchase.has_duplicate.
func release(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	// The lock waits for a duplicate that is being booked beside the document.
	number, err := tenant.Lock[numberRow](ctx, tx, id)
	if err != nil {
		return fmt.Errorf("releasing the number: %w", err)
	}
	if err := number.mustBeFree(ctx, tx); err != nil {
		return err
	}
	if _, err := tenant.Delete[numberRow](ctx, tx, id); err != nil {
		return fmt.Errorf("releasing the number: %w", err)
	}
	return nil
}
