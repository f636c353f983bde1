package letter

import (
	"math/rand/v2"
	"time"
)

// maxWaiting bounds the letters of one company that wait to be sent: far above a month's invoices sent at once, and below what
// would keep other companies' letters waiting for hours.
const maxWaiting = 2000

// Limits of one attempt.
const (
	// claimLife frees the letter of a server that died: well past the longest attempt with its bookkeeping, so that no other
	// server sends what is still being sent.
	claimLife      = 3 * time.Minute
	maxErrorLength = 300
	// settleTries and settlePause are for writing down how an attempt ended: what is not written is sent again.
	settleTries = 5
	settlePause = 300 * time.Millisecond
)

// Limits of the postman of one server.
const (
	pollEvery = time.Second
	dueBatch  = 20
	// width is how many connections to the mail server are open at once.
	width = 4
)

// schedule has the pauses between attempts: nine attempts in about two days, as mail servers among themselves do.
var schedule = []time.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// jitterShare of a pause is added at random, so that the letters of an outage do not all come back at once.
const jitterShare = 5

// pauseAfter is the pause after a number of failures, or none when there were enough.
func pauseAfter(failures int) (time.Duration, bool) {
	if failures > len(schedule) {
		return 0, false
	}
	pause := schedule[failures-1]
	return pause + rand.N(pause/jitterShare), true //nolint:gosec // spreads the load; nothing secret
}
