// Package partner keeps the customers and suppliers of a company.
//
// Owns: partners, their normalised identifiers, the search for a partner that is already known, and the check of a
// credit limit against open receivables.
//
// Does not own: documents and open items; they refer to a partner and keep it from being deleted.
//
// Invariants: within a company no two partners share a code or a VAT number; equal calls of FindOrCreate give one
// partner, however many run at once; a wrong check digit of a third party warns and never refuses, since the tax office
// wants the number as printed on the invoice.
package partner
