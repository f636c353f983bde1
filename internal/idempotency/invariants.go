package idempotency

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every claim.
var Invariants = []tenant.Invariant{
	{
		Name:   "no committed claim is running",
		Broken: `SELECT company_id, HEX(idempotency_key) AS subject FROM idempotency_keys WHERE state = 'running'`,
	},
	{
		Name: "a claim with an answer has its effect: the audit log knows what it created or changed",
		Broken: `SELECT k.company_id, k.route AS subject FROM idempotency_keys k
			WHERE k.state = 'done' AND k.resource_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audit_log a
			WHERE a.company_id = k.company_id AND a.entity = k.resource_type AND a.entity_id = k.resource_id)`,
	},
}
