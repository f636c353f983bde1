// Package purchase keeps what suppliers invoice: drafts that may change, and registered documents that may not.
//
// Owns: supplier invoices, their credit and debit notes, and the number a supplier gave each, which a company books once.
//
// Does not own: what is posted (package ledger), the tax facts (package vat/register) and whether a document is paid: that
// is what is left of its open item.
//
// Invariants: a document holds its number from its draft on, so no supplier's number is in the books twice unless an admin
// said why; a registered document has exactly one posting and is never changed; credit notes never exceed the invoice they
// name; what the buyer owes on a reverse charge is in both VAT accounts and not in the payable; VAT that a document states is booked
// as stated; a customs declaration owes VAT and duties, never the value of the goods, and import VAT that VMI offsets to nobody.
//
// Lock order: the draft, the number of the invoice that a note names, the period, open items by id.
package purchase
