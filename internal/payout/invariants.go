package payout

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "a settlement comes to the sums of its lines",
		Broken: `SELECT s.company_id, s.payout_id AS subject FROM settlements s LEFT JOIN settlement_lines l
			ON l.company_id = s.company_id AND l.settlement_id = s.id
			GROUP BY s.company_id, s.id, s.payout_id, s.gross_minor, s.fee_minor, s.net_minor
			HAVING s.gross_minor <> COALESCE(SUM(l.gross_minor), 0) OR s.fee_minor <> COALESCE(SUM(l.fee_minor), 0)
			OR s.net_minor <> COALESCE(SUM(l.net_minor), 0)`,
	},
	{
		Name: "a settlement was posted with the net that it has",
		Broken: `SELECT s.company_id, s.payout_id AS subject FROM settlements s JOIN settlement_postings p
			ON p.company_id = s.company_id AND p.settlement_id = s.id WHERE p.net_minor <> s.net_minor`,
	},
	{
		Name: "a settlement applied to invoices what its lines are allocated with",
		Broken: `SELECT p.company_id, HEX(p.settlement_id) AS subject FROM settlement_postings p
			LEFT JOIN settlement_lines l ON l.company_id = p.company_id AND l.settlement_id = p.settlement_id
			LEFT JOIN open_item_allocations a ON a.company_id = l.company_id AND a.source_id = l.id AND a.source_type = 'settlement'
			GROUP BY p.company_id, p.id, p.settlement_id, p.receivable_minor HAVING p.receivable_minor <> COALESCE(SUM(a.amount_minor), 0)`,
	},
	{
		Name: "every journal transaction of a settlement is the one of its posting",
		Broken: `SELECT t.company_id, HEX(t.id) AS subject FROM journal_transactions t LEFT JOIN settlement_postings p
			ON p.company_id = t.company_id AND p.journal_transaction_id = t.id AND p.settlement_id = t.document_id
			WHERE t.document_type = 'settlement_batch' AND p.id IS NULL`,
	},
}
