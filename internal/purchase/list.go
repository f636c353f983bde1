package purchase

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

var (
	registeredFields = map[string]tenant.Field{
		"id":                tenant.IDField("i.id"),
		"partnerId":         tenant.IDField("i.partner_id"),
		"type":              tenant.TextField("i.type"),
		"documentNumber":    tenant.TextField("i.document_number"),
		"documentDate":      tenant.DateField("i.document_date"),
		"dueDate":           tenant.DateField("i.due_date"),
		"currency":          tenant.TextField("i.currency"),
		"netTotal":          tenant.MoneyField("i.net_minor"),
		"vatTotal":          tenant.MoneyField("i.vat_minor"),
		"grossTotal":        tenant.MoneyField("i.gross_minor"),
		"creditedInvoiceId": tenant.IDField("i.credited_invoice_id"),
		"createdAt":         tenant.TimeField("i.created_at"),
		"status":            tenant.ConstantField(string(StatusRegistered)),
		"paymentStatus":     tenant.TextField(paymentState),
		"registrationDate":  tenant.DateField("i.registration_date"),
		"duplicateOfId":     tenant.IDField("n.duplicate_of_id"),
		"updatedAt":         tenant.TimeField("i.registered_at"),
	}
	draftFields = map[string]tenant.Field{
		"id":                tenant.IDField("d.id"),
		"partnerId":         tenant.IDField("d.partner_id"),
		"type":              tenant.TextField("d.type"),
		"documentNumber":    tenant.TextField("d.document_number"),
		"documentDate":      tenant.DateField("d.document_date"),
		"dueDate":           tenant.DateField("d.due_date"),
		"currency":          tenant.TextField("d.currency"),
		"netTotal":          tenant.MoneyField("d.net_minor"),
		"vatTotal":          tenant.MoneyField("d.vat_minor"),
		"grossTotal":        tenant.MoneyField("d.gross_minor"),
		"creditedInvoiceId": tenant.IDField("d.credited_invoice_id"),
		"createdAt":         tenant.TimeField("d.created_at"),
		"status":            tenant.ConstantField(string(StatusDraft)),
		"paymentStatus":     tenant.ConstantField(string(PaymentUnpaid)),
		"registrationDate":  tenant.DateField("NULL"),
		"duplicateOfId":     tenant.IDField("n.duplicate_of_id"),
		"updatedAt":         tenant.TimeField("d.updated_at"),
	}
)

var (
	withItem   = tenant.Join{As: "o", On: joinItem}
	withNumber = tenant.Join{As: "n", On: joinNumber}

	draftSource = tenant.Source{
		From: "purchase_drafts d", As: "d", Joins: []tenant.Join{{As: "n", On: joinDraftNumber}}, Columns: draftColumns, Fields: draftFields,
	}
	registeredSource = tenant.Source{
		From: "purchase_invoices i", As: "i", Joins: []tenant.Join{withNumber, withItem}, Columns: registeredColumns, Fields: registeredFields,
	}
	// The source of what is owed has what is registered and not paid: few documents among many, so they are not looked for among all.
	owedSource = tenant.Source{
		From: "open_items o JOIN purchase_invoices i ON i.company_id = o.company_id AND i.id = o.document_id", As: "i",
		Where: "o.open_minor > 0", Joins: []tenant.Join{withNumber}, Columns: registeredColumns, Fields: registeredFields,
	}

	latestFirst = []tenant.Sort{{Field: "documentDate", Dir: "desc"}}
	documents   = tenant.Listing{Sources: []tenant.Source{registeredSource, draftSource}, Order: latestFirst}
	notPaid     = tenant.Listing{Sources: []tenant.Source{owedSource, draftSource}, Order: latestFirst}
)

// List reads a page of documents without their lines, those of the latest date first unless asked otherwise. Amounts are compared in
// the base currency. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Invoice], error) {
	listing := documents
	for _, f := range q.Filter {
		if f.Field == "paymentStatus" && f.Among(string(PaymentUnpaid), string(PaymentPartial)) {
			listing = notPaid // the filter stays and decides
		}
	}
	return tenant.ListRows[Invoice](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
