package purchase

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
)

// registered and drafts read both tables in one shape. A credit note without an open item was set off as a whole.
const (
	registered = `SELECT i.company_id, i.id, i.partner_id, i.type, i.document_number, i.document_date, i.due_date, i.supply_date,
		i.supply_type, i.special_taxation, i.currency, i.credited_invoice_id, i.notes, i.net_minor, i.vat_minor, i.gross_minor,
		'registered' AS status, i.registration_date, i.journal_transaction_id, i.exchange_rate, i.created_at,
		i.registered_at AS updated_at, n.duplicate_of_id, n.duplicate_reason,
		i.gross_minor - COALESCE(o.open_minor, 0) AS settled_minor,
		CASE WHEN COALESCE(o.open_minor, 0) = 0 THEN 'paid' WHEN o.open_minor = i.gross_minor THEN 'unpaid' ELSE 'partial' END
			AS payment_status
		FROM purchase_invoices i
		JOIN purchase_numbers n ON n.company_id = i.company_id AND n.id = i.id
		LEFT JOIN open_items o ON o.company_id = i.company_id AND o.document_id = i.id
		WHERE i.company_id = @company`
	drafts = `SELECT d.company_id, d.id, d.partner_id, d.type, d.document_number, d.document_date, d.due_date, d.supply_date,
		d.supply_type, d.special_taxation, d.currency, d.credited_invoice_id, d.notes, d.net_minor, d.vat_minor, d.gross_minor,
		'draft' AS status, NULL AS registration_date, NULL AS journal_transaction_id, NULL AS exchange_rate, d.created_at,
		d.updated_at, n.duplicate_of_id, n.duplicate_reason, 0 AS settled_minor, 'unpaid' AS payment_status
		FROM purchase_drafts d
		JOIN purchase_numbers n ON n.company_id = d.company_id AND n.id = d.id
		WHERE d.company_id = @company`
)

// Get reads a document with its lines, a draft or registered. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*Invoice, error) {
	i, err := tenant.QueryOne[Invoice](ctx, r, registered+" AND i.id = ?", id)
	if err != nil {
		return nil, fmt.Errorf("reading the supplier invoice: %w", err)
	}
	if i != nil {
		lines, err := tenant.Find[invoiceLineRow](ctx, r, "invoice_id = ?", id)
		for _, l := range lines {
			i.Lines = append(i.Lines, InvoiceLine{l.ID, l.Line})
		}
		return i.complete(ctx, r, err)
	}
	i, err = tenant.QueryOne[Invoice](ctx, r, drafts+" AND d.id = ?", id)
	if err != nil {
		return nil, fmt.Errorf("reading the draft: %w", err)
	}
	if i == nil {
		return nil, unknown(id)
	}
	lines, err := tenant.Find[draftLineRow](ctx, r, "draft_id = ?", id)
	for _, l := range lines {
		i.Lines = append(i.Lines, InvoiceLine{l.ID, l.Line})
	}
	return i.complete(ctx, r, err)
}

func unknown(id tenant.ID) error { return tenant.NotFound("supplier invoice", id) }

// complete puts the lines in order and adds what is known of the number.
func (i *Invoice) complete(ctx context.Context, r tenant.Reader, err error) (*Invoice, error) {
	if err != nil {
		return nil, err
	}
	slices.SortFunc(i.Lines, func(a, b InvoiceLine) int { return a.SortOrder - b.SortOrder })
	n := newNumber(i.ID, i.PartnerID, i.DocumentNumber)
	n.DuplicateOfID, n.DuplicateReason = i.DuplicateOfID, i.DuplicateReason
	found, err := findNeighbours(ctx, r, n)
	if err != nil {
		return nil, err
	}
	i.know(n, found)
	return i, nil
}

var fields = map[string]tenant.Field{
	"id":                tenant.IDField("id"),
	"partnerId":         tenant.IDField("partner_id"),
	"type":              tenant.TextField("type"),
	"status":            tenant.TextField("status"),
	"paymentStatus":     tenant.TextField("payment_status"),
	"documentNumber":    tenant.TextField("document_number"),
	"documentDate":      tenant.DateField("document_date"),
	"dueDate":           tenant.DateField("due_date"),
	"registrationDate":  tenant.DateField("registration_date"),
	"currency":          tenant.TextField("currency"),
	"netTotal":          tenant.MoneyField("net_minor"),
	"vatTotal":          tenant.MoneyField("vat_minor"),
	"grossTotal":        tenant.MoneyField("gross_minor"),
	"creditedInvoiceId": tenant.IDField("credited_invoice_id"),
	"duplicateOfId":     tenant.IDField("duplicate_of_id"),
	"createdAt":         tenant.TimeField("created_at"),
	"updatedAt":         tenant.TimeField("updated_at"),
}

const newestFirst = "created_at DESC, id DESC"

var (
	everything = tenant.Listing{
		From: "(" + registered + " UNION ALL " + drafts + ") documents", Fields: fields, Order: newestFirst,
	}
	registeredOnly = tenant.Listing{From: "(" + registered + ") documents", Fields: fields, Order: newestFirst}
	draftsOnly     = tenant.Listing{From: "(" + drafts + ") documents", Fields: fields, Order: newestFirst}
)

// List reads a page of documents without their lines, the newest first unless asked otherwise. Amounts are compared in the base
// currency. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Invoice], error) {
	listing := everything
	for _, f := range q.Filter {
		// Only one of the tables can answer; the filter stays and decides.
		switch {
		case f.Field != "status" || f.Op != "eq":
		case string(f.Value) == `"registered"`:
			listing = registeredOnly
		case string(f.Value) == `"draft"`:
			listing = draftsOnly
		}
	}
	return tenant.ListRows[Invoice](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
