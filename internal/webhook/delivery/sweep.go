package delivery

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// sweep deletes events that are older than Retention with their deliveries, a batch at a time.
func (d *Dispatcher) sweep(ctx context.Context) error {
	for ctx.Err() == nil {
		now, err := d.system.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		upTo := clock.At(now.Add(-Retention))
		batchEnd, err := tenant.SystemQuery[clock.Time](ctx, d.system, `SELECT fanned_out_at FROM outbox_events
			WHERE fanned_out_at <= ? ORDER BY fanned_out_at LIMIT 1 OFFSET ?`, upTo, sweepBatch-1)
		if err != nil {
			return err //nolint:wrapcheck // says what was read
		}
		if len(batchEnd) > 0 {
			upTo = batchEnd[0]
		}
		// An event and its deliveries bear the same instant.
		if _, err := tenant.SystemExec(ctx, d.system, "DELETE FROM webhook_deliveries WHERE created_at <= ?", upTo); err != nil {
			return fmt.Errorf("sweeping deliveries: %w", err)
		}
		if _, err := tenant.SystemExec(ctx, d.system, "DELETE FROM outbox_events WHERE fanned_out_at <= ?", upTo); err != nil {
			return fmt.Errorf("sweeping events: %w", err)
		}
		if len(batchEnd) == 0 {
			return nil
		}
	}
	return nil
}
