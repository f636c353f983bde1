// Package contract compares what this server serves with the wire contract of the public accounting API.
//
// Owns: the comparison of two OpenAPI documents, and the check of one actual answer against the contract.
//
// Does not own: the document of this server (package httpapi) and the contract itself, which is a file.
//
// Invariants: a client written for the contract works against every operation reported as served without deviation: its
// requests are accepted, and the answers hold what it reads. What we add is never a deviation.
package contract
