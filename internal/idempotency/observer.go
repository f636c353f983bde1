package idempotency

import "errors"

// Ending is how a call with a key ended.
type Ending string

// The endings.
const (
	EndingExecuted   Ending = "executed"
	EndingReplayed   Ending = "replayed"
	EndingReuse      Ending = "reuse"
	EndingInProgress Ending = "in_progress"
	// EndingFailed is every other refusal, and a fault.
	EndingFailed Ending = "failed"
)

// Endings lists them all.
func Endings() []Ending {
	return []Ending{EndingExecuted, EndingReplayed, EndingReuse, EndingInProgress, EndingFailed}
}

// Observer is told what a Runner does, by many goroutines at once. It hears nothing of who called.
type Observer interface {
	// Ended is called once for each call that bears a key.
	Ended(Ending)
	// TookOver is called when a claim that had failed or expired was taken by a new request.
	TookOver()
	// RanAgain is called before a transaction that met a conflict runs once more.
	RanAgain()
}

type unobserved struct{}

func (unobserved) Ended(Ending) {}
func (unobserved) TookOver()    {}
func (unobserved) RanAgain()    {}

// Observe names who is told; call it before the first Run.
func (r *Runner) Observe(o Observer) { r.observer = o }

func ending(outcome Outcome, err error) Ending {
	switch {
	case err == nil && outcome.Replayed:
		return EndingReplayed
	case err == nil:
		return EndingExecuted
	case errors.Is(err, ErrReuse):
		return EndingReuse
	case errors.Is(err, ErrInProgress):
		return EndingInProgress
	}
	return EndingFailed
}
