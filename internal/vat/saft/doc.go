// Package saft makes the audit file SAF-T (LT) 2.01, which VMI asks for when it audits a company.
//
// Owns: how the books become the elements of the file, its sections by data type, and the writer.
//
// Does not own: the books: it reads the tables of documents by its own queries, for it may not import them. It makes no stock and
// no owners, which the books do not have.
//
// Invariants: the file is valid against VMI's schema whatever the books hold; amounts are never negative, their direction is D or K;
// every customer and supplier that an entry names is among the parties; totals are those of the entries written. All sections are
// read from one snapshot, page by page, so that memory does not grow with the books. Partners, assets and documents are named by
// their ids without hyphens, which fit where their numbers might not.
package saft
