package letter

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every letter.
var Invariants = []tenant.Invariant{
	{
		Name: "a letter that was sent was attempted, and no server is at it any more",
		Broken: `SELECT company_id, HEX(id) AS subject FROM sales_letters
			WHERE status <> 'queued' AND (claim IS NOT NULL OR attempts = 0 OR attempts < failures)`,
	},
}
