// Package letter mails issued sales documents to customers.
//
// Owns: the table sales_letters, which is an outbox; the text of a letter; the postman, which sends what waits.
//
// Does not own: the PDF (package document), the connection to the mail server (package mail).
//
// Invariants: a letter commits with the request that asked for it or not at all, so a replay adds none; it is sent at least once,
// and again only where it is not known to have come: its Message-ID is the same in every attempt; at any moment one server alone
// sends it, the one whose claim it bears; a letter that ended, sent or failed, never goes out again.
package letter
