// Package vatmonth puts whole months of documents into the VAT register of a test company.
//
// Owns: the way from an i.SAF file to rows of the register, as the documents behind the file would have written them.
//
// Does not own: the register and the files computed from it.
//
// Invariants: it is for tests only, and writes through the register as documents do.
package vatmonth
