// Package replica holds tests of servers whose reports come from a replica.
//
// Owns: what a report promises while the replica follows, lags, breaks, or is not what it should be.
//
// Does not own: starting and breaking the pair of database servers; that is package mysqltest.
//
// Invariants: a report of any server has everything that any server acknowledged before it was asked for.
package replica
