package delivery

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Status is where a delivery stands.
type Status string

// The states as they are shown. A cancelled delivery shows as failed, since the contract has no word for it.
const (
	StatusPending   Status = "pending"
	StatusDelivered Status = "delivered"
	StatusFailed    Status = "failed"
	statusCancelled Status = "cancelled"
)

// Enum lists the states that are shown.
func (Status) Enum() []any { return []any{StatusPending, StatusDelivered, StatusFailed} }

const entityDelivery = "webhook_delivery"

// Delivery is one event on its way to one subscription.
type Delivery struct {
	tenant.Row
	SubscriptionID tenant.ID
	EventID        tenant.ID
	EventType      string
	ObjectID       tenant.ID
	Status         Status
	// Attempts counts those begun; Failures those with a bad end since it became pending.
	Attempts      int
	Failures      int
	IsRedelivery  bool
	RedeliveredAt *clock.Time
	NextAttemptAt clock.Time
	Claim         *tenant.ID
	ClaimedAt     *clock.Time
	LastError     *string
	CreatedAt     clock.Time
	DeliveredAt   *clock.Time
}

// TableName names the table for the mapper.
func (Delivery) TableName() string { return "webhook_deliveries" }

// Shown is the state as the contract names it.
func (d Delivery) Shown() Status {
	if d.Status == statusCancelled {
		return StatusFailed
	}
	return d.Status
}

var deliveries = tenant.Listing{
	Sources: []tenant.Source{{
		From: "webhook_deliveries",
		Fields: map[string]tenant.Field{
			"id":             tenant.IDField("id"),
			"subscriptionId": tenant.IDField("subscription_id"),
			"eventId":        tenant.IDField("event_id"),
			"eventType":      tenant.TextField("event_type"),
			"objectId":       tenant.IDField("object_id"),
			"status":         tenant.TextField("(CASE status WHEN 'cancelled' THEN 'failed' ELSE status END)"),
			"attempts":       tenant.IntField("attempts"),
			"createdAt":      tenant.TimeField("created_at"),
			"deliveredAt":    tenant.TimeField("delivered_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "id", Dir: "desc"}},
}

// ListDeliveries reads a page of the deliveries of the last thirty days, the newest first unless asked otherwise.
func ListDeliveries(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Delivery], error) {
	return tenant.ListRows[Delivery](ctx, r, q, deliveries) //nolint:wrapcheck // names the field at fault
}

// Redeliver sends a delivery once more: one that is finished gets exactly one new attempt, one that waits gets its next
// attempt now. Asked again within seconds, it does nothing: two people who press at the same time mean one attempt.
// Errors: not_found, webhook.subscription_not_active.
func Redeliver(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Delivery, error) {
	known, err := tenant.Get[Delivery](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	// The subscription first, in the order in which everything else locks the two.
	s, err := tenant.Lock[Subscription](ctx, tx, known.SubscriptionID)
	if err != nil {
		return nil, fmt.Errorf("locking the subscription of a delivery: %w", err)
	}
	if s.State != StateActive {
		return nil, notActive(s)
	}
	d, err := tenant.Lock[Delivery](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	now, err := databaseNow(ctx, tx)
	if err != nil {
		return nil, err
	}
	if d.RedeliveredAt != nil && now.Sub(d.RedeliveredAt.Time) < samePress {
		return d, nil
	}
	if d.Status != StatusPending {
		d.Status, d.IsRedelivery, d.Failures = StatusPending, true, 0
	}
	d.RedeliveredAt, d.NextAttemptAt = &now, now
	if err := tenant.Update(ctx, tx, d, "status", "is_redelivery", "failures", "redelivered_at", "next_attempt_at"); err != nil {
		return nil, err //nolint:wrapcheck // says what was updated
	}
	return d, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: entityDelivery + ".redelivered", Entity: entityDelivery, EntityID: id.String(),
	})
}

// databaseNow is the clock by which deliveries are due: one for all servers.
func databaseNow(ctx context.Context, tx tenant.Tx) (clock.Time, error) {
	now, err := tenant.QueryOne[clock.Time](ctx, tx, "SELECT @now FROM companies WHERE id = @company")
	if err != nil || now == nil {
		return clock.Time{}, fmt.Errorf("asking the database for the time: %w", err)
	}
	return *now, nil
}
