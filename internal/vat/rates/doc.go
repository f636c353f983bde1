// Package rates knows the VAT rates of the EU states.
//
// Owns: the rates as dated data, and the rates that a company sets in their place.
//
// Does not own: the Lithuanian rates, which come from the classifier in package vat, and which state taxes a supply.
//
// Invariants: a state has one standard rate on every day that the data covers; a company's own rates stand in place of all rates of
// that state. Nothing is computed from these rates by itself: a document bears the rate that was sent with it.
package rates
