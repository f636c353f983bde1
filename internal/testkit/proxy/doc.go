// Package proxy is a TCP proxy for tests, which breaks connections when told: it stands between a server and its database.
//
// Owns: passing bytes on, late, in part, or not at all.
//
// Does not own: what the bytes mean; a rule may look for a text in what a client sends, and knows no protocol.
//
// Invariants: it listens on the loopback address only; it ends with its test, and so do its connections.
package proxy
