// Package cash tells what was paid of documents under cash accounting, and what of it was VAT.
//
// Under the special tax point of Art 14(9) of the VAT law, which suppliers of farm produce may choose, VAT becomes due when the
// buyer pays; of a payment in parts, with each part (VMI's answer KD-4018).
//
// Owns: how a payment is divided into taxable values and VAT by code, and which payments a period has.
//
// Does not own: the payments themselves, which are allocations of open items (ledger), nor the documents and their mark
// (vat/register).
//
// Invariants: nothing is stored, so nothing can differ from the ledger. All payments of a document come to its register rows to the
// cent, less what credit notes and advances have settled without money; the last one takes the remainder. What a payment was
// divided into never depends on later settlements, so a locked month keeps its figures.
package cash
