package order

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "an order is paid with what it comes to",
		Broken: `SELECT o.company_id, HEX(o.id) AS subject FROM orders o JOIN order_payments p
			ON p.company_id = o.company_id AND p.order_id = o.id
			WHERE p.amount_minor <> o.gross_minor OR p.currency <> o.currency OR o.status = 'cancelled'`,
	},
	{
		Name: "an order has lines",
		Broken: `SELECT o.company_id, HEX(o.id) AS subject FROM orders o WHERE NOT EXISTS
			(SELECT 1 FROM order_lines l WHERE l.company_id = o.company_id AND l.order_id = o.id)`,
	},
}
