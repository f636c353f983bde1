package delivery

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// actor is who the audit log names for what the dispatcher does.
const actor = "webhook"

// waiting is an event that has not been handed out.
type waiting struct {
	CompanyID tenant.ID
	ID        tenant.ID
	EventType string
	ObjectID  tenant.ID
}

// fanOut writes the deliveries of events that have none yet, the oldest first, and reports whether more may be waiting.
//
// What is to be done is the missing mark, wherever the event stands: an event that commits after others with higher ids
// is found like any other. Ids of one object's events are in the order of their commits, so an event is never handed out
// before an earlier one of its object.
func (d *Dispatcher) fanOut(ctx context.Context) (bool, error) {
	events, err := tenant.SystemQuery[waiting](ctx, d.system, `SELECT company_id, id, event_type, object_id FROM outbox_events
		WHERE fanned_out_at IS NULL ORDER BY id LIMIT ?`, fanOutBatch)
	if err != nil || len(events) == 0 {
		return false, err //nolint:wrapcheck // says what was read
	}
	var order []tenant.ID
	byCompany := map[tenant.ID][]waiting{}
	for _, e := range events {
		if _, seen := byCompany[e.CompanyID]; !seen {
			order = append(order, e.CompanyID)
		}
		byCompany[e.CompanyID] = append(byCompany[e.CompanyID], e)
	}
	isMore := len(events) == fanOutBatch
	var faults []error
	for _, company := range order {
		left, err := d.fanOutCompany(ctx, company, byCompany[company])
		if err != nil {
			faults = append(faults, fmt.Errorf("handing out events of company %s: %w", company, err))
		}
		isMore = isMore || left
	}
	return isMore, errors.Join(faults...)
}

// fanOutCompany hands out events of one company, in one transaction that is kept short: when there are many deliveries
// to write it stops and reports that events are left.
func (d *Dispatcher) fanOutCompany(ctx context.Context, company tenant.ID, events []waiting) (isLeft bool, err error) {
	scope, err := d.system.Scope(ctx, company, actor)
	if err != nil {
		return false, err //nolint:wrapcheck // says what was read
	}
	now, err := d.system.DatabaseNow(ctx)
	if err != nil {
		return false, err
	}
	err = d.system.Store().Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		// Shared, so that a subscription which is deleted meanwhile is deleted before its deliveries are written or after.
		subscriptions, err := tenant.Query[Subscription](ctx, tx, `SELECT * FROM webhook_subscriptions
			WHERE company_id = @company AND state IN ('active', 'paused') ORDER BY id @forshare`)
		if err != nil {
			return err //nolint:wrapcheck // the caller says what for
		}
		if err := holdShared(ctx, tx, subscriptions); err != nil {
			return err
		}
		var rows []*Delivery
		for _, e := range events {
			if isLeft = len(rows) >= insertBatch; isLeft {
				break
			}
			isOurs, err := mark(ctx, tx, e.ID, now)
			if err != nil {
				return err
			}
			if !isOurs {
				continue
			}
			for i := range subscriptions {
				if subscriptions[i].wants(e.EventType, e.ObjectID) {
					rows = append(rows, &Delivery{
						SubscriptionID: subscriptions[i].ID, EventID: e.ID, EventType: e.EventType, ObjectID: e.ObjectID,
						Status: StatusPending, NextAttemptAt: now, CreatedAt: now,
					})
				}
			}
		}
		return tenant.Insert(ctx, tx, rows...) //nolint:wrapcheck // says what was stored
	})
	return isLeft, err //nolint:wrapcheck // says what failed
}

func holdShared(ctx context.Context, tx tenant.Tx, subscriptions []Subscription) error {
	ids := make([]tenant.ID, len(subscriptions))
	for i := range subscriptions {
		ids[i] = subscriptions[i].ID
	}
	return tenant.HoldShared(ctx, tx, Subscription{}.TableName(), ids...) //nolint:wrapcheck // says what failed
}

// mark says that an event is handed out, and reports whether no other server was first.
func mark(ctx context.Context, tx tenant.Tx, event tenant.ID, now clock.Time) (bool, error) {
	result, err := tenant.Exec(ctx, tx, `UPDATE outbox_events SET fanned_out_at = ?
		WHERE company_id = @company AND id = ? AND fanned_out_at IS NULL`, now, event)
	if err != nil {
		return false, fmt.Errorf("marking an event: %w", err)
	}
	n, err := result.RowsAffected()
	return n == 1, err //nolint:wrapcheck // no driver fails here
}
