package apperr

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind says what sort of refusal an error is. It decides the status at the edge and what happens to an idempotency key
// (IDEMPOTENCY.md R32 to R34).
type Kind uint8

// The kinds.
const (
	Internal         Kind = iota // a fault of ours; nothing is kept
	Validation                   // malformed or missing fields; the key is not consumed
	Unauthorized                 // no usable token
	Forbidden                    // a role or scope that may not call the operation
	NotFound                     // no such object for this company
	Conflict                     // the state of an object forbids it, for now or for good
	Duplicate                    // a business index already holds the document
	Rule                         // well-formed fields that break a rule of business
	TooLarge                     // a body over the operation's limit
	RateLimited                  // too many requests
	Unavailable                  // the database is busy or out of reach; nothing is kept
	KeyReuse                     // Idempotency-Key used with another payload
	InProgress                   // Idempotency-Key still being processed
	MethodNotAllowed             // the route exists with another method
	UnsupportedMedia             // the body is not JSON
)

// Retry tells a client which key to retry with; following it never books twice (R62).
type Retry string

// The advice.
const (
	SameKey Retry = "same_key" // send it again, corrected where fields are named, under the same key
	NewKey  Retry = "new_key"  // the key is spent on the refused payload; a corrected request needs a new one
	Never   Retry = "never"    // retrying cannot help, or would book the document a second time
)

// Enum lists the advice for the API document.
func (Retry) Enum() []any { return []any{SameKey, NewKey, Never} }

// Code is a stable name for one refusal, such as "ledger.period_locked".
type Code struct {
	name    string
	kind    Kind
	retry   Retry
	meaning string
}

var registry = map[string]*Code{}

// Define registers a code with the advice that is right for its kind. It is called from package variables only; a name
// defined twice is a programmer error and panics.
func Define(name string, kind Kind, meaning string) *Code {
	return DefineRetry(name, kind, kind.retry(), meaning)
}

// DefineRetry is Define for a code whose advice differs from that of its kind.
func DefineRetry(name string, kind Kind, retry Retry, meaning string) *Code {
	if _, exists := registry[name]; exists {
		panic("apperr: code defined twice: " + name)
	}
	c := &Code{name: name, kind: kind, retry: retry, meaning: meaning}
	registry[name] = c
	return c
}

func (k Kind) retry() Retry {
	switch k {
	case Forbidden, Duplicate, TooLarge, KeyReuse, MethodNotAllowed:
		return Never
	case Rule:
		return NewKey
	default:
		return SameKey
	}
}

// Codes lists every registered code by name.
func Codes() []*Code {
	return slices.SortedFunc(maps.Values(registry), func(a, b *Code) int { return strings.Compare(a.name, b.name) })
}

// Name is the stable dotted name.
func (c *Code) Name() string { return c.name }

// Kind is the sort of refusal.
func (c *Code) Kind() Kind { return c.kind }

// Retry is the advice to the client.
func (c *Code) Retry() Retry { return c.retry }

// Meaning is one sentence for docs/errors.md.
func (c *Code) Meaning() string { return c.meaning }

// Error makes a bare code usable as a target of errors.Is.
func (c *Code) Error() string { return c.name }

// New makes an error of this code; the message says what is wrong and what to do.
func (c *Code) New(format string, args ...any) *Error {
	return &Error{code: c, message: fmt.Sprintf(format, args...)}
}

// Error is a refusal with a code, a message for people, and optionally faults per field and details.
type Error struct {
	code    *Code
	message string
	fields  map[string][]string
	details map[string]any
	cause   error
}

// Field records a fault of one member, addressed as in "lines.0.quantity".
func (e *Error) Field(path, format string, args ...any) *Error {
	if e.fields == nil {
		e.fields = map[string][]string{}
	}
	e.fields[path] = append(e.fields[path], fmt.Sprintf(format, args...))
	return e
}

// Detail adds a machine-readable fact, such as existingId.
func (e *Error) Detail(name string, value any) *Error {
	if e.details == nil {
		e.details = map[string]any{}
	}
	e.details[name] = value
	return e
}

// Because attaches the cause for the log; it never reaches a client.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// Error is the message for people.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.message + ": " + e.cause.Error()
	}
	return e.message
}

// Message is the message for people without the cause.
func (e *Error) Message() string { return e.message }

// Code is the stable code.
func (e *Error) Code() *Code { return e.code }

// Kind is the sort of refusal.
func (e *Error) Kind() Kind { return e.code.kind }

// Fields are the faults per member, or nil.
func (e *Error) Fields() map[string][]string { return e.fields }

// Details are the machine-readable facts, or nil.
func (e *Error) Details() map[string]any { return e.details }

// Is reports whether the target is this error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(*Code)
	return ok && c == e.code
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// KindOf is the kind of err: Internal for anything that is not an *Error.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind()
	}
	return Internal
}

// Codes every layer may use.
var (
	ErrValidation  = Define("validation", Validation, "A field is missing, malformed or out of range; fieldErrors names it.")
	ErrNotFound    = Define("not_found", NotFound, "The company has no object with this id.")
	ErrUnavailable = Define("unavailable", Unavailable, "The database is busy or out of reach; nothing was kept.")
	ErrInternal    = Define("internal", Internal, "A fault of the server; nothing was kept.")
)

// Invalid is a validation error of one field.
func Invalid(path, format string, args ...any) *Error {
	return ErrValidation.New("%s", "Some fields are not valid; see fieldErrors.").Field(path, format, args...)
}
