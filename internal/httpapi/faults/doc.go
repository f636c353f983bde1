// Package faults breaks what a server stands on, under load, and counts what that cost.
//
// Owns: clients that do what retryWith says and nothing else; the model of what they were told; one file per fault: killed
// servers, a killed database, lost connections, a full disk, a frozen server, wrong clocks, restarts.
//
// Does not own: the promises of each operation (package walk), and jobs of users (package scenario).
//
// Invariants: after each fault every acknowledged mutation has its effect exactly once, no other has half of one, numbers
// have no gap, events and audit lines equal effects, and "server verify" finds nothing. The faults are drawn from a seed
// that is printed.
package faults
