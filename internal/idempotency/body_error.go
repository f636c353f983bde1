package idempotency

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// BodyError says why a request body was refused, and where.
type BodyError struct {
	// Pointer is the JSON pointer (RFC 6901) of the value at fault; empty for
	// the body as a whole.
	Pointer string
	// Offset is the byte of the body at or after which the fault lies.
	Offset int64
	// Message continues the sentence "The request body ...".
	Message string
}

// Error returns the whole sentence with the place of the fault. It is fit for
// the client that sent the body.
func (e *BodyError) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("The request body %s (byte %d).", e.Message, e.Offset)
	}
	return fmt.Sprintf("The request body %s (at %s, byte %d).", e.Message, e.Pointer, e.Offset)
}

// bodyErrorFrom puts an error of the JSON decoder in our words. It leaves
// io.EOF alone: that is a body without a value.
func bodyErrorFrom(err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	refused := &BodyError{Message: "must be valid JSON: " + err.Error()}
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) {
		return refused
	}
	refused.Pointer = shortPointer(string(syntactic.JSONPointer))
	refused.Offset = syntactic.ByteOffset
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		refused.Message = "must not have the same member twice"
	case errors.Is(err, io.ErrUnexpectedEOF):
		refused.Message = "must be valid JSON: it ends in the middle of a value"
	default:
		refused.Message = fmt.Sprintf("must be valid JSON: %v", syntactic.Err)
	}
	return refused
}
