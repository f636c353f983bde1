package purchase

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
)

// How both tables are read in one shape. A credit note without an open item was set off as a whole.
const (
	paymentState = `(CASE WHEN COALESCE(o.open_minor, 0) = 0 THEN 'paid' WHEN o.open_minor = i.gross_minor THEN 'unpaid' ELSE 'partial' END)`

	registeredColumns = `i.id, i.partner_id, i.type, i.document_number, i.document_date, i.due_date, i.supply_date,
		i.supply_type, i.special_taxation, i.currency, i.credited_invoice_id, i.notes, i.net_minor, i.vat_minor, i.gross_minor,
		'registered' AS status, i.registration_date, i.journal_transaction_id, i.exchange_rate, i.created_at,
		i.registered_at AS updated_at, n.duplicate_of_id, n.duplicate_reason, i.gross_minor - COALESCE(o.open_minor, 0) AS settled_minor`
	draftColumns = `d.id, d.partner_id, d.type, d.document_number, d.document_date, d.due_date, d.supply_date,
		d.supply_type, d.special_taxation, d.currency, d.credited_invoice_id, d.notes, d.net_minor, d.vat_minor, d.gross_minor,
		'draft' AS status, d.created_at, d.updated_at, n.duplicate_of_id, n.duplicate_reason, 0 AS settled_minor`

	joinItem        = "LEFT JOIN open_items o ON o.company_id = i.company_id AND o.document_id = i.id"
	joinNumber      = "JOIN purchase_numbers n ON n.company_id = i.company_id AND n.id = i.id"
	joinDraftNumber = "JOIN purchase_numbers n ON n.company_id = d.company_id AND n.id = d.id"

	oneRegistered = "SELECT " + registeredColumns + " FROM purchase_invoices i " + joinNumber + " " + joinItem + " WHERE i.company_id = @company AND i.id = ?"
	oneDraft      = "SELECT " + draftColumns + " FROM purchase_drafts d " + joinDraftNumber + " WHERE d.company_id = @company AND d.id = ?"
)

// Get reads a document with its lines, a draft or registered. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*Invoice, error) {
	i, err := tenant.QueryOne[Invoice](ctx, r, oneRegistered, id)
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
	i, err = tenant.QueryOne[Invoice](ctx, r, oneDraft, id)
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
