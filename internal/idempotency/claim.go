package idempotency

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// state is where a claim stands. A running claim is never committed: only dirty reads see it.
type state string

const (
	stateRunning state = "running"
	stateDone    state = "done"
	stateFailed  state = "failed"
)

// claim is the row of idempotency_keys for one company and key.
type claim struct {
	State        state
	Fingerprint  []byte
	Method       string
	Route        string
	Query        string
	MediaType    string
	Request      []byte
	RequestID    string
	Actor        string
	Attempt      tenant.ID
	Status       *int
	ContentType  *string
	Location     *string
	Response     []byte
	ErrorCode    *string
	ResourceType *string
	ResourceID   *string
	ReplayCount  int64
	CreatedAt    clock.Time
	ExpiresAt    clock.Time
	// Expired is judged by the database's clock (R40), which read JudgedAt.
	Expired  bool
	JudgedAt clock.Time
}

// LookUp finds the committed claim of a key with the answer it stores, in the round trip that authenticates its request. What it
// found may be outdated by the time it is used: whoever claims the key meets what changed since.
type LookUp struct {
	key     Key
	claim   claim
	stands  *state
	attempt *tenant.ID
	request *string
	expired *bool
	created *clock.Time
	expires *clock.Time
}

const (
	lookUpColumns = `i.state, i.fingerprint, i.expires_at <= @now, @now, i.status, i.content_type, i.location, i.response,
		i.attempt, i.request_id, i.created_at, i.expires_at`
	lookUpJoin = "LEFT JOIN idempotency_keys i ON i.company_id = c.id AND i.idempotency_key = ?"
)

// NewLookUp looks a key up once it is read beside a tenancy.
func NewLookUp(k Key) *LookUp { return &LookUp{key: k} }

// Beside is the row to read.
func (l *LookUp) Beside() *tenant.Beside {
	return &tenant.Beside{Columns: lookUpColumns, Join: lookUpJoin, Args: []any{l.key.Bytes()}, Dest: l.dest()}
}

func (l *LookUp) dest() []any {
	c := &l.claim
	return []any{
		&l.stands, &c.Fingerprint, &l.expired, &c.JudgedAt, &c.Status, &c.ContentType, &c.Location, &c.Response,
		&l.attempt, &l.request, &l.created, &l.expires,
	}
}

// found is the claim: in the empty state when there is none, and always with the database's time.
func (l *LookUp) found() *claim {
	c := l.claim
	if l.stands != nil {
		c.State, c.Expired, c.Attempt = *l.stands, *l.expired, *l.attempt
		c.RequestID, c.CreatedAt, c.ExpiresAt = *l.request, *l.created, *l.expires
	}
	return &c
}

// lookUp looks a key up by itself.
func (r *Runner) lookUp(ctx context.Context, scope tenant.Scope, k Key) (*claim, error) {
	l := NewLookUp(k)
	found, err := tenant.CommittedRow(ctx, r.store, scope,
		"SELECT "+lookUpColumns+" FROM companies c "+lookUpJoin+" WHERE c.id = @company", []any{k.Bytes()}, l.dest()...)
	if err == nil && !found {
		return nil, tenant.NotFound("company", scope.Company().ID) //nolint:wrapcheck // a refusal as it stands
	}
	return l.found(), looking(err)
}

// running finds the claim of an open transaction, or nil. What it shows may still be rolled back.
func (r *Runner) running(ctx context.Context, scope tenant.Scope, k Key) (*claim, error) {
	c := claim{State: stateRunning}
	found, err := tenant.PeekRow(ctx, r.store, scope,
		"SELECT fingerprint FROM idempotency_keys WHERE company_id = @company AND idempotency_key = ? AND state = 'running'",
		[]any{k.Bytes()}, &c.Fingerprint)
	if err != nil || !found {
		return nil, looking(err)
	}
	return &c, nil
}

// read looks a committed claim up with all it stores.
func (r *Runner) read(ctx context.Context, scope tenant.Scope, k Key) (*claim, error) {
	c, err := tenant.ReadCommitted[claim](ctx, r.store, scope, `SELECT k.*, expires_at <= @now AS expired, @now AS judged_at
		FROM idempotency_keys k WHERE company_id = @company AND idempotency_key = ?`, k.Bytes())
	return c, looking(err)
}

// readDirty is read for a claim that still runs in another server.
func (r *Runner) readDirty(ctx context.Context, scope tenant.Scope, k Key) (*claim, error) {
	c, err := tenant.ReadUncommitted[claim](ctx, r.store, scope, `SELECT k.*, expires_at <= @now AS expired
		FROM idempotency_keys k WHERE company_id = @company AND idempotency_key = ?`, k.Bytes())
	return c, looking(err)
}

func looking(err error) error {
	if err != nil {
		return fmt.Errorf("looking up the Idempotency-Key: %w", err)
	}
	return nil
}

// insertClaim is the first statement of a protected transaction, and travels with the next one. It never waits where the engine
// can do that: a busy row is another request under the same key.
func (r *Runner) insertClaim(ctx context.Context, tx tenant.Tx, c Call, attempt tenant.ID) error {
	if err := r.meet(ctx, tx, c.Key); err != nil {
		return err
	}
	return tenant.ExecNoWaitLater(ctx, tx, `INSERT INTO idempotency_keys
		(company_id, idempotency_key, state, fingerprint, method, route, query, media_type, request, request_id, actor, attempt,
		replay_count, created_at, expires_at)
		VALUES (@company, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, @now, ?)`,
		c.Key.Bytes(), stateRunning, c.fingerprint[:], c.Request.Method, c.Request.Route, c.Request.Query, c.Request.MediaType,
		pack(c.Request.Body.Bytes()), c.Scope.RequestID(), c.Scope.Actor().ID, attempt, c.expires)
}

// meet fails at once with a busy lock when another transaction has the key, on the engine where only a lock tells.
func (r *Runner) meet(ctx context.Context, tx tenant.Tx, k Key) error {
	if !r.store.Database().SeesBusyByLocking() {
		return nil
	}
	var there int
	_, err := tenant.QueryRow(ctx, tx,
		"SELECT 1 FROM idempotency_keys WHERE company_id = @company AND idempotency_key = ? FOR UPDATE NOWAIT", []any{k.Bytes()}, &there)
	return err //nolint:wrapcheck // the runner classifies it
}

// takeOver claims a key whose earlier claim failed with the same request or has expired. It reports false when another
// request was faster.
func (r *Runner) takeOver(ctx context.Context, tx tenant.Tx, c Call, attempt tenant.ID) (bool, error) {
	if err := r.meet(ctx, tx, c.Key); err != nil {
		return false, err
	}
	result, err := tenant.ExecNoWait(ctx, tx, `UPDATE idempotency_keys SET state = ?, fingerprint = ?, method = ?, route = ?,
		query = ?, media_type = ?, request = ?, request_id = ?, actor = ?, attempt = ?, status = NULL, content_type = NULL,
		location = NULL, response = NULL, error_code = NULL, resource_type = NULL, resource_id = NULL, replay_count = 0,
		created_at = @now, expires_at = ?
		WHERE company_id = @company AND idempotency_key = ?
		AND ((state = ? AND fingerprint = ?) OR expires_at <= @now)`,
		stateRunning, c.fingerprint[:], c.Request.Method, c.Request.Route, c.Request.Query, c.Request.MediaType,
		pack(c.Request.Body.Bytes()), c.Scope.RequestID(), c.Scope.Actor().ID, attempt, c.expires,
		c.Key.Bytes(), stateFailed, c.fingerprint[:])
	if err != nil {
		return false, err //nolint:wrapcheck // the runner classifies it
	}
	n, err := result.RowsAffected()
	return n == 1, err //nolint:wrapcheck // no driver fails here
}

// complete stores the answer; those bytes are what the client gets, now and in every replay. The claim is a row that this
// transaction wrote, so it is there.
func (r *Runner) complete(ctx context.Context, tx tenant.Tx, c Call, attempt tenant.ID, a Answer) error {
	return tenant.ExecLater(ctx, tx, `UPDATE idempotency_keys SET state = ?, status = ?, content_type = ?, location = ?,
		response = ?, resource_type = ?, resource_id = ?
		WHERE company_id = @company AND idempotency_key = ? AND attempt = ?`,
		stateDone, a.Status, a.ContentType, nullable(a.Location), pack(a.stored()), nullable(a.ResourceType), nullable(a.ResourceID),
		c.Key.Bytes(), attempt)
}

// keepFailed leaves a claim behind after a refusal of business rolled everything back (R33): the same request may run
// again, another one may not have the key.
func (r *Runner) keepFailed(ctx context.Context, c Call, code string) error {
	attempt := tenant.NewID()
	err := r.store.Mutate(ctx, c.Scope, func(ctx context.Context, tx tenant.Tx) error {
		if err := r.insertClaim(ctx, tx, c, attempt); err != nil {
			return err
		}
		return r.markFailed(ctx, tx, c, attempt, code)
	})
	if _, exists := r.store.Database().DuplicateIndex(err); exists {
		err = r.store.Mutate(ctx, c.Scope, func(ctx context.Context, tx tenant.Tx) error {
			if taken, err := r.takeOver(ctx, tx, c, attempt); err != nil || !taken {
				return err
			}
			return r.markFailed(ctx, tx, c, attempt, code)
		})
	}
	if err != nil {
		return fmt.Errorf("keeping the refused claim: %w", err)
	}
	return nil
}

func (r *Runner) markFailed(ctx context.Context, tx tenant.Tx, c Call, attempt tenant.ID, code string) error {
	_, err := tenant.Exec(ctx, tx, `UPDATE idempotency_keys SET state = ?, error_code = ?
		WHERE company_id = @company AND idempotency_key = ? AND attempt = ?`, stateFailed, code, c.Key.Bytes(), attempt)
	return err //nolint:wrapcheck // keepFailed says what it was doing
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Bodies are stored gzipped when that is shorter; the first byte tells.
const (
	packedPlain = 0
	packedGzip  = 1
	// packFrom is the size from which compressing is worth its time.
	packFrom = 2 << 10
)

func pack(body []byte) []byte {
	if len(body) >= packFrom {
		var b bytes.Buffer
		b.WriteByte(packedGzip)
		w := gzip.NewWriter(&b)
		_, _ = w.Write(body) // a bytes.Buffer takes everything
		_ = w.Close()
		if b.Len() < len(body) {
			return b.Bytes()
		}
	}
	return append([]byte{packedPlain}, body...)
}

func unpack(stored []byte) ([]byte, error) {
	if len(stored) == 0 {
		return nil, nil
	}
	if stored[0] == packedPlain {
		return stored[1:], nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(stored[1:]))
	if err != nil {
		return nil, fmt.Errorf("unpacking a stored body: %w", err)
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("unpacking a stored body: %w", err)
	}
	return body, nil
}
