// Package webhook tells tenants what happened.
//
// Owns: the outbox of events, written in the transaction that caused them.
//
// Does not own: what an event means; each domain names its own.
//
// Invariants: an event commits with its cause or not at all; its bytes are fixed at that moment; it carries ids, never
// the document, so a receiver fetches what it may see.
package webhook

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Event is what happened to which object.
type Event struct {
	// Type is one of the contract's names, such as "sale_invoice.issued".
	Type       string
	ObjectType string
	ObjectID   tenant.ID
}

type eventRow struct {
	tenant.Row
	EventType  string
	ObjectType string
	ObjectID   tenant.ID
	Payload    []byte
	CreatedAt  clock.Time
}

func (eventRow) TableName() string { return "outbox_events" }

// payload is what a receiver gets.
type payload struct {
	ID        tenant.ID  `json:"id"`
	Type      string     `json:"type"`
	CompanyID tenant.ID  `json:"companyId"`
	CreatedAt clock.Time `json:"createdAt"`
	Data      data       `json:"data"`
}

type data struct {
	Object string    `json:"object"`
	ID     tenant.ID `json:"id"`
}

// Publish puts an event into the outbox.
func Publish(ctx context.Context, tx tenant.Tx, e Event) error {
	id := tenant.NewID()
	body, err := json.Marshal(payload{id, e.Type, tx.Company().ID, tx.Now(), data{e.ObjectType, e.ObjectID}})
	if err != nil {
		return fmt.Errorf("encoding the event %s: %w", e.Type, err)
	}
	row := &eventRow{
		Row: tenant.Row{ID: id}, EventType: e.Type, ObjectType: e.ObjectType, ObjectID: e.ObjectID, Payload: body, CreatedAt: tx.Now(),
	}
	return tenant.Insert(ctx, tx, row) //nolint:wrapcheck // says what was stored
}
