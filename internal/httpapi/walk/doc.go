// Package walk holds the contract test: it walks the route table with a real server process, and puts every operation
// through what IDEMPOTENCY.md promises. A new route without a scenario fails it.
//
// Owns: one scenario per operation, and the promises each is put through.
//
// Does not own: the rules of each operation; their packages test those.
//
// Invariants: every route of the table is walked, on every engine.
package walk
