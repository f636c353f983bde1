// Package tap stands between a program and a MySQL server and keeps the statements that pass, so that a test can count and
// explain them.
//
// Owns: the listener, the connections that pass, and the statements kept.
//
// Does not own: breaking connections; package proxy does that.
//
// Invariants: a statement is kept before the server sees it, so whoever has the answer to it finds it here; what prepares a
// new connection is not kept, for it depends on how many there were before.
package tap
