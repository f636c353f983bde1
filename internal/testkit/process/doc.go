// Package process runs the real server binary for tests: it is built with the moments of package fault armed, started on
// a free port, and killed.
//
// Owns: building, starting, stopping and killing the process, and an HTTP client that checks each answer against the
// wire contract.
//
// Does not own: the database; package testkit opens it.
//
// Invariants: no process outlives its test; every answer that a test gets has been checked.
package process
