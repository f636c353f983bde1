package idempotency

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/fault"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of a run.
const (
	// DefaultTTL is the life of a key (R40).
	DefaultTTL = 24 * time.Hour
	// workTimeout bounds one mutation, whether or not its client still listens (R23).
	workTimeout = 30 * time.Second
	// maxRetries bounds how often a conflicting transaction is run again (R24).
	maxRetries = 3
	retryPause = 20 * time.Millisecond
)

// Signals between the steps of a run; none reaches a client.
var (
	errTaken = errors.New("the key has a committed claim")
	errBusy  = errors.New("the key is claimed by a running transaction")
	errAgain = errors.New("the transaction must run again")
)

// Runner runs mutations, each at most once per key.
type Runner struct {
	store    *tenant.Store
	ttl      time.Duration
	registry *registry
	replays  *replayCounter
	refusals *recorder
	sealer   sealer
	observer Observer
}

// NewRunner makes the runner of one server.
func NewRunner(store *tenant.Store, ttl time.Duration) *Runner {
	return &Runner{
		store: store, ttl: ttl, registry: newRegistry(), replays: newReplayCounter(), refusals: newRecorder(store), observer: unobserved{},
	}
}

// Run answers a call: by running it, by replaying its stored answer, or by refusing it. Errors: idempotency_key_reuse,
// idempotency_in_progress, idempotency.*, unavailable, and what Work refuses.
func (r *Runner) Run(ctx context.Context, c Call) (Outcome, error) {
	// A client that hangs up does not stop the work (R23).
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), workTimeout)
	defer cancel()
	c.fingerprint = c.Request.Fingerprint()
	if c.Key.IsZero() {
		if err := c.admit(); err != nil {
			return Outcome{}, err
		}
		return r.execute(ctx, c, claimNone)
	}
	outcome, err := r.runKeyed(ctx, c)
	r.observer.Ended(ending(outcome, err))
	return outcome, err
}

func (r *Runner) runKeyed(ctx context.Context, c Call) (Outcome, error) {
	// Where a claim waits for a running twin, the twin is looked for first; elsewhere the claim itself meets it.
	peek := r.store.Database().InsertWaits()
	for range maxRetries + 1 {
		outcome, err := r.runOnce(ctx, c, peek)
		if !errors.Is(err, errTaken) && !errors.Is(err, errBusy) {
			return outcome, err
		}
		// A twin committed or rolled back after the look-up, or runs still: look again. Should it be another row that was meant, it
		// is told apart from a claim that goes first.
		c.Found, c.ClaimFirst = nil, true
		peek = peek || errors.Is(err, errBusy)
	}
	return Outcome{}, r.refuseRunning(ctx, c)
}

func (c Call) admit() error {
	if c.Admit == nil {
		return nil
	}
	return c.Admit()
}

// runOnce looks the key up and acts on what it finds.
func (r *Runner) runOnce(ctx context.Context, c Call, peek bool) (Outcome, error) {
	found, err := r.find(ctx, c)
	if err != nil {
		return Outcome{}, err
	}
	if peek && (found.State != stateDone || found.Expired) {
		running, err := r.running(ctx, c.Scope, c.Key)
		if err != nil {
			return Outcome{}, err
		}
		if running != nil {
			running.JudgedAt, found = found.JudgedAt, running
		}
	}
	c.expires = clock.At(found.JudgedAt.Add(r.ttl))
	how := claimTakeOver
	switch {
	case found.State == "" && c.ClaimFirst:
		how = claimAlone
	case found.State == "":
		how = claimFresh
	case found.Expired:
	case Fingerprint(found.Fingerprint) != c.fingerprint:
		return Outcome{}, r.refuseReuse(ctx, c, found.State == stateRunning)
	case found.State == stateRunning:
		return Outcome{}, r.refuseRunning(ctx, c)
	case found.State == stateDone:
		return r.replay(ctx, c, found)
	case found.State == stateFailed: // the same request may run again (R33)
	}
	leave, running := r.registry.enter(scopedKey{c.Scope.Company().ID, c.Key},
		first{c.fingerprint, c.Request, c.Scope.RequestID(), r.store.Clock().Now()})
	if running != nil {
		if running.fingerprint != c.fingerprint {
			return Outcome{}, r.reuse(ctx, c, *running, true)
		}
		return Outcome{}, r.inProgress(ctx, c, *running)
	}
	defer leave()
	if err := c.admit(); err != nil {
		return Outcome{}, err
	}
	return r.execute(ctx, c, how)
}

// find is what the authentication found under the key, or what is found now.
func (r *Runner) find(ctx context.Context, c Call) (*claim, error) {
	if c.Found != nil {
		return c.Found.found(), nil
	}
	return r.lookUp(ctx, c.Scope, c.Key)
}

// replay answers with the stored bytes of a committed claim.
func (r *Runner) replay(ctx context.Context, c Call, found *claim) (Outcome, error) {
	if err := r.keepClaim(ctx, c, found); err != nil {
		return Outcome{}, err
	}
	outcome, err := found.outcome()
	if err != nil {
		return Outcome{}, err
	}
	outcome.Replayed = true
	r.replays.add(scopedKey{c.Scope.Company().ID, c.Key})
	return outcome, nil
}

func (c *claim) outcome() (Outcome, error) {
	body, err := unpack(c.Response)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{
		Answer:         Answer{Status: *c.Status, ContentType: text(c.ContentType), Location: text(c.Location), Body: body},
		FirstRequestID: c.RequestID,
		Expires:        c.ExpiresAt,
	}, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// execute runs the work, again after a conflict, and deals with its refusal.
func (r *Runner) execute(ctx context.Context, c Call, how claiming) (Outcome, error) {
	var err error
	for try := range maxRetries + 1 {
		if try > 0 {
			r.observer.RanAgain()
			pause := retryPause*time.Duration(try) + rand.N(retryPause) //nolint:gosec // jitter, nothing secret
			select {
			case <-ctx.Done():
				return Outcome{}, apperr.ErrUnavailable.New("The server ran out of time; send it again.").Because(ctx.Err())
			case <-time.After(pause):
			}
		}
		var outcome Outcome
		outcome, err = r.attempt(ctx, c, how)
		if err == nil {
			return outcome, nil
		}
		if duplicate, ok := errors.AsType[*tenant.DuplicateError](err); ok {
			if err = r.resolve(ctx, c, duplicate); err == nil {
				err = errAgain
			}
		}
		if !r.conflicts(err) {
			break
		}
	}
	if r.conflicts(err) && !database.IsLostReference(err) { // one that stays lost is a fault of ours
		return Outcome{}, ErrConflictPersists.New("Other requests kept changing the same rows; send it again in a moment.").Because(err)
	}
	return Outcome{}, r.refused(ctx, c, err)
}

// conflicts reports that the same transaction may succeed, or be refused for a reason it can name, when run again: a
// deadlock, a lock timeout, a unique index that no rule of business names, such as two first documents of a year making one
// series, or a reference to what another transaction deleted, such as the partner of a new document.
func (r *Runner) conflicts(err error) bool {
	if errors.Is(err, errAgain) {
		return true
	}
	if _, duplicate := r.store.Database().DuplicateIndex(err); duplicate {
		return true
	}
	return database.IsTransient(err) || database.IsLostReference(err)
}

func (r *Runner) resolve(ctx context.Context, c Call, d *tenant.DuplicateError) error {
	return r.store.Snapshot(ctx, c.Scope, d.Resolve) //nolint:wrapcheck // the refusal of the domain
}

// refused keeps of a refusal what R32 to R34 say, and records a duplicate (R60).
func (r *Runner) refused(ctx context.Context, c Call, err error) error {
	if errors.Is(err, errTaken) || errors.Is(err, errBusy) {
		return err
	}
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		if database.IsUnavailable(err) {
			return apperr.ErrUnavailable.New("The database is busy or out of reach; nothing was kept, send it again.").Because(err)
		}
		return err
	}
	switch e.Kind() {
	case apperr.NotFound, apperr.Conflict, apperr.Duplicate, apperr.Rule:
		if e.Kind() == apperr.Duplicate {
			if recordErr := r.refusals.record(ctx, c.Scope, duplicateRefusal(c, e)); recordErr != nil {
				return recordErr
			}
		}
		if !c.Key.IsZero() {
			if keepErr := r.keepFailed(ctx, c, e.Code().Name()); keepErr != nil {
				slog.ErrorContext(ctx, "claim of a refused request was not kept", "error", keepErr, "requestId", c.Scope.RequestID())
			}
		}
	default:
	}
	return err
}

// claiming is how a transaction begins.
type claiming uint8

const (
	claimNone claiming = iota
	// claimFresh travels with the first statement that the work waits for.
	claimFresh
	// claimAlone is waited for.
	claimAlone
	claimTakeOver
)

// attempt is one transaction: claim, work, answer, commit (R22).
func (r *Runner) attempt(ctx context.Context, c Call, how claiming) (outcome Outcome, err error) {
	tx, err := r.store.Begin(ctx, c.Scope)
	if err != nil {
		return Outcome{}, err //nolint:wrapcheck // classified by refused
	}
	open := true
	defer func() {
		if open {
			tx.Rollback(ctx)
		}
		if p := recover(); p != nil {
			outcome, err = Outcome{}, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	id := tenant.NewID()
	if err := r.claim(ctx, tx.Tx, c, how, id); err != nil {
		return Outcome{}, err
	}
	if outcome, err = r.work(ctx, tx.Tx, c, how, id); err != nil {
		return Outcome{}, r.judged(ctx, tx, how, err)
	}
	fault.Point(ctx, fault.BeforeCommit)
	open = false
	if err := tx.Commit(ctx); err != nil {
		return r.afterFailedCommit(ctx, c, how, id, r.judged(ctx, tx, how, err))
	}
	fault.Point(ctx, fault.AfterCommit)
	if how != claimNone {
		r.sealer.trusted.add(id, r.store.Clock().Now())
	}
	if how == claimTakeOver {
		r.observer.TookOver()
	}
	return outcome, nil
}

// work does the work and stores its answer. What is kept for later goes with the commit, but for a call without a key: nobody
// could find out what became of it, so what breaks before its commit has to be known.
func (r *Runner) work(ctx context.Context, tx tenant.Tx, c Call, how claiming, id tenant.ID) (Outcome, error) {
	answer, err := c.Work(ctx, tx)
	if err != nil {
		return Outcome{}, err
	}
	if len(answer.Body) > MaxAnswer {
		return Outcome{}, ErrAnswerTooLarge.New("The answer has %d bytes, over the %d that can be stored.", len(answer.Body), MaxAnswer)
	}
	outcome := Outcome{Answer: answer}
	if how == claimNone {
		return outcome, tenant.Flush(ctx, tx) //nolint:wrapcheck // the refusal of the domain
	}
	outcome.Expires = c.expires
	return outcome, r.complete(ctx, tx, c, id, answer)
}

// judged gives the error of an attempt its meaning. A claim that travelled is not told apart from what travelled with it, and
// before anything is refused that was not sent at all, the claim has to meet its twins.
func (r *Runner) judged(ctx context.Context, tx *tenant.Begun, how claiming, err error) error {
	if how == claimFresh && !tx.Sent() {
		if met := tenant.Flush(ctx, tx.Tx); met != nil {
			err = met
		}
	}
	explained := tx.Explain(err)
	if _, named := errors.AsType[*tenant.DuplicateError](explained); named || how != claimFresh || tx.Answered() {
		return explained //nolint:wrapcheck // the refusal of the domain
	}
	return r.met(explained)
}

// met is what a claim met: a committed twin, a running one, or another fault.
func (r *Runner) met(err error) error {
	if _, exists := r.store.Database().DuplicateIndex(err); exists {
		return errTaken
	}
	return busyKey(err)
}

func (r *Runner) claim(ctx context.Context, tx tenant.Tx, c Call, how claiming, id tenant.ID) error {
	switch how {
	case claimNone:
		return nil
	case claimTakeOver:
		taken, err := r.takeOver(ctx, tx, c, id)
		if err == nil && !taken {
			return errTaken
		}
		return busyKey(err)
	default:
		err := r.insertClaim(ctx, tx, c, id)
		if err == nil && how == claimAlone {
			err = tenant.Flush(ctx, tx)
		}
		return r.met(err)
	}
}

// busyKey takes a busy row for the key.
func busyKey(err error) error {
	if database.IsLockBusy(err) {
		return errBusy
	}
	return err
}

// afterFailedCommit finds out what a commit did that did not answer (R25): the claim, if it is there, bears this
// attempt's id.
func (r *Runner) afterFailedCommit(ctx context.Context, c Call, how claiming, id tenant.ID, cause error) (Outcome, error) {
	if !database.IsOutcomeUnknown(cause) {
		return Outcome{}, fmt.Errorf("committing: %w", cause)
	}
	if how == claimNone {
		return Outcome{}, ErrUnknownOutcomeNoKey.New(
			"The database connection was lost during commit. Look whether the request took effect before sending it again.").Because(cause)
	}
	if found, err := r.read(ctx, c.Scope, c.Key); err == nil && found != nil && found.State == stateDone && found.Attempt == id &&
		r.keepClaim(ctx, c, found) == nil {
		return found.outcome()
	}
	return Outcome{}, ErrUnknownOutcome.New("The database connection was lost during commit; send the same request with the same key.").Because(cause)
}
