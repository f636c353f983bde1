// Package statement reads the files in which banks and payment providers say what happened on an account.
//
// Owns: ISO 20022 camt.053 (versions 02 to 08), SWIFT MT940 and Stripe's balance CSV; their encodings, number formats and
// dates; the identity of a line, by which a second import knows it.
//
// Does not own: what is done with the lines, and whether they belong to the account they are imported into.
//
// Invariants: a file is read whole or refused with the number of the line at fault; where a statement gives both balances,
// its lines lead from one to the other; a line without money is no line; equal lines of one file are different lines, and
// the same file gives the same identities again. Nothing here recurses, follows a reference or reaches a network, so a file
// cannot cost more than its size.
package statement
