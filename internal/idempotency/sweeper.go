package idempotency

import (
	"context"
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// SweepBatch is how many claims one sweep deletes: small, so that a sweep never holds many rows or a long transaction (R42).
const SweepBatch = 200

// Sweep deletes one batch of expired claims, the oldest first, and returns how many. An expired key is free whether or
// not it was swept (R41), so nothing depends on when this runs.
func Sweep(ctx context.Context, system tenant.System) (int64, error) {
	last, err := tenant.SystemQuery[clock.Time](ctx, system, `SELECT expires_at FROM idempotency_keys
		WHERE expires_at <= @now ORDER BY expires_at LIMIT 1 OFFSET ?`, SweepBatch-1)
	if err != nil {
		return 0, fmt.Errorf("looking for expired keys: %w", err)
	}
	upTo := clock.At(farFuture)
	if len(last) > 0 {
		upTo = last[0]
	}
	result, err := tenant.SystemExec(ctx, system, "DELETE FROM idempotency_keys WHERE expires_at <= @now AND expires_at <= ?", upTo)
	if err != nil {
		return 0, fmt.Errorf("sweeping expired keys: %w", err)
	}
	return result.RowsAffected() //nolint:wrapcheck // no driver fails here
}

var farFuture = time.Date(9000, time.January, 1, 0, 0, 0, 0, time.UTC)

// SweepLag is how long the oldest expired claim has been waiting to be swept.
func SweepLag(ctx context.Context, system tenant.System) (time.Duration, error) {
	oldest, err := tenant.SystemQuery[sweepAge](ctx, system, `SELECT expires_at, @now AS judged_at FROM idempotency_keys
		WHERE expires_at <= @now ORDER BY expires_at LIMIT 1`)
	if err != nil || len(oldest) == 0 {
		return 0, err //nolint:wrapcheck // says what was read
	}
	return oldest[0].JudgedAt.Sub(oldest[0].ExpiresAt.Time), nil
}

type sweepAge struct {
	ExpiresAt clock.Time
	JudgedAt  clock.Time
}
