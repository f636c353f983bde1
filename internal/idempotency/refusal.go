package idempotency

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/fault"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Reason is why a request was refused as a duplicate.
type Reason string

// The reasons.
const (
	ReasonReuse      Reason = "key_reuse"
	ReasonInProgress Reason = "in_progress"
	ReasonDuplicate  Reason = "duplicate"
)

// Enum lists the allowed values.
func (Reason) Enum() []any { return []any{ReasonReuse, ReasonInProgress, ReasonDuplicate} }

// refusal is a rejection about to be recorded.
type refusal struct {
	reason        Reason
	call          Call
	first         *first
	existingID    string
	businessIndex string
}

// refuseReuse answers a key used with another request that is committed, or runs in another server (R13, R14).
func (r *Runner) refuseReuse(ctx context.Context, c Call, isRunning bool) error {
	f, err := r.firstRequest(ctx, c)
	if err != nil {
		return err
	}
	return r.reuse(ctx, c, f, isRunning)
}

func (r *Runner) reuse(ctx context.Context, c Call, f first, isRunning bool) error {
	refused := refusal{reason: ReasonReuse, call: c, first: &f}
	if isRunning {
		r.refusals.note(ctx, c.Scope, refused)
	} else if err := r.refusals.record(ctx, c.Scope, refused); err != nil {
		return err
	}
	e := ErrReuse.New(MessageReuse)
	if pointers := Pointers(Differences(f.request, c.Request)); len(pointers) > 0 {
		e = e.Detail("differences", pointers)
	}
	return e
}

// refuseRunning answers a key whose first request still runs in another server (R20).
func (r *Runner) refuseRunning(ctx context.Context, c Call) error {
	f, err := r.firstRequest(ctx, c)
	if err != nil {
		return err
	}
	if f.fingerprint != c.fingerprint && f.requestID != "" {
		return r.reuse(ctx, c, f, true)
	}
	return r.inProgress(ctx, c, f)
}

func (r *Runner) inProgress(ctx context.Context, c Call, f first) error {
	r.refusals.note(ctx, c.Scope, refusal{reason: ReasonInProgress, call: c, first: &f})
	return ErrInProgress.New(MessageInProgress)
}

// firstRequest reads who used the key first, even while that request runs; the zero first when it is gone again.
func (r *Runner) firstRequest(ctx context.Context, c Call) (first, error) {
	found, err := r.readDirty(ctx, c.Scope, c.Key)
	if err != nil || found == nil {
		return first{}, err
	}
	request, err := found.request()
	return first{Fingerprint(found.Fingerprint), request, found.RequestID, found.CreatedAt.Time}, err
}

func (c *claim) request() (Request, error) {
	body, err := unpack(c.Request)
	if err != nil {
		return Request{}, err
	}
	canonical, err := Canonicalize(body, Limits{})
	if err != nil {
		return Request{}, fmt.Errorf("reading a stored request: %w", err)
	}
	return Request{Method: c.Method, Route: c.Route, Query: c.Query, MediaType: c.MediaType, Body: canonical}, nil
}

func duplicateRefusal(c Call, e *apperr.Error) refusal {
	f := refusal{reason: ReasonDuplicate, call: c}
	if id, ok := e.Details()["existingId"]; ok {
		f.existingID = fmt.Sprint(id)
	}
	if words, ok := e.Details()["index"].(string); ok {
		f.businessIndex = words
	}
	return f
}

// identity makes a repeat raise a counter instead of adding a row (R60).
func (f refusal) identity() []byte {
	digest := sha256.New()
	for _, part := range [][]byte{[]byte(f.reason), f.call.Key.Bytes(), []byte(f.call.Operation), f.call.fingerprint[:], []byte(f.existingID)} {
		writePart(digest, part)
	}
	return digest.Sum(nil)
}

// Limits of recording.
const (
	// notePatience is how long the answer waits for its record while the first request runs: it must come at once (R20), and on
	// SQLite that request may hold the only writer.
	notePatience = 40 * time.Millisecond
	// recordPatience is how long any other refusal waits for its record, which is to be there before the answer.
	recordPatience = 5 * time.Second
	recordTimeout  = 60 * time.Second
	// recordTries is more than a request gets: nobody waits for a record, and a lost one is a duplicate that nobody sees.
	recordTries = 10
	// maxRecording bounds the records under way; past it a refusal waits, or is answered and counted in the log alone.
	maxRecording = 256
)

// recorder writes refusals, each in a transaction of its own: the refusal rolls back, its record must not.
type recorder struct {
	store *tenant.Store
	slots chan struct{}
	wait  sync.WaitGroup
}

func newRecorder(store *tenant.Store) *recorder {
	return &recorder{store: store, slots: make(chan struct{}, maxRecording)}
}

// record writes a refusal that stands before it is answered: were the server killed in between, a duplicate that its client
// heard of would be one that nobody can look at. Error: unavailable, and then the refusal is not to be told.
func (r *recorder) record(ctx context.Context, scope tenant.Scope, f refusal) error {
	ctx, cancel := context.WithTimeout(ctx, recordPatience)
	defer cancel()
	var err error
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
		err = r.write(ctx, scope, f)
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return apperr.ErrUnavailable.New("The request was refused and nothing of it was kept, and the refusal could not be recorded; send it again.").
			Because(err)
	}
	return nil
}

// note writes a refusal in the background, while the first request runs, and waits a moment for it. A record that a kill takes
// along is of a request that may be sent again, and mostly of a first one that died as well.
func (r *recorder) note(ctx context.Context, scope tenant.Scope, f refusal) {
	select {
	case r.slots <- struct{}{}:
	default:
		slog.WarnContext(ctx, "refusal not recorded: too many at once", "reason", f.reason, "requestId", scope.RequestID())
		return
	}
	done := make(chan struct{})
	r.wait.Go(func() {
		defer func() { <-r.slots; close(done) }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
		defer cancel()
		if err := r.write(ctx, scope, f); err != nil {
			slog.ErrorContext(ctx, "refusal not recorded", "error", err, "reason", f.reason, "requestId", scope.RequestID())
		}
	})
	select {
	case <-done:
	case <-time.After(notePatience):
	}
}

// Drain waits for the records under way; call it when the server stops.
func (r *Runner) Drain() { r.refusals.wait.Wait() }

// errNotCounted says that a commit whose answer was lost left nothing behind that bears the request, or nothing any more.
var errNotCounted = errors.New("whether the refusal was counted is not known")

// write stores a refusal, again after a conflict: many callers refused for one reason meet in one row. A commit that did not
// answer is not repeated, for that could count one request twice: from then on it is only looked for.
func (r *recorder) write(ctx context.Context, scope tenant.Scope, f refusal) error {
	fault.Point(ctx, fault.BeforeRecord)
	step := count
	var err error
	for try := range recordTries {
		if try > 0 {
			pause := retryPause*time.Duration(try) + rand.N(retryPause) //nolint:gosec // jitter, nothing secret
			select {
			case <-ctx.Done():
				return err
			case <-time.After(pause):
			}
		}
		err = r.store.Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error { return step(ctx, tx, f) })
		if err == nil {
			fault.Point(ctx, fault.AfterRecord)
			return nil
		}
		if errors.Is(err, errNotCounted) {
			return err //nolint:wrapcheck // made here
		}
		if database.IsOutcomeUnknown(err) {
			step = confirm
		}
	}
	return err //nolint:wrapcheck // logged, or the cause of the answer
}

// confirm finds a refusal that was counted. It does so by a write, which may happen twice: when it is committed, what it found is
// on the disk too. A row that bears another request tells nothing of this one. Error: errNotCounted.
func confirm(ctx context.Context, tx tenant.Tx, f refusal) error {
	result, err := tenant.Exec(ctx, tx, `UPDATE idempotency_rejections SET last_seen_at = ?
		WHERE company_id = @company AND identity = ? AND request_id = ?`, tx.Now(), f.identity(), f.call.Scope.RequestID())
	if err != nil {
		return fmt.Errorf("looking for a counted refusal: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err //nolint:wrapcheck // no driver fails here
	}
	return errNotCounted
}

// count raises the counter of a refusal, or stores the first.
func count(ctx context.Context, tx tenant.Tx, f refusal) error {
	result, err := tenant.Exec(ctx, tx, `UPDATE idempotency_rejections SET occurrences = occurrences + 1, last_seen_at = ?, request_id = ?
		WHERE company_id = @company AND identity = ?`, tx.Now(), f.call.Scope.RequestID(), f.identity())
	if err != nil {
		return fmt.Errorf("counting a repeated refusal: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err //nolint:wrapcheck // no driver fails here
	}
	if f.first == nil && f.existingID != "" {
		var err error
		if f.first, err = makerOf(ctx, tx, f.existingID); err != nil {
			return err
		}
	}
	row := newRejection(f, tx)
	return tenant.Insert(ctx, tx, row) //nolint:wrapcheck // says what was stored
}

// makerOf finds the request that made a document, so that a duplicate of it is shown beside both requests; nil when it came
// without a key, or its key has been swept.
func makerOf(ctx context.Context, r tenant.Reader, document string) (*first, error) {
	made, err := tenant.QueryOne[claim](ctx, r, `SELECT * FROM idempotency_keys
		WHERE company_id = @company AND resource_id = ? AND state = ? ORDER BY created_at LIMIT 1`, document, stateDone)
	if err != nil || made == nil {
		return nil, looking(err)
	}
	request, err := made.request()
	if err != nil {
		return nil, err
	}
	return &first{Fingerprint(made.Fingerprint), request, made.RequestID, made.CreatedAt.Time}, nil
}

func newRejection(f refusal, tx tenant.Tx) *Rejection {
	scope := f.call.Scope
	row := &Rejection{
		Reason: f.reason, Identity: f.identity(), IdempotencyKey: f.call.Key.Bytes(), Operation: f.call.Operation,
		ActorType: scope.Actor().Type, ActorID: scope.Actor().ID, ClientAddress: scope.Address(), RequestID: scope.RequestID(),
		RefusedRequest: packRequest(f.call.Request), ExistingID: nullable(f.existingID), BusinessIndex: nullable(f.businessIndex),
		Occurrences: 1, CreatedAt: tx.Now(), LastSeenAt: tx.Now(),
	}
	if f.first != nil && f.first.requestID != "" {
		at := clock.At(f.first.at)
		row.FirstRequestID, row.FirstOperation = &f.first.requestID, &f.first.request.Route
		row.FirstRequest, row.FirstAt = packRequest(f.first.request), &at
	}
	return row
}
