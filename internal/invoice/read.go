package invoice

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
)

// How both tables are read in one shape. A credit note without an open item has settled itself against the document it credits; a
// cancelled document and a proforma are never paid.
const (
	paymentStatus = `(CASE WHEN c.id IS NOT NULL OR i.type = 'proforma' OR o.open_minor = i.gross_minor THEN 'unpaid'
		WHEN COALESCE(o.open_minor, 0) = 0 THEN 'paid' ELSE 'partial' END)`
	lastChange    = "COALESCE(c.created_at, i.issued_at)"
	issuedColumns = `i.id, i.partner_id, i.type, i.currency, i.issue_date, i.due_date, i.supply_date,
		i.credited_invoice_id, i.vat_scheme, i.vat_country_code, i.deemed_supplier, i.special_taxation, i.notes, i.net_minor, i.vat_minor, i.gross_minor,
		i.created_at, ` + lastChange + ` AS updated_at, 'issued' AS status, i.series, i.number, i.full_number,
		i.journal_transaction_id, a.invoice_id AS applied_to_invoice_id, c.created_at AS cancelled_at,
		CASE WHEN c.id IS NOT NULL OR i.type = 'proforma' THEN 0 ELSE i.gross_minor - COALESCE(o.open_minor, 0) END AS settled_minor`
	draftColumns = `d.id, d.partner_id, d.type, d.currency, d.issue_date, d.due_date, d.supply_date,
		d.credited_invoice_id, d.vat_scheme, d.vat_country_code, d.deemed_supplier, d.special_taxation, d.notes, d.net_minor, d.vat_minor, d.gross_minor,
		d.created_at, d.updated_at, 'draft' AS status, 0 AS settled_minor`

	joinItem         = "LEFT JOIN open_items o ON o.company_id = i.company_id AND o.document_id = i.id"
	joinCancellation = "LEFT JOIN sales_cancellations c ON c.company_id = i.company_id AND c.invoice_id = i.id"
	joinApplication  = "LEFT JOIN sales_advance_applications a ON a.company_id = i.company_id AND a.advance_id = i.id"

	oneIssued = "SELECT " + issuedColumns + " FROM sales_invoices i " + joinItem + " " + joinCancellation + " " + joinApplication +
		" WHERE i.company_id = @company AND i.id = ?"
	oneDraft = "SELECT " + draftColumns + " FROM sales_drafts d WHERE d.company_id = @company AND d.id = ?"
)

// Get reads a document with its lines, issued or draft. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*Document, error) {
	d, err := tenant.QueryOne[Document](ctx, r, oneIssued, id)
	if err != nil {
		return nil, fmt.Errorf("reading the invoice: %w", err)
	}
	if d != nil {
		lines, err := tenant.Find[invoiceLineRow](ctx, r, "invoice_id = ?", id)
		for _, l := range lines {
			d.Lines = append(d.Lines, Line{l.ID, l.LineContent})
		}
		d.sortLines()
		return d, err //nolint:wrapcheck // says what was read
	}
	d, err = tenant.QueryOne[Document](ctx, r, oneDraft, id)
	if err != nil {
		return nil, fmt.Errorf("reading the draft: %w", err)
	}
	if d == nil {
		return nil, unknown(id)
	}
	lines, err := tenant.Find[draftLineRow](ctx, r, "draft_id = ?", id)
	for _, l := range lines {
		d.Lines = append(d.Lines, Line{l.ID, l.LineContent})
	}
	d.sortLines()
	return d, err //nolint:wrapcheck // says what was read
}

func unknown(id tenant.ID) error {
	return tenant.NotFound("sales invoice", id) //nolint:wrapcheck // an error of the API
}

func (d *Document) sortLines() {
	slices.SortFunc(d.Lines, func(a, b Line) int { return a.SortOrder - b.SortOrder })
}
