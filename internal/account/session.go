package account

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Logout ends the session of the present token, and reports false for a token that has none: such a one lives until it
// expires.
func Logout(ctx context.Context, tx tenant.Tx) (bool, error) {
	session := tx.Scope().Session()
	if session.ID.IsZero() {
		return false, nil
	}
	if _, err := tenant.RevokeOwnSession(ctx, tx, session.ID); err != nil {
		return false, err //nolint:wrapcheck // says what was stored
	}
	return true, recordSession(ctx, tx, "session.ended", session.ID, session.Proof)
}

// RevokeSession ends a session of the calling user. Error: not_found.
func RevokeSession(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	if tx.Scope().UserID().IsZero() {
		return tenant.NotFound("session", id) //nolint:wrapcheck // a refusal as it stands
	}
	ended, err := tenant.RevokeOwnSession(ctx, tx, id)
	if err != nil {
		return err //nolint:wrapcheck // says what was stored
	}
	if !ended {
		return tenant.NotFound("session", id) //nolint:wrapcheck // a refusal as it stands
	}
	return recordSession(ctx, tx, "session.ended", id, "")
}

// Sweep removes what has ended and nobody asks for any more: links, sessions, and attempts that no longer count. It
// does a bounded part of the work.
func Sweep(ctx context.Context, y tenant.System) error {
	now := y.Store().Clock().Now()
	return tenant.SweepPeople(ctx, y, now.Add(-sweepAfter)) //nolint:wrapcheck // says what failed
}

// sweepAfter, a day, is longer than any clock differs and than any wait of an attempt lasts.
const sweepAfter = 24 * time.Hour
