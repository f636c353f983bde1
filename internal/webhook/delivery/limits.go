package delivery

import (
	"math/rand/v2"
	"time"
)

// Limits of what one company may ask for.
const (
	// MaxSubscriptions bounds how many deliveries one event can cause.
	MaxSubscriptions = 50
	maxURLLength     = 2000
	maxErrorLength   = 300
)

// Limits of one attempt.
const (
	// sendTimeout bounds an attempt from the look-up of the name to the end of the answer.
	sendTimeout = 10 * time.Second
	// claimLife frees the delivery of a server that died: well past the longest attempt with its bookkeeping, so that no
	// other server sends what is still being sent.
	claimLife = 30 * time.Second
	// maxAnswer is what is read of an answer, so that its connection can be used again.
	maxAnswer        = 4 << 10
	maxAnswerHeaders = 16 << 10
)

// Limits of the dispatcher of one server.
const (
	pollEvery   = 500 * time.Millisecond
	fanOutBatch = 200 // events in one round
	insertBatch = 500 // deliveries after which a transaction is ended: engines bound the values of one statement
	laneBatch   = 20  // deliveries one subscription takes in one go
	// laneWidth is how many requests one endpoint gets at once; a failing one gets one, so that many hanging endpoints
	// leave room for the others.
	laneWidth        = 4
	failingLaneWidth = 1
	// concurrency bounds all requests of the server.
	concurrency = 64
	sweepEvery  = time.Minute
	sweepBatch  = 500
)

// Times of the life of a delivery.
const (
	// Retention is how long events and their deliveries are kept; what a stopped subscription has not got by then, it
	// never gets.
	Retention = 30 * 24 * time.Hour
	// OrderingHold is how long an event that fails keeps back later events of the same object.
	OrderingHold = 6 * time.Hour
	// LastingFailure without a single success pauses a subscription: the time the whole schedule takes.
	LastingFailure = 70 * time.Hour
	// SecretOverlap is how long the secret that was replaced signs beside the new one.
	SecretOverlap = 24 * time.Hour
	// samePress is how close two requests to send a delivery again are taken for one.
	samePress = 10 * time.Second
	// maxRetryAfter bounds what a receiver may ask for.
	maxRetryAfter = 24 * time.Hour
)

// schedule has the pauses between attempts: twelve attempts in about three days.
var schedule = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 24 * time.Hour,
}

// MaxAttempts is how often an event is sent to a subscription unless somebody asks for more.
var MaxAttempts = len(schedule) + 1

// jitterShare of a pause is added at random, so that the events of an outage do not all come back at once.
const jitterShare = 5

// pauseAfter is the pause after a number of failures, or none when there were enough. A receiver that asks for a longer
// one gets it.
func pauseAfter(failures int, wanted time.Duration) (time.Duration, bool) {
	if failures > len(schedule) {
		return 0, false
	}
	pause := schedule[failures-1]
	pause += rand.N(pause / jitterShare) //nolint:gosec // spreads the load; nothing secret
	return max(pause, min(wanted, maxRetryAfter)), true
}
