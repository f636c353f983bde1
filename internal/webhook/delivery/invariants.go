package delivery

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "every delivery is of an event that was handed out",
		Broken: `SELECT d.company_id, HEX(d.id) AS subject FROM webhook_deliveries d
			JOIN outbox_events e ON e.company_id = d.company_id AND e.id = d.event_id WHERE e.fanned_out_at IS NULL`,
	},
	{
		// A few later ones may overtake it: a long transaction commits after them.
		Name: "no event waits to be handed out while a thousand later ones of its company have been",
		Broken: `SELECT e.company_id, HEX(e.id) AS subject FROM outbox_events e WHERE e.fanned_out_at IS NULL AND 1000 <
			(SELECT COUNT(*) FROM outbox_events later WHERE later.company_id = e.company_id AND later.id > e.id
				AND later.fanned_out_at IS NOT NULL)`,
	},
	{
		Name: "nothing waits for a subscription that will not be served again",
		Broken: `SELECT d.company_id, HEX(d.id) AS subject FROM webhook_deliveries d
			JOIN webhook_subscriptions s ON s.company_id = d.company_id AND s.id = d.subscription_id
			WHERE d.status = 'pending' AND s.state IN ('deleted', 'gone')`,
	},
}
