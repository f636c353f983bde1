// Package bank keeps bank accounts and what happened on them, and settles documents with it.
//
// Owns: bank accounts, their transactions, imports of statements, the match of a transaction with a document, suggestions
// for it, and payment files.
//
// Does not own: documents, which it reaches through the open items of the ledger alone; the reading of statement files
// (package statement) and the form of payment files (package pain); settlements of payment providers.
//
// Invariants: a transaction never changes; an external id is stored once per bank account; a line without one is never taken
// for a duplicate; a transaction settles one document, once, and its status is the row that says so; what is paid beyond a
// document is owed as an open item of its own; a document enters one payment file unless another is asked for expressly.
//
// Lock order: period, then open items by id. A transaction is not locked: the unique index on matches lets one through.
package bank
