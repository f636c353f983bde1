package saft

import (
	"context"
	"fmt"
	"iter"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// salesOf reads what was issued, by day and id. Proformas book nothing and are left out. The account of income is the first one that
// the document was booked to beside what is owed.
func salesOf(ctx context.Context, r tenant.ReadTx, o Options, d debts) iter.Seq2[invoice, error] {
	return paged(func(after *invoice) ([]invoice, error) {
		day, id := place(after, o)
		rows, err := tenant.Query[invoiceRow](ctx, r, `SELECT s.id, s.full_number AS number, s.issue_date AS document_date,
				s.issue_date AS posting_date, s.supply_date, s.type, s.currency, s.exchange_rate, s.net_minor, s.gross_minor, s.partner_id,
				p.name AS partner_name, p.code, p.vat_code, p.country_code, s.journal_transaction_id AS transaction_id,
				c.full_number AS adjusts, k.transaction_date AS cancelled_on, g.code AS debt_account,
				(SELECT x.code FROM journal_entries e JOIN ledger_accounts x ON x.company_id = e.company_id AND x.id = e.account_id
					WHERE e.company_id = s.company_id AND e.transaction_id = s.journal_transaction_id
					AND CASE WHEN s.type = 'credit_note' THEN e.debit_minor ELSE e.credit_minor END > 0
					ORDER BY e.line_no LIMIT 1) AS income_account
			FROM sales_invoices s JOIN partners p ON p.company_id = s.company_id AND p.id = s.partner_id
			LEFT JOIN sales_invoices c ON c.company_id = s.company_id AND c.id = s.credited_invoice_id
			LEFT JOIN sales_cancellations z ON z.company_id = s.company_id AND z.invoice_id = s.id
			LEFT JOIN journal_transactions k ON k.company_id = z.company_id AND k.id = z.journal_transaction_id
			LEFT JOIN open_items i ON i.company_id = s.company_id AND i.document_id = s.id
			LEFT JOIN ledger_accounts g ON g.company_id = i.company_id AND g.id = i.account_id
			WHERE s.company_id = @company AND s.issue_date BETWEEN ? AND ? AND s.type <> 'proforma' AND (s.issue_date > ? OR s.id > ?)
			ORDER BY s.issue_date, s.id LIMIT ?`, day, o.To, day, id, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading sales invoices: %w", err)
		}
		if len(rows) == 0 {
			return nil, nil
		}
		lines, err := tenant.Query[invoiceLine](ctx, r, `SELECT invoice_id, sort_order, description, unit, quantity, unit_price,
				price_includes_vat, vat_rate, vat_code, net_minor, vat_minor
			FROM sales_invoice_lines WHERE company_id = @company AND invoice_id IN ? ORDER BY invoice_id, sort_order`, idsOf(rows))
		if err != nil {
			return nil, fmt.Errorf("reading lines of sales invoices: %w", err)
		}
		list := withLines(rows, lines, d.receivable, true)
		return list, settle(ctx, r, o, list)
	})
}

// purchasesOf reads what was registered, by day of registration and id.
func purchasesOf(ctx context.Context, r tenant.ReadTx, o Options, d debts) iter.Seq2[invoice, error] {
	return paged(func(after *invoice) ([]invoice, error) {
		day, id := place(after, o)
		rows, err := tenant.Query[invoiceRow](ctx, r, `SELECT s.id, s.document_number AS number, s.document_date,
				s.registration_date AS posting_date, s.supply_date, s.type, s.currency, s.exchange_rate, s.net_minor, s.gross_minor, s.partner_id,
				p.name AS partner_name, p.code, p.vat_code, p.country_code, s.journal_transaction_id AS transaction_id,
				c.document_number AS adjusts, g.code AS debt_account
			FROM purchase_invoices s JOIN partners p ON p.company_id = s.company_id AND p.id = s.partner_id
			LEFT JOIN purchase_invoices c ON c.company_id = s.company_id AND c.id = s.credited_invoice_id
			LEFT JOIN open_items i ON i.company_id = s.company_id AND i.document_id = s.id
			LEFT JOIN ledger_accounts g ON g.company_id = i.company_id AND g.id = i.account_id
			WHERE s.company_id = @company AND s.registration_date BETWEEN ? AND ? AND (s.registration_date > ? OR s.id > ?)
			ORDER BY s.registration_date, s.id LIMIT ?`, day, o.To, day, id, pageRows)
		if err != nil {
			return nil, fmt.Errorf("reading purchase invoices: %w", err)
		}
		if len(rows) == 0 {
			return nil, nil
		}
		lines, err := tenant.Query[invoiceLine](ctx, r, `SELECT invoice_id, sort_order, description, unit, quantity, unit_price,
				price_includes_vat, vat_rate, vat_code, account_code, net_minor, vat_minor
			FROM purchase_invoice_lines WHERE company_id = @company AND invoice_id IN ? ORDER BY invoice_id, sort_order`, idsOf(rows))
		if err != nil {
			return nil, fmt.Errorf("reading lines of purchase invoices: %w", err)
		}
		list := withLines(rows, lines, d.payable, false)
		return list, settle(ctx, r, o, list)
	})
}

// place is where a page begins.
func place(after *invoice, o Options) (date.Date, tenant.ID) {
	if after == nil {
		return o.From, tenant.ID{}
	}
	return after.PostingDate, after.ID
}

func idsOf(rows []invoiceRow) []tenant.ID {
	ids := make([]tenant.ID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids
}

func withLines(rows []invoiceRow, lines []invoiceLine, debtAccount string, isSale bool) []invoice {
	list := make([]invoice, len(rows))
	position := map[tenant.ID]int{}
	for i, row := range rows {
		if row.DebtAccount == nil {
			row.DebtAccount = &debtAccount
		}
		list[i] = invoice{invoiceRow: row, isSale: isSale}
		position[row.ID] = i
	}
	for _, l := range lines {
		i := position[l.InvoiceID]
		list[i].lines = append(list[i].lines, l)
	}
	return list
}
