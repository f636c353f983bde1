package invoice

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

var (
	issuedFields = map[string]tenant.Field{
		"id":                tenant.IDField("i.id"),
		"partnerId":         tenant.IDField("i.partner_id"),
		"type":              tenant.TextField("i.type"),
		"status":            tenant.ConstantField(string(StatusIssued)),
		"paymentStatus":     tenant.TextField(paymentStatus),
		"series":            tenant.TextField("i.series"),
		"number":            tenant.IntField("i.number"),
		"fullNumber":        tenant.TextField("i.full_number"),
		"issueDate":         tenant.DateField("i.issue_date"),
		"dueDate":           tenant.DateField("i.due_date"),
		"currency":          tenant.TextField("i.currency"),
		"netTotal":          tenant.MoneyField("i.net_minor"),
		"vatTotal":          tenant.MoneyField("i.vat_minor"),
		"grossTotal":        tenant.MoneyField("i.gross_minor"),
		"creditedInvoiceId": tenant.IDField("i.credited_invoice_id"),
		"vatScheme":         tenant.TextField("i.vat_scheme"),
		"createdAt":         tenant.TimeField("i.created_at"),
		"updatedAt":         tenant.TimeField(lastChange),
	}
	draftFields = map[string]tenant.Field{
		"id":            tenant.IDField("d.id"),
		"partnerId":     tenant.IDField("d.partner_id"),
		"type":          tenant.TextField("d.type"),
		"status":        tenant.ConstantField(string(StatusDraft)),
		"paymentStatus": tenant.ConstantField(string(PaymentUnpaid)),
		"series":        tenant.TextField("NULL"),
		"number":        tenant.IntField("NULL"),
		"fullNumber":    tenant.TextField("NULL"),
		// A draft without a date will be issued on a day to come, so it stands beside the newest.
		"issueDate":         tenant.DateField("d.issue_date").SortedBy("COALESCE(d.issue_date, '9999-12-31')"),
		"dueDate":           tenant.DateField("d.due_date"),
		"currency":          tenant.TextField("d.currency"),
		"netTotal":          tenant.MoneyField("d.net_minor"),
		"vatTotal":          tenant.MoneyField("d.vat_minor"),
		"grossTotal":        tenant.MoneyField("d.gross_minor"),
		"creditedInvoiceId": tenant.IDField("d.credited_invoice_id"),
		"vatScheme":         tenant.TextField("d.vat_scheme"),
		"createdAt":         tenant.TimeField("d.created_at"),
		"updatedAt":         tenant.TimeField("d.updated_at"),
	}
)

var (
	withItem         = tenant.Join{As: "o", On: joinItem}
	withCancellation = tenant.Join{As: "c", On: joinCancellation}
	withApplication  = tenant.Join{As: "a", On: joinApplication}

	draftSource  = tenant.Source{From: "sales_drafts d", As: "d", Columns: draftColumns, Fields: draftFields}
	issuedSource = tenant.Source{
		From: "sales_invoices i", As: "i", Joins: []tenant.Join{withItem, withCancellation, withApplication}, Columns: issuedColumns, Fields: issuedFields,
		// Numbers have no gaps, so the series know how many documents were issued.
		Tally: &tenant.Tally{
			From: "number_series n", As: "n", Sum: "n.next_number - n.first_number",
			Fields: map[string]tenant.Field{
				"status": tenant.ConstantField(string(StatusIssued)),
				"type": tenant.TextField(`(CASE n.document_type WHEN 'sale_invoice' THEN 'invoice' WHEN 'advance_invoice' THEN 'advance'
					ELSE n.document_type END)`),
				"series": tenant.TextField("n.prefix"),
			},
		},
	}
	// The sources of what is owed, cancelled and proforma are together what is not paid: few documents among many, so none of them is looked for among all.
	owedSource = tenant.Source{
		From: "open_items o JOIN sales_invoices i ON i.company_id = o.company_id AND i.id = o.document_id", As: "i",
		Where: "o.open_minor > 0 AND c.id IS NULL", Joins: []tenant.Join{withCancellation, withApplication}, Columns: issuedColumns, Fields: issuedFields,
	}
	cancelledSource = tenant.Source{
		From: "sales_cancellations c JOIN sales_invoices i ON i.company_id = c.company_id AND i.id = c.invoice_id", As: "i",
		Joins: []tenant.Join{withItem, withApplication}, Columns: issuedColumns, Fields: issuedFields,
	}
	// A proforma is the document that booked nothing, which an index tells.
	proformaSource = tenant.Source{
		From: "sales_invoices i", As: "i", Where: "i.journal_transaction_id IS NULL AND c.id IS NULL",
		Joins: []tenant.Join{withItem, withCancellation, withApplication}, Columns: issuedColumns, Fields: issuedFields,
	}

	latestFirst = []tenant.Sort{{Field: "issueDate", Dir: "desc"}}
	documents   = tenant.Listing{Sources: []tenant.Source{issuedSource, draftSource}, Order: latestFirst}
	notPaid     = tenant.Listing{Sources: []tenant.Source{owedSource, cancelledSource, proformaSource, draftSource}, Order: latestFirst}
)

// List reads a page of documents without their lines, those of the latest date first unless asked otherwise. Amounts are compared in
// the base currency. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Document], error) {
	listing := documents
	for _, f := range q.Filter {
		if f.Field == "paymentStatus" && f.Among(string(PaymentUnpaid), string(PaymentPartial)) {
			listing = notPaid // the filter stays and decides
		}
	}
	return tenant.ListRows[Document](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
