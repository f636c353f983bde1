// Package fx keeps exchange rates and converts foreign amounts into the base currency.
//
// Owns: a company's rates per currency and day, which rate holds on a day, and the conversion.
//
// Does not own: the rate of a document, which the document keeps from the day it was issued; the audit of a changed rate,
// which the caller records.
//
// Invariants: a rate is units of the currency for one unit of the base currency, as the European Central Bank quotes; the
// base currency has the rate 1 and no row; an amount is converted in one step and rounded once, half away from zero.
package fx
