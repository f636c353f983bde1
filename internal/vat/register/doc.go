// Package register keeps the VAT register: what every document did to VAT, one row per classifier code and rate.
//
// Owns: the rows that the VAT return and the registers of i.SAF are computed from, and nothing else is.
//
// Does not own: the arithmetic and the codes (package vat), the documents, and the forms of the tax authority.
//
// Invariants: a document's rows are written in the transaction that records the document, never changed and never computed
// again; amounts carry the sign of their effect on the register, so the rows of a period add up to its return; what the partner
// was called is kept as it was that day.
package register
