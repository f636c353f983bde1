// Package account keeps companies and their API keys, and tells callers who they are.
//
// Owns: opening, changing and archiving a company; the life of API keys; which companies a user may work in.
//
// Does not own: the check of tokens and the rows of companies (package tenant); the books a company opens with (package
// ledger).
//
// Invariants: a company opens with its chart of accounts, and with its founder as admin, or not at all; the company's own
// identifiers have right check digits, since they go into every return; a key never carries more rights than its maker,
// and its secret is in one answer and in no table.
package account
