// Package mailbox is a mail server for tests that keeps what it gets.
//
// Owns: enough of SMTP to take a letter.
//
// Does not own: sending (package mail).
//
// Invariants: nothing leaves the machine; it listens on a loopback address alone.
package mailbox
