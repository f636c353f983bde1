// Package idempotency decides whether two requests are the same request, and
// what a client is told when they are or are not.
//
// Owns: the syntax of the Idempotency-Key header, the canonical form of a JSON
// body, the fingerprint of a request, the difference between two requests, and
// the fixed codes and messages of the refusals.
//
// Does not own: the limit on the size of a body (the edge refuses it before any
// key is touched), the meaning of the members of a body (each operation
// validates its own), and the rendering of errors as HTTP answers.
//
// Invariants: keys compare byte for byte; two requests have equal fingerprints
// exactly when Differences finds nothing between them; no number ever passes
// through binary floating point; nothing sent to a client about a refused
// request holds a value of the first request, only the places that differ.
package idempotency
