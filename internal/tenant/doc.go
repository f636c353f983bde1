// Package tenant is the only door to a company's data.
//
// Owns: who is asking (token to Scope), what a role may do, and the handles Tx and ReadTx with their scoped helpers.
//
// Does not own: what the rows mean; every domain package has its own.
//
// Invariants: a Scope comes from a verified token or from System and cannot be made by hand; every statement carries the
// company, because the helpers add it and raw SQL must name @company; a write through ReadTx does not compile; SQL is a
// constant of the program, since its type accepts untyped constants alone; a zero Scope, Tx or ReadTx panics on use.
package tenant
