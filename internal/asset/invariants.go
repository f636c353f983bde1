package asset

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "an asset is never depreciated below its salvage value",
		Broken: `SELECT a.company_id, a.code AS subject FROM assets a
			JOIN (SELECT company_id, asset_id, SUM(amount_minor) AS booked FROM asset_depreciations GROUP BY company_id, asset_id) d
			ON d.company_id = a.company_id AND d.asset_id = a.id
			LEFT JOIN (SELECT company_id, asset_id, SUM(amount_minor) AS added FROM asset_modernizations GROUP BY company_id, asset_id) m
			ON m.company_id = a.company_id AND m.asset_id = a.id
			WHERE a.opening_minor + d.booked > a.cost_minor + COALESCE(m.added, 0) - a.salvage_minor`,
	},
	{
		Name: "the months of an asset follow one another",
		Broken: `SELECT a.company_id, a.code AS subject FROM assets a JOIN asset_depreciations d
			ON d.company_id = a.company_id AND d.asset_id = a.id GROUP BY a.company_id, a.id, a.code
			HAVING COUNT(*) <> MAX(d.year * 12 + d.month) - MIN(d.year * 12 + d.month) + 1`,
	},
	{
		Name: "a depreciation run has posted the parts of its assets",
		Broken: `SELECT r.company_id, HEX(r.id) AS subject FROM asset_depreciation_runs r LEFT JOIN asset_depreciations d
			ON d.company_id = r.company_id AND d.run_id = r.id
			GROUP BY r.company_id, r.id, r.amount_minor HAVING COALESCE(SUM(d.amount_minor), 0) <> r.amount_minor`,
	},
}
