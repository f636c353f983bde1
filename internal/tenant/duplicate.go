package tenant

import "context"

// DuplicateError says that a business index already holds a document. What the winner stored can be read only after
// this transaction has ended, so the answer is worked out then.
type DuplicateError struct {
	cause   error
	Resolve func(context.Context, ReadTx) error
}

func (e *DuplicateError) Error() string { return e.cause.Error() }

func (e *DuplicateError) Unwrap() error { return e.cause }

// OnDuplicate turns the violation of a named unique index into a DuplicateError and leaves every other error as it is.
// Resolve looks the winner up and returns the refusal with its existingId; nil says that no winner is there any more,
// and the transaction is run again.
func OnDuplicate(tx Tx, err error, index string, resolve func(context.Context, ReadTx) error) error {
	if err == nil {
		return nil
	}
	if name, ok := tx.handle().db.DuplicateIndex(err); ok && name == index {
		return &DuplicateError{cause: err, Resolve: resolve}
	}
	return err
}
