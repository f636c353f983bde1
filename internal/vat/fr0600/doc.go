// Package fr0600 computes the VAT return FR0600 of a company from the VAT register.
//
// Owns: the boxes with their captions, formulas and rounding; the documents behind a box; the checks that VMI's form makes and
// the data allow; the file of the form in the format of VMI's filling program.
//
// Does not own: which box a classifier code enters (package vat), the rows (vat/register), and i.SAF.
//
// Invariants: exact cents are added up first and each box is rounded to whole euro once; box 36 is computed from the rounded
// boxes. What the documents behind a box enter it with adds up to its exact value. A document that was cancelled in the period
// is in no box. Equal rows give an equal return.
package fr0600
