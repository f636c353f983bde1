package letter

import (
	"context"
	"time"
)

// ClaimLife is how long a dead server's claim holds, MaxAttempts how often a letter is tried.
const ClaimLife = claimLife

// MaxWaiting is how many letters of a company may wait.
const MaxWaiting = maxWaiting

var (
	MaxAttempts = len(schedule) + 1
	PauseAfter  = pauseAfter
)

// Round sends what is due once.
func (m *Postman) Round(ctx context.Context) error {
	_, err := m.round(ctx)
	return err
}

// Schedule is the pauses between attempts.
func Schedule() []time.Duration { return schedule }
