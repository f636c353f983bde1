package purchase

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "a registered document has lines and adds up to them",
		Broken: `SELECT i.company_id, i.document_number AS subject FROM purchase_invoices i LEFT JOIN purchase_invoice_lines l
			ON l.company_id = i.company_id AND l.invoice_id = i.id
			GROUP BY i.company_id, i.id, i.document_number, i.net_minor, i.vat_minor
			HAVING COUNT(l.id) = 0 OR SUM(l.net_minor) <> i.net_minor OR SUM(l.vat_minor) <> i.vat_minor`,
	},
	{
		Name: "no draft has the id of a registered document",
		Broken: `SELECT d.company_id, d.document_number AS subject FROM purchase_drafts d JOIN purchase_invoices i
			ON i.company_id = d.company_id AND i.id = d.id`,
	},
	{
		Name: "a number is held by a draft or a registered document",
		Broken: `SELECT n.company_id, n.normalized_number AS subject FROM purchase_numbers n
			WHERE NOT EXISTS (SELECT 1 FROM purchase_drafts d WHERE d.company_id = n.company_id AND d.id = n.id)
			AND NOT EXISTS (SELECT 1 FROM purchase_invoices i WHERE i.company_id = n.company_id AND i.id = n.id)`,
	},
	{
		Name: "a supplier's invoice is owed as a whole",
		// Import VAT that VMI offsets is owed to nobody.
		Broken: `SELECT i.company_id, i.document_number AS subject FROM purchase_invoices i LEFT JOIN open_items o
			ON o.company_id = i.company_id AND o.document_id = i.id AND o.kind = 'payable'
			WHERE i.type = 'invoice' AND COALESCE(o.amount_minor, 0) <> i.gross_minor - COALESCE((SELECT SUM(l.vat_minor)
				FROM purchase_invoice_lines l WHERE l.company_id = i.company_id AND l.invoice_id = i.id AND l.vat_code = 'PVM24'), 0)`,
	},
	{
		Name: "a supplier's credits do not pass what they credit",
		Broken: `SELECT i.company_id, i.document_number AS subject FROM purchase_invoices i JOIN purchase_invoices c
			ON c.company_id = i.company_id AND c.credited_invoice_id = i.id AND c.type = 'credit_note'
			GROUP BY i.company_id, i.id, i.document_number, i.gross_minor HAVING SUM(c.gross_minor) > i.gross_minor`,
	},
}
