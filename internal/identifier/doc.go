// Package identifier checks the numbers by which a tax office knows a business or a person.
//
// Owns: the form and check digit of Lithuanian VAT numbers, company codes, VMI codes and personal codes; the VAT prefixes of
// the EU states and the countries behind them.
//
// Does not own: whether a number is in a register (no network here), or whether a failed check blocks or only warns. Numbers
// of other businesses should only warn: an invoice is reported with the number printed on it.
//
// Invariants: every check is a pure function of its argument and expects it normalised; errors say what is wrong in plain
// words.
package identifier
