package files

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "files",
		Fields: map[string]tenant.Field{
			"id":        tenant.IDField("id"),
			"entity":    tenant.TextField("entity"),
			"entityId":  tenant.TextField("entity_id"),
			"fileName":  tenant.TextField("file_name"),
			"mimeType":  tenant.TextField("mime_type"),
			"sizeBytes": tenant.IntField("size_bytes"),
			"createdAt": tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "id", Dir: "desc"}},
}

// List reads one page of files, the newest first.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[File], error) {
	return tenant.ListRows[File](ctx, r, q, listing) //nolint:wrapcheck // says what was read
}
