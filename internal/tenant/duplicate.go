package tenant

import (
	"context"
	"errors"
)

// DuplicateError says that a business index already holds a document. What the winner stored can be read only after
// this transaction has ended, so the answer is worked out then.
type DuplicateError struct {
	cause   error
	Resolve func(context.Context, ReadTx) error
}

func (e *DuplicateError) Error() string { return e.cause.Error() }

func (e *DuplicateError) Unwrap() error { return e.cause }

// RunAgain is the answer for the loser of a race whose winner did just what the loser wanted.
func RunAgain(context.Context, ReadTx) error { return nil }

// Outdated says that what the transaction built on is gone, and that it may succeed when it is run again.
func Outdated(cause error) error { return &DuplicateError{cause: cause, Resolve: RunAgain} }

// resolve looks the winner up and returns the refusal with its existingId; nil says that no winner is there any more, and the
// transaction is run again.
type resolve = func(context.Context, ReadTx) error

// OnDuplicate says who answers when a statement violates a unique index: the violation becomes a DuplicateError. A statement
// that was kept for later is not run yet, so the answer holds for the rest of the transaction. Every other error stays as it is.
func OnDuplicate(tx Tx, err error, index string, answer resolve) error {
	h := tx.handle()
	if h.notes.expected == nil {
		h.notes.expected = map[string]resolve{}
	}
	h.notes.expected[index] = answer
	return h.explain(err)
}

// explain turns the violation of an expected index into a DuplicateError.
func (h *handle) explain(err error) error {
	if _, already := errors.AsType[*DuplicateError](err); err == nil || already {
		return err
	}
	if index, ok := h.db.DuplicateIndex(err); ok && h.notes.expected[index] != nil {
		return &DuplicateError{cause: err, Resolve: h.notes.expected[index]}
	}
	return err
}

// Flush runs what is kept for later, for a caller that must know now whether it violates an index.
func Flush(ctx context.Context, tx Tx) error {
	h := tx.handle()
	return h.explain(h.sql.Flush(ctx))
}
