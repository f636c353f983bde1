package invoice

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "an issued document has lines and adds up to them",
		Broken: `SELECT i.company_id, i.full_number AS subject FROM sales_invoices i LEFT JOIN sales_invoice_lines l
			ON l.company_id = i.company_id AND l.invoice_id = i.id
			GROUP BY i.company_id, i.id, i.full_number, i.net_minor, i.vat_minor
			HAVING COUNT(l.id) = 0 OR SUM(l.net_minor) <> i.net_minor OR SUM(l.vat_minor) <> i.vat_minor`,
	},
	{
		Name: "the numbers of a series have no gap",
		Broken: `SELECT s.company_id, s.prefix AS subject FROM number_series s LEFT JOIN sales_invoices i
			ON i.company_id = s.company_id AND i.series_id = s.id
			GROUP BY s.company_id, s.id, s.prefix, s.first_number, s.next_number
			HAVING COUNT(i.id) <> s.next_number - s.first_number OR MIN(i.number) <> s.first_number`,
	},
	{
		Name: "no draft has the id of an issued document",
		Broken: `SELECT d.company_id, HEX(d.id) AS subject FROM sales_drafts d JOIN sales_invoices i
			ON i.company_id = d.company_id AND i.id = d.id`,
	},
	{
		Name: "an invoice and an advance are owed as a whole",
		Broken: `SELECT i.company_id, i.full_number AS subject FROM sales_invoices i LEFT JOIN open_items o
			ON o.company_id = i.company_id AND o.document_id = i.id AND o.amount_minor = i.gross_minor AND o.kind = 'receivable'
			WHERE i.type IN ('invoice', 'advance') AND o.id IS NULL`,
	},
	{
		Name: "credits do not pass what they credit",
		Broken: `SELECT i.company_id, i.full_number AS subject FROM sales_invoices i JOIN sales_invoices c
			ON c.company_id = i.company_id AND c.credited_invoice_id = i.id AND c.type = 'credit_note'
			GROUP BY i.company_id, i.id, i.full_number, i.net_minor, i.vat_minor
			HAVING SUM(c.net_minor) > i.net_minor OR SUM(c.vat_minor) > i.vat_minor`,
	},
	{
		Name: "the VAT register has the totals of the document",
		Broken: `SELECT i.company_id, i.full_number AS subject FROM sales_invoices i JOIN vat_register r
			ON r.company_id = i.company_id AND r.document_id = i.id AND r.event = 'recorded'
			GROUP BY i.company_id, i.id, i.full_number, i.net_minor, i.vat_minor
			HAVING ABS(SUM(r.net_minor)) <> i.net_minor OR ABS(SUM(r.vat_minor)) <> i.vat_minor`,
	},
	{
		Name: "a cancelled document comes to nothing in the VAT register",
		Broken: `SELECT c.company_id, HEX(c.invoice_id) AS subject FROM sales_cancellations c JOIN vat_register r
			ON r.company_id = c.company_id AND r.document_id = c.invoice_id
			GROUP BY c.company_id, c.invoice_id HAVING SUM(r.base_net_minor) <> 0 OR SUM(r.base_vat_minor) <> 0`,
	},
}
