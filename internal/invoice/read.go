package invoice

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
)

// issuedDocuments and drafts read both tables in one shape. A credit note without an open item has settled itself against the
// document it credits; a cancelled document and a proforma are never paid.
const (
	issuedDocuments = `SELECT i.company_id, i.id, i.partner_id, i.type, i.currency, i.issue_date, i.due_date, i.supply_date,
		i.credited_invoice_id, i.vat_scheme, i.vat_country_code, i.deemed_supplier, i.special_taxation, i.notes, i.net_minor, i.vat_minor, i.gross_minor,
		i.created_at, COALESCE(c.created_at, i.issued_at) AS updated_at, 'issued' AS status, i.series, i.number, i.full_number,
		i.journal_transaction_id, a.invoice_id AS applied_to_invoice_id, c.created_at AS cancelled_at,
		CASE WHEN c.id IS NOT NULL OR i.type = 'proforma' THEN 0 ELSE i.gross_minor - COALESCE(o.open_minor, 0) END AS settled_minor,
		CASE WHEN c.id IS NOT NULL OR i.type = 'proforma' OR o.open_minor = i.gross_minor THEN 'unpaid'
			WHEN COALESCE(o.open_minor, 0) = 0 THEN 'paid' ELSE 'partial' END AS payment_status
		FROM sales_invoices i
		LEFT JOIN open_items o ON o.company_id = i.company_id AND o.document_id = i.id
		LEFT JOIN sales_cancellations c ON c.company_id = i.company_id AND c.invoice_id = i.id
		LEFT JOIN sales_advance_applications a ON a.company_id = i.company_id AND a.advance_id = i.id
		WHERE i.company_id = @company`
	drafts = `SELECT d.company_id, d.id, d.partner_id, d.type, d.currency, d.issue_date, d.due_date, d.supply_date,
		d.credited_invoice_id, d.vat_scheme, d.vat_country_code, d.deemed_supplier, d.special_taxation, d.notes, d.net_minor, d.vat_minor, d.gross_minor,
		d.created_at, d.updated_at, 'draft' AS status, NULL AS series, NULL AS number, NULL AS full_number,
		NULL AS journal_transaction_id, NULL AS applied_to_invoice_id, NULL AS cancelled_at, 0 AS settled_minor,
		'unpaid' AS payment_status
		FROM sales_drafts d WHERE d.company_id = @company`
)

// Get reads a document with its lines, issued or draft. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*Document, error) {
	d, err := tenant.QueryOne[Document](ctx, r, issuedDocuments+" AND i.id = ?", id)
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
	d, err = tenant.QueryOne[Document](ctx, r, drafts+" AND d.id = ?", id)
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

var fields = map[string]tenant.Field{
	"id":                tenant.IDField("id"),
	"partnerId":         tenant.IDField("partner_id"),
	"type":              tenant.TextField("type"),
	"status":            tenant.TextField("status"),
	"paymentStatus":     tenant.TextField("payment_status"),
	"series":            tenant.TextField("series"),
	"number":            tenant.IntField("number"),
	"fullNumber":        tenant.TextField("full_number"),
	"issueDate":         tenant.DateField("issue_date"),
	"dueDate":           tenant.DateField("due_date"),
	"currency":          tenant.TextField("currency"),
	"netTotal":          tenant.MoneyField("net_minor"),
	"vatTotal":          tenant.MoneyField("vat_minor"),
	"grossTotal":        tenant.MoneyField("gross_minor"),
	"creditedInvoiceId": tenant.IDField("credited_invoice_id"),
	"vatScheme":         tenant.TextField("vat_scheme"),
	"createdAt":         tenant.TimeField("created_at"),
	"updatedAt":         tenant.TimeField("updated_at"),
}

const newestFirst = "created_at DESC, id DESC"

var (
	everything = tenant.Listing{
		From: "(" + issuedDocuments + " UNION ALL " + drafts + ") documents", Fields: fields, Order: newestFirst,
	}
	issuedOnly = tenant.Listing{From: "(" + issuedDocuments + ") documents", Fields: fields, Order: newestFirst}
	draftsOnly = tenant.Listing{From: "(" + drafts + ") documents", Fields: fields, Order: newestFirst}
)

// List reads a page of documents without their lines, the newest first unless asked otherwise. Amounts are compared in the base
// currency. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Document], error) {
	listing := everything
	for _, f := range q.Filter {
		// Only one of the tables can answer; the filter stays and decides.
		switch {
		case f.Field != "status" || f.Op != "eq":
		case string(f.Value) == `"issued"`:
			listing = issuedOnly
		case string(f.Value) == `"draft"`:
			listing = draftsOnly
		}
	}
	return tenant.ListRows[Document](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
