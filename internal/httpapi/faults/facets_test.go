package faults_test

import "fmt"

// facet is a part of an effect: what of it lies where. Its query counts rows by the mark of the mutation, in one company.
type facet struct {
	name  string
	query string
	// each is how many rows one effect has.
	each int
}

// written is an id as the audit log has it, so that its index is used.
func written(id string) string {
	const form = "LOWER(CONCAT(SUBSTR(HEX(%[1]s), 1, 8), '-', SUBSTR(HEX(%[1]s), 9, 4), '-', SUBSTR(HEX(%[1]s), 13, 4), '-', " +
		"SUBSTR(HEX(%[1]s), 17, 4), '-', SUBSTR(HEX(%[1]s), 21)))"
	return fmt.Sprintf(form, id)
}

// facets are the parts of each effect. The first is the effect itself; the others must be there as often.
var facets = map[kind][]facet{
	posted: {
		{"journal transaction", `SELECT description, COUNT(*) FROM journal_transactions
			WHERE company_id = ? AND document_id IS NULL GROUP BY description`, 1},
		{"its entries", `SELECT t.description, COUNT(*) FROM journal_transactions t JOIN journal_entries e
			ON e.company_id = t.company_id AND e.transaction_id = t.id
			WHERE t.company_id = ? AND t.document_id IS NULL GROUP BY t.description`, 2},
		{"its line of the audit log", `SELECT t.description, COUNT(*) FROM journal_transactions t JOIN audit_log a
			ON a.company_id = t.company_id AND a.entity_id = ` + written("t.id") + ` AND a.entity = 'journal_transaction'
			WHERE t.company_id = ? AND t.document_id IS NULL GROUP BY t.description`, 1},
	},
	drafted: {
		{"draft or what was issued of it", `SELECT notes, COUNT(*) FROM (
			SELECT company_id, notes FROM sales_drafts UNION ALL SELECT company_id, notes FROM sales_invoices) documents
			WHERE company_id = ? GROUP BY notes`, 1},
	},
	issued: {
		{"invoice", `SELECT notes, COUNT(*) FROM sales_invoices WHERE company_id = ? GROUP BY notes`, 1},
		{"its lines", `SELECT i.notes, COUNT(*) FROM sales_invoices i JOIN sales_invoice_lines l
			ON l.company_id = i.company_id AND l.invoice_id = i.id WHERE i.company_id = ? GROUP BY i.notes`, 1},
		{"its journal transaction", `SELECT i.notes, COUNT(*) FROM sales_invoices i JOIN journal_transactions t
			ON t.company_id = i.company_id AND t.document_id = i.id WHERE i.company_id = ? GROUP BY i.notes`, 1},
		{"what is owed on it", `SELECT i.notes, COUNT(*) FROM sales_invoices i JOIN open_items o
			ON o.company_id = i.company_id AND o.document_id = i.id WHERE i.company_id = ? GROUP BY i.notes`, 1},
		{"its row of the VAT register", `SELECT i.notes, COUNT(*) FROM sales_invoices i JOIN vat_register v
			ON v.company_id = i.company_id AND v.document_id = i.id WHERE i.company_id = ? GROUP BY i.notes`, 1},
		{"its event", `SELECT i.notes, COUNT(*) FROM sales_invoices i JOIN outbox_events e
			ON e.company_id = i.company_id AND e.object_id = i.id AND e.event_type = 'sale_invoice.issued'
			WHERE i.company_id = ? GROUP BY i.notes`, 1},
		{"its line of the audit log", `SELECT i.notes, COUNT(*) FROM sales_invoices i JOIN audit_log a
			ON a.company_id = i.company_id AND a.entity_id = ` + written("i.id") + ` AND a.entity = 'sale_invoice' AND a.action = 'sale_invoice.issued'
			WHERE i.company_id = ? GROUP BY i.notes`, 1},
	},
	imported: {
		{"bank transaction", `SELECT description, COUNT(*) FROM bank_transactions WHERE company_id = ? GROUP BY description`, 1},
	},
	matched: {
		{"match", `SELECT b.description, COUNT(*) FROM bank_matches m JOIN bank_transactions b
			ON b.company_id = m.company_id AND b.id = m.transaction_id WHERE m.company_id = ? GROUP BY b.description`, 1},
		{"its journal transaction", `SELECT b.description, COUNT(*) FROM bank_transactions b JOIN journal_transactions t
			ON t.company_id = b.company_id AND t.document_id = b.id WHERE b.company_id = ? GROUP BY b.description`, 1},
		{"what it settled", `SELECT b.description, COUNT(*) FROM bank_matches m JOIN bank_transactions b
			ON b.company_id = m.company_id AND b.id = m.transaction_id JOIN open_items o
			ON o.company_id = m.company_id AND o.document_id = m.document_id AND o.open_minor = 0
			WHERE m.company_id = ? GROUP BY b.description`, 1},
		{"its event", `SELECT b.description, COUNT(*) FROM bank_matches m JOIN bank_transactions b
			ON b.company_id = m.company_id AND b.id = m.transaction_id JOIN outbox_events e
			ON e.company_id = m.company_id AND e.object_id = m.document_id AND e.event_type = 'sale_invoice.paid'
			WHERE m.company_id = ? GROUP BY b.description`, 1},
		{"its line of the audit log", `SELECT b.description, COUNT(*) FROM bank_transactions b JOIN audit_log a
			ON a.company_id = b.company_id AND a.entity_id = ` + written("b.id") + ` AND a.entity = 'bank_transaction' AND a.action = 'bank_transaction.matched'
			WHERE b.company_id = ? GROUP BY b.description`, 1},
	},
}

// gaps finds series whose numbers are not 1 to n, each once.
const gaps = `SELECT s.prefix, COUNT(*) FROM number_series s WHERE s.company_id = ? AND s.next_number - s.first_number <>
	(SELECT COUNT(DISTINCT i.number) FROM sales_invoices i WHERE i.company_id = s.company_id AND i.series_id = s.id) GROUP BY s.prefix`

// claims are the keys whose answer is stored.
const claims = `SELECT idempotency_key, COUNT(*) FROM idempotency_keys WHERE company_id = ? AND state = 'done' GROUP BY idempotency_key`

// running are claims that no committed row may be.
const running = `SELECT idempotency_key, COUNT(*) FROM idempotency_keys WHERE company_id = ? AND state = 'running' GROUP BY idempotency_key`
