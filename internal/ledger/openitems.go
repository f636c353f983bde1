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

var itemFields = map[string]tenant.Field{
	"id":             tenant.IDField("i.id"),
	"kind":           tenant.TextField("i.kind"),
	"documentType":   tenant.TextField("i.document_type"),
	"documentId":     tenant.IDField("i.document_id"),
	"documentNumber": tenant.TextField("i.document_number"),
	"partnerId":      tenant.IDField("i.partner_id"),
	"partnerName":    tenant.TextField("p.name"),
	"accountCode":    tenant.TextField("a.code"),
	"documentDate":   tenant.DateField("i.document_date"),
	"dueDate":        tenant.DateField("i.due_date"),
	"currency":       tenant.TextField("i.currency"),
	"settled":        tenant.BoolField("(i.open_minor = 0)"),
	"createdAt":      tenant.TimeField("i.created_at"),
}

const itemColumns = "i.*, a.code AS account_code, p.name AS partner_name"

var (
	itemJoins = []tenant.Join{
		{As: "a", On: "JOIN ledger_accounts a ON a.company_id = i.company_id AND a.id = i.account_id"},
		{As: "p", On: "JOIN partners p ON p.company_id = i.company_id AND p.id = i.partner_id"},
	}
	newestFirst = []tenant.Sort{{Field: "id", Dir: "desc"}}
	itemListing = tenant.Listing{
		Sources: []tenant.Source{{From: "open_items i", As: "i", Joins: itemJoins, Columns: itemColumns, Fields: itemFields}},
		Order:   newestFirst,
	}
	// openListing has what is not settled: few items among many, which an index knows.
	openListing = tenant.Listing{
		Sources: []tenant.Source{{From: "open_items i", As: "i", Where: "i.open_minor > 0", Joins: itemJoins, Columns: itemColumns, Fields: itemFields}},
		Order:   newestFirst,
	}
)

// ListItems reads a page of items, settled ones too, the newest first unless asked otherwise.
func ListItems(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[ListedItem], error) {
	listing := itemListing
	for _, f := range q.Filter {
		if f.Field == "settled" && f.Among("false") {
			listing = openListing // the filter stays and decides
		}
	}
	return tenant.ListRows[ListedItem](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
