// Package apperr is the one error type of the domain.
//
// Owns: kinds of refusal, the registry of stable codes, and the advice each gives to a client.
//
// Does not own: HTTP statuses and bodies; only package httpapi knows those.
//
// Invariants: every code is defined once, by the package whose rule it names; errors are matched with errors.Is
// against the code, never by text.
package apperr
