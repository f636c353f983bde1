// Package audit records who did what to which object, in the transaction that did it.
//
// Owns: the append-only audit log.
//
// Does not own: the meaning of actions; each domain names its own as "invoice.issued".
//
// Invariants: a row commits with the change it describes, or not at all; no row is ever changed.
package audit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Entry is one line of the log.
type Entry struct {
	// Action is resource.action in the past tense, such as "sale_invoice.issued".
	Action string
	// Entity is the sort of object, EntityID its id; the id may be empty for the company itself.
	Entity   string
	EntityID string
	// Before and After are the object as the API shows it; nil where there is none.
	Before, After any
}

// row is a line as stored. Its id is a number, as the contract wants; see newID.
type row struct {
	CompanyID tenant.ID
	ID        int64
	ActorType tenant.ActorType
	ActorID   string
	Action    string
	Entity    string
	EntityID  *string
	Diff      *string
	RequestID string
	CreatedAt clock.Time
}

type diff struct {
	Before any `json:"before,omitzero"`
	After  any `json:"after,omitzero"`
}

// linesPerStatement bounds one statement, also where every line tells of a large object.
const linesPerStatement = 50

// Record writes lines into the log.
func Record(ctx context.Context, tx tenant.Tx, entries ...Entry) error {
	scope := tx.Scope()
	actor := scope.Actor()
	for chunk := range slices.Chunk(entries, linesPerStatement) {
		rows := make([][]any, len(chunk))
		for i, e := range chunk {
			var entityID *string
			if e.EntityID != "" {
				entityID = &e.EntityID
			}
			changes, err := e.changes()
			if err != nil {
				return err
			}
			rows[i] = []any{
				newID(tx.Now().Time), actor.Type, actor.ID, e.Action, e.Entity, entityID, changes, scope.RequestID(), tx.Now(),
			}
		}
		err := tenant.InsertRows(ctx, tx, `INSERT INTO audit_log
			(company_id, id, actor_type, actor_id, action, entity, entity_id, diff, request_id, created_at) VALUES`,
			"(@company, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
		if err != nil {
			return fmt.Errorf("recording %s: %w", chunk[0].Action, err)
		}
	}
	return nil
}

// changes are the object before and after as JSON, or nil.
func (e Entry) changes() (*string, error) {
	if e.Before == nil && e.After == nil {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	b, err := json.Marshal(diff{e.Before, e.After})
	if err != nil {
		return nil, fmt.Errorf("encoding the audit entry of %s: %w", e.Action, err)
	}
	text := string(b)
	return &text, nil
}

// The id is milliseconds since epoch in the high bits and a counter in the low twelve: it sorts by time, fits the 53
// bits that every JSON reader keeps, and needs no lock that all tenants share.
var (
	epoch   = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	counter atomic.Int64
)

func init() { counter.Store(rand.Int64()) } //nolint:gosec // spreads servers apart; nothing secret

func newID(now time.Time) int64 {
	return now.Sub(epoch).Milliseconds()<<tenant.AuditCounterBits | counter.Add(1)&(1<<tenant.AuditCounterBits-1)
}
