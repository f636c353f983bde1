package bank

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "a bank transaction is in the currency of its account",
		Broken: `SELECT t.company_id, HEX(t.id) AS subject FROM bank_transactions t JOIN bank_accounts a
			ON a.company_id = t.company_id AND a.id = t.bank_account_id WHERE a.currency <> t.currency`,
	},
	{
		Name: "a match has the settlement that it speaks of",
		Broken: `SELECT m.company_id, HEX(m.transaction_id) AS subject FROM bank_matches m
			JOIN open_items i ON i.company_id = m.company_id AND i.document_id = m.document_id
			LEFT JOIN open_item_allocations a ON a.company_id = m.company_id AND a.open_item_id = i.id
				AND a.source_id = m.transaction_id AND a.source_type = 'payment'
			GROUP BY m.company_id, m.transaction_id, m.settled_minor HAVING COALESCE(SUM(a.amount_minor), 0) <> m.settled_minor`,
	},
	{
		Name: "a match settles no more than its transaction, and what is beyond is owed",
		Broken: `SELECT m.company_id, HEX(m.transaction_id) AS subject FROM bank_matches m
			JOIN bank_transactions t ON t.company_id = m.company_id AND t.id = m.transaction_id
			LEFT JOIN open_items o ON o.company_id = m.company_id AND o.document_id = m.transaction_id AND o.document_type = 'bank_transaction'
			WHERE ABS(t.amount_minor) <> m.settled_minor + COALESCE(o.amount_minor, 0)`,
	},
	{
		Name: "a matched transaction is booked on its own day, by itself",
		Broken: `SELECT m.company_id, HEX(m.transaction_id) AS subject FROM bank_matches m
			JOIN bank_transactions t ON t.company_id = m.company_id AND t.id = m.transaction_id
			JOIN journal_transactions j ON j.company_id = m.company_id AND j.id = m.journal_transaction_id
			WHERE j.transaction_date <> t.transaction_date OR j.document_id IS NULL OR j.document_id <> t.id`,
	},
	{
		Name: "a payment file comes to its payments",
		Broken: `SELECT e.company_id, e.message_id AS subject FROM bank_payment_exports e LEFT JOIN bank_payment_orders o
			ON o.company_id = e.company_id AND o.export_id = e.id
			GROUP BY e.company_id, e.id, e.message_id, e.transaction_count, e.total_minor
			HAVING COUNT(o.id) <> e.transaction_count OR COALESCE(SUM(o.amount_minor), 0) <> e.total_minor`,
	},
}
