// Package report reads the settlement reports of a payment provider: text in, payouts with their lines out.
//
// Owns: the two formats of Stripe, the itemised payout reconciliation and the unified payments of the dashboard; what spreadsheet
// programs do to such files on the way (encodings, delimiters, notations of numbers); and whether the sums of a file agree.
//
// Does not own: batches, matching and posting, which are those of package payout.
//
// Invariants: a file is read as a whole or refused with the line at fault; net is gross less fee on every line; a payout has one
// currency; the amounts of a payout, taken without their signs, stay within money.MaxMinor, so that no sum of them overflows.
//
// Days are written as the report has them, which is UTC. Rows of the category payout are the sum of their payout: they are checked
// against it and are no lines. Their sign is not looked at, for exports differ in it.
//
// Unified payments say neither when a payout was made nor what it came to, and give a refund without its payout: it is taken to be in
// the payout of its payment, as a line of its own.
package report
