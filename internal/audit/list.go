package audit

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Line is a line of the log as shown.
type Line struct {
	ID        int64
	ActorType tenant.ActorType
	ActorID   string
	Action    string
	Entity    string
	EntityID  *string
	// Diff is the object before and after, or nil.
	Diff      jsontext.Value
	RequestID string
	CreatedAt clock.Time
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "audit_log",
		Fields: map[string]tenant.Field{
			"id":        tenant.IntField("id"),
			"actorType": tenant.TextField("actor_type"),
			"actorId":   tenant.TextField("actor_id"),
			"action":    tenant.TextField("action"),
			"entity":    tenant.TextField("entity"),
			"entityId":  tenant.TextField("entity_id"),
			"createdAt": tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "id", Dir: "desc"}},
}

// List reads a page of the log, the newest first unless asked otherwise.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Line], error) {
	page, err := tenant.ListRows[row](ctx, r, q, listing)
	if err != nil {
		return tenant.Page[Line]{}, err //nolint:wrapcheck // names the field at fault
	}
	return tenant.MapPage(page, fromRow), nil
}

func fromRow(r row) Line {
	line := Line{
		ID: r.ID, ActorType: r.ActorType, ActorID: r.ActorID, Action: r.Action, Entity: r.Entity, EntityID: r.EntityID,
		RequestID: r.RequestID, CreatedAt: r.CreatedAt,
	}
	if r.Diff != nil {
		line.Diff = jsontext.Value(*r.Diff)
	}
	return line
}
