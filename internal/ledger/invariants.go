package ledger

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		// A line in the base currency may carry an exchange difference, so that currency balances with the others in base.
		Name: "every transaction balances per foreign currency",
		Broken: `SELECT e.company_id, HEX(e.transaction_id) AS subject FROM journal_entries e JOIN companies c ON c.id = e.company_id
			WHERE e.currency <> c.base_currency
			GROUP BY e.company_id, e.transaction_id, e.currency HAVING SUM(e.debit_minor) <> SUM(e.credit_minor)`,
	},
	{
		Name: "every transaction balances in the base currency",
		Broken: `SELECT company_id, HEX(transaction_id) AS subject FROM journal_entries
			GROUP BY company_id, transaction_id HAVING SUM(base_debit_minor) <> SUM(base_credit_minor)`,
	},
	{
		// Both sides are counted apart: joined row by row, an engine that takes the tables for small reads the books of a company
		// once for each of its transactions.
		Name: "every transaction has two entries or more, of its own date",
		Broken: `SELECT company_id, HEX(id) AS subject FROM (
			SELECT company_id, id, transaction_date AS first_day, transaction_date AS last_day, 0 AS entries FROM journal_transactions
			UNION ALL
			SELECT company_id, transaction_id, MIN(transaction_date), MAX(transaction_date), COUNT(*) FROM journal_entries
				GROUP BY company_id, transaction_id) both_sides
			GROUP BY company_id, id HAVING SUM(entries) < 2 OR MIN(first_day) <> MAX(last_day)`,
	},
	{
		Name: "a reversal takes each account back to where it stood",
		Broken: `SELECT r.company_id, HEX(r.id) AS subject FROM (
			SELECT company_id, id, id AS transaction_id FROM journal_transactions WHERE reverses_id IS NOT NULL
			UNION ALL
			SELECT company_id, id, reverses_id FROM journal_transactions WHERE reverses_id IS NOT NULL) r
			JOIN journal_entries e ON e.company_id = r.company_id AND e.transaction_id = r.transaction_id
			GROUP BY r.company_id, r.id, e.account_id, e.currency
			HAVING SUM(e.debit_minor) <> SUM(e.credit_minor) OR SUM(e.base_debit_minor) <> SUM(e.base_credit_minor)`,
	},
	{
		Name: "what is open of an item is its amount less its allocations",
		Broken: `SELECT i.company_id, i.document_number AS subject FROM open_items i LEFT JOIN open_item_allocations a
			ON a.company_id = i.company_id AND a.open_item_id = i.id
			GROUP BY i.company_id, i.id, i.document_number, i.amount_minor, i.open_minor
			HAVING i.open_minor <> i.amount_minor - COALESCE(SUM(a.amount_minor), 0)`,
	},
	{
		// The entries are added up by day first, which one index has in order: a table of all of them would be written to disk.
		Name: "the turnovers of a locked month are the sums of its entries, and an open month has none",
		Broken: `SELECT company_id, HEX(account_id) AS subject FROM (
			SELECT company_id, account_id, year, month, base_debit_minor AS debit, base_credit_minor AS credit, 1 AS turnovers, 0 AS entries
				FROM account_turnovers
			UNION ALL
			SELECT d.company_id, d.account_id, p.year, p.month, -SUM(d.debit), -SUM(d.credit), 0, 1
				FROM (SELECT company_id, account_id, transaction_date, SUM(base_debit_minor) AS debit, SUM(base_credit_minor) AS credit
					FROM journal_entries GROUP BY company_id, account_id, transaction_date) d
				JOIN ledger_periods p ON p.company_id = d.company_id AND p.status = 'locked'
				AND p.year = SUBSTR(d.transaction_date, 1, 4) + 0 AND p.month = SUBSTR(d.transaction_date, 6, 2) + 0
				GROUP BY d.company_id, d.account_id, p.year, p.month) both_sides
			GROUP BY company_id, account_id, year, month
			HAVING SUM(debit) <> 0 OR SUM(credit) <> 0 OR SUM(turnovers) <> 1 OR SUM(entries) = 0`,
	},
}
