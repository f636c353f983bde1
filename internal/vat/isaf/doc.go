// Package isaf makes the files of i.SAF 1.2, VMI's register of issued and received VAT invoices, from the VAT register.
//
// Owns: how rows of the register become invoices of the file, what VMI would find fault with in them, the division into parts, the
// writer, and a reader that checks any i.SAF file against the schema and its payments against VMI's checks.
//
// Does not own: the rows (vat/register), the codes (vat), the return (vat/fr0600), and the sending of files.
//
// Invariants: a file is valid against VMI's schema whatever the register holds; what would have to be bent for that is a problem
// of level error. A document is in the file once for each kind of effect. Equal rows, options and moment of creation give equal
// bytes. Memory does not grow with the number of invoices but for the parties of one part.
//
// Settlements and payments, which VMI takes for cash accounting alone (Art 14(9)), are those of package vat/cash.
package isaf
