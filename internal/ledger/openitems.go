package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

// ListedItem is an open item with the name of its partner.
type ListedItem struct {
	OpenItem
	PartnerName string
}

var itemListing = tenant.Listing{
	From: `(SELECT i.*, a.code AS account_code, p.name AS partner_name, i.open_minor = 0 AS is_settled FROM open_items i
		JOIN ledger_accounts a ON a.company_id = i.company_id AND a.id = i.account_id
		JOIN partners p ON p.company_id = i.company_id AND p.id = i.partner_id
		WHERE i.company_id = @company) items`,
	Order: "due_date, document_number",
	Fields: map[string]tenant.Field{
		"id":             tenant.IDField("id"),
		"kind":           tenant.TextField("kind"),
		"documentType":   tenant.TextField("document_type"),
		"documentId":     tenant.IDField("document_id"),
		"documentNumber": tenant.TextField("document_number"),
		"partnerId":      tenant.IDField("partner_id"),
		"partnerName":    tenant.TextField("partner_name"),
		"accountCode":    tenant.TextField("account_code"),
		"documentDate":   tenant.DateField("document_date"),
		"dueDate":        tenant.DateField("due_date"),
		"currency":       tenant.TextField("currency"),
		"settled":        tenant.BoolField("is_settled"),
		"createdAt":      tenant.TimeField("created_at"),
	},
}

// ListItems reads a page of items, settled ones too, the first due first unless asked otherwise.
func ListItems(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[ListedItem], error) {
	return tenant.ListRows[ListedItem](ctx, r, q, itemListing) //nolint:wrapcheck // names the field at fault
}
