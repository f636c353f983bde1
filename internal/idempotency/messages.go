package idempotency

// What a client reads when its key is refused. Clients match the codes and
// people search for the messages, so both are part of the interface and never
// change.
const (
	// CodeReuse is the error code of a key that came with a different request;
	// the status is 422.
	CodeReuse = "idempotency_key_reuse"

	// MessageReuse is the message that goes with CodeReuse.
	MessageReuse = "Idempotency-Key was already used with a different request payload."

	// CodeInProgress is the error code of a key whose first request still runs;
	// the status is 409.
	CodeInProgress = "idempotency_in_progress"

	// MessageInProgress is the message that goes with CodeInProgress.
	MessageInProgress = "A request with this Idempotency-Key is still being processed, retry shortly."

	// RetryAfterSeconds is the Retry-After, in seconds, sent with CodeInProgress.
	RetryAfterSeconds = 1
)
