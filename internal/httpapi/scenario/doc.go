// Package scenario holds the jobs of real users as tests: over HTTP, against the real server process, on every engine.
//
// Owns: whole jobs, from an empty company to books that balance.
//
// Does not own: the promises of each operation (package walk).
//
// Invariants: each scenario ends with "server verify" finding nothing.
package scenario
