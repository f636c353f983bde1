package idempotency

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of this package.
var (
	ErrReuse = apperr.Define(CodeReuse, apperr.KeyReuse,
		"The key was used with another request; the pointers say where they differ. Send the first request again, or use a key of its own for the other.")
	ErrInProgress = apperr.Define(CodeInProgress, apperr.InProgress, "The first request under the key still runs; send the same again shortly.")
	ErrKeyInvalid = apperr.DefineRetry("idempotency.key_invalid", apperr.Validation, apperr.NewKey, "The Idempotency-Key is malformed.")
	ErrKeyMissing = apperr.DefineRetry("idempotency.key_required", apperr.Validation, apperr.NewKey,
		"The company demands an Idempotency-Key on every mutation.")
	ErrUnknownOutcome = apperr.Define("idempotency.outcome_unknown", apperr.Unavailable,
		"The connection was lost during commit; the retry under the same key finds out.")
	ErrUnknownOutcomeNoKey = apperr.DefineRetry("idempotency.outcome_unknown_without_key", apperr.Unavailable, apperr.Never,
		"The connection was lost during commit of a request without a key: look whether it happened before sending it again.")
	ErrConflictPersists = apperr.Define("idempotency.busy", apperr.Unavailable,
		"The transaction met conflicting ones three times; nothing was kept.")
	ErrAnswerTooLarge = apperr.Define("idempotency.answer_too_large", apperr.Internal, "A mutation made an answer that cannot be stored.")
)

// MaxAnswer is the largest answer that can be stored (R37).
const MaxAnswer = 256 << 10

// Call is one mutation to run at most once.
type Call struct {
	Scope   tenant.Scope
	Key     Key // zero when the client sent none
	Request Request
	// Found is what was found under the key when the request was authenticated; nil when nobody looked.
	Found *LookUp
	// Operation is the route, for records of refusals.
	Operation string
	// Admit is asked after a replay has been ruled out and before anything runs; the rate limit stands here (R36).
	Admit func() error
	// ClaimFirst has the claim sent before the work begins and not with its first statement: for work that takes its time before it
	// asks the database anything, as twins on other servers see only a claim that was sent (R21).
	ClaimFirst bool
	// Work does the mutation. It may run more than once, each time in a transaction of its own.
	Work func(context.Context, tenant.Tx) (Answer, error)

	fingerprint Fingerprint
	expires     clock.Time
}

// Answer is what a client gets.
type Answer struct {
	Status      int
	ContentType string
	Location    string
	Body        []byte
	// Masked is stored in place of Body when Body holds a secret that is shown once (R38).
	Masked []byte
	// ResourceType and ResourceID name what was created or changed (R43).
	ResourceType string
	ResourceID   string
}

func (a Answer) stored() []byte {
	if a.Masked != nil {
		return a.Masked
	}
	return a.Body
}

// Outcome is an answer with what the key adds to it.
type Outcome struct {
	Answer
	Replayed bool
	// FirstRequestID is the request that did the work, in a replay.
	FirstRequestID string
	// Expires is when the key becomes free; zero without a key.
	Expires clock.Time
}
