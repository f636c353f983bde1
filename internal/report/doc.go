// Package report computes what accountants look at: the journal, ledger accounts, VAT, debts, statements and cash flow.
//
// Owns: the reports, in the shapes of the wire contract, and the rules by which accounts are grouped in statements.
//
// Does not own: the rows; they belong to package ledger, to the VAT register and to package partner. The trial balance and all
// sums of accounts come from package ledger.
//
// Invariants: a report is computed from one snapshot and writes nothing; amounts are in the base currency; a report about days is
// the same whenever it is computed, as long as no row with such a date is added; every list has a total order and a bound; the
// balance sheet balances for any books, since every account lies on exactly one side.
package report
