package httpapi

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// auditOperations show who did what.
func auditOperations() []Operation {
	return []Operation{
		query("/v1/audit/list", tenant.ReadAudit, "List who did what", listAudit,
			described("The newest line comes first. Lines are never changed or deleted.")),
	}
}

type auditRow struct {
	ID        int64            `json:"id" description:"Number of the line; later lines have higher ones."`
	ActorType tenant.ActorType `json:"actorType" description:"Sort of actor."`
	ActorID   string           `json:"actorId,omitzero" description:"Who acted."`
	Action    string           `json:"action" description:"What was done, such as sale_invoice.issued."`
	Entity    string           `json:"entity" description:"Sort of object."`
	EntityID  *string          `json:"entityId,omitzero" description:"Id of the object."`
	Diff      jsontext.Value   `json:"diff,omitzero" description:"The object before and after."`
	RequestID string           `json:"requestId" description:"The request that did it."`
	CreatedAt clock.Time       `json:"createdAt" description:"When it was done."`
}

func listAudit(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[auditRow], error) {
	page, err := audit.List(ctx, r, q)
	return tenant.MapPage(page, func(l audit.Line) auditRow { return auditRow(l) }), err
}
