// Package order keeps orders of web shops from arrival to invoice.
//
// Owns: orders, their life (new, reserved, fulfilled, cancelled) and the confirmation of their payment.
//
// Does not own: stock, which the server does not keep, and invoices: fulfilment asks the caller to issue one, since documents do not
// know each other.
//
// Invariants: one order per channel and external reference; one payment and one invoice per order; what was confirmed as paid is
// what the order comes to; lines never change, so the invoice is of what was ordered.
//
// Posting: a payment before the invoice is a customer's advance (Dr money in transit, Cr advances received), which fulfilment
// takes off the invoice; after the invoice it settles it at once.
//
// Lock order: order, period, open item, and inside fulfilment whatever issuing an invoice locks.
package order
