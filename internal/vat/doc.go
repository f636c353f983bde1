// Package vat holds the Lithuanian VAT rules a single document needs: which classifier code a line carries, which rates
// existed when, and how net, VAT and gross of a document add up.
//
// Owns: the PVM classifier (annex 2 to VMI order VA-49 of 2015-07-21), the dated domestic rates, the sales schemes, the choice
// and check of a code for a sale or a purchase, and the arithmetic of a document.
//
// Does not own: the VAT register, the return and the files (packages below this folder), postings, and the choice of scheme.
//
// Invariants: lines add up to groups and groups to the document, to the cent. VAT is rounded once per document, code and rate,
// half away from zero. A price that includes VAT keeps its gross. A code is tested against the date of supply, so that a
// credit note for an earlier supply keeps the code of that supply.
package vat
