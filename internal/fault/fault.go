// Package fault marks the moments of a request, or of work in the background, at which tests kill, freeze or delay the
// real process.
//
// Owns: the names of those moments, and the number of each statement of a request.
//
// Does not own: what happens there; only a binary built with the tag faults does anything at all.
//
// Invariants: in a release build every function is empty, and no header and no variable is read.
package fault

// Moment is a place in the code between two effects.
type Moment string

// The moments of a mutation.
const (
	BeforeCommit Moment = "before-commit"
	AfterCommit  Moment = "after-commit"
)

// The moments of a refusal that is recorded.
const (
	BeforeRecord Moment = "before-record"
	AfterRecord  Moment = "after-record"
)

// The moments of work in the background, which no request can arm.
const (
	// WebhookAfterSend is between sending an event and writing down that it was sent.
	WebhookAfterSend Moment = "webhook-after-send"
	// LetterAfterSend is between the mail server's taking of a letter and writing that down.
	LetterAfterSend Moment = "letter-after-send"
)
