// Package webhook tells tenants what happened.
//
// Owns: the outbox of events, written in the transaction that caused them; the catalogue of events and their schemas.
//
// Does not own: when an event happens, which each domain says; sending it (package delivery).
//
// Invariants: an event commits with its cause or not at all; its bytes are fixed at that moment; it carries ids, never
// the document, so a receiver fetches what it may see; every event is in the catalogue.
package webhook

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Event is what happened to which object.
type Event struct {
	// Type is a name of the catalogue, such as "sale_invoice.issued", and ObjectType the object it has there.
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

// payload is what a receiver gets. Its order is the order of the bytes.
type payload struct {
	ID        tenant.ID  `json:"id" description:"Id of the event: the same in every attempt, and in the header webhook-id. Drop an event whose id you have seen."`
	Type      string     `json:"type" description:"What happened."`
	CompanyID tenant.ID  `json:"companyId" description:"The company it happened in."`
	CreatedAt clock.Time `json:"createdAt" description:"When it happened."`
	Data      data       `json:"data" description:"What it happened to. Fetch the object by its id to see how it is now."`
}

type data struct {
	Object string    `json:"object" description:"Sort of the object."`
	ID     tenant.ID `json:"id" description:"Id of the object."`
}

// rowsPerStatement keeps one statement far below the placeholders that an engine allows.
const rowsPerStatement = 500

// Publish puts events into the outbox. A mutation publishes each event once, after it has locked what the event is
// about: the order of ids is then the order of events of one object. An event that is not in the catalogue is a
// programmer error.
func Publish(ctx context.Context, tx tenant.Tx, events ...Event) error {
	rows := make([]*eventRow, len(events))
	for i, e := range events {
		var err error
		if rows[i], err = e.row(tx); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(rows, rowsPerStatement) {
		if err := tenant.Insert(ctx, tx, chunk...); err != nil {
			return err //nolint:wrapcheck // says what was stored
		}
	}
	return nil
}

func (e Event) row(tx tenant.Tx) (*eventRow, error) {
	if t, known := typesByName[e.Type]; !known || t.Object != e.ObjectType {
		return nil, fmt.Errorf("publishing %s of %s: not in the catalogue of package webhook; add it there", e.Type, e.ObjectType)
	}
	id := tenant.NewID()
	body, err := json.Marshal(payload{id, e.Type, tx.Company().ID, tx.Now(), data{e.ObjectType, e.ObjectID}})
	if err != nil {
		return nil, fmt.Errorf("encoding the event %s: %w", e.Type, err)
	}
	return &eventRow{
		Row: tenant.Row{ID: id}, EventType: e.Type, ObjectType: e.ObjectType, ObjectID: e.ObjectID, Payload: body, CreatedAt: tx.Now(),
	}, nil
}
