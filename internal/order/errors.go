package order

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of orders.
var (
	ErrDuplicate = apperr.Define("order.duplicate", apperr.Duplicate, "The channel sent an order with this reference before.")
	ErrPartner   = apperr.Define("order.unknown_partner", apperr.Rule, "The company has no partner with this id, or none was named.")
	ErrTerms     = apperr.Define("order.terms", apperr.Rule, "A rate, a country or an amount of the order does not fit; fieldErrors names it.")
	ErrNotServed = apperr.Define("order.not_served", apperr.Rule, "The server keeps no stock; send the order without warehouse and items.")
	ErrCancelled = apperr.Define("order.cancelled", apperr.Conflict, "The order was cancelled.")
	ErrFulfilled = apperr.Define("order.fulfilled", apperr.Duplicate, "The order was fulfilled; existingId is its invoice.")
	ErrPaid      = apperr.Define("order.paid", apperr.Conflict, "The order is paid; fulfil it and credit the invoice instead of cancelling it.")
	ErrPayment   = apperr.Define("order.payment_differs", apperr.Rule, "Amount or currency of the payment are not those of the order.")
)
