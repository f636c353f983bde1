// Package submission keeps what was sent to the tax authority: the file, what it was made from, and what became of it.
//
// Owns: submissions and their states, the rows of the VAT register and the payments that a file was made from, and the list of what came into the
// period afterwards.
//
// Does not own: how a file is made (vat/isaf), the register (vat/register), and the bytes of files (files). It sends nothing: the
// company uploads the file and says what came of it.
//
// Invariants: a file is made from exactly the rows and payments that are kept with its submission; the same content is kept once for a period;
// the file of a submission is never deleted; a period that was sent in one division stays in it, whole or by register.
package submission
