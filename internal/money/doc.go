// Package money holds amounts of money and the exact decimals they are computed from.
//
// Owns: the ISO 4217 currencies, amounts in minor units, exact decimals for quantities, unit prices and rates, and every
// rounding between the two.
//
// Does not own: exchange rates, VAT rules, or how a document adds up.
//
// Invariants: an Amount is a whole number of minor units of one currency. Amounts of different currencies never meet and
// nothing wraps around: both are programmer errors and panic, so bounds are checked where input is parsed. A Decimal is exact;
// the only ways from a Decimal to an Amount name their rounding. A split always adds up to what was split.
package money
