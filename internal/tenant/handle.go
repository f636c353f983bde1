package tenant

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/memory"
)

// Reader is what both handles can do. Only this package implements it.
type Reader interface {
	handle() *handle
	Company() Company
}

// ReadTx reads one snapshot of one company's data.
type ReadTx struct{ h *handle }

// Tx reads and writes one company's data in one transaction.
type Tx struct{ ReadTx }

type handle struct {
	scope Scope
	sql   *database.Tx
	orm   *gorm.DB
	db    *database.DB
	now   time.Time
	notes *notes
}

// notes are what a transaction knows of itself, whichever company of the user it acts in.
type notes struct {
	expected map[string]resolve // see OnDuplicate
	held     map[any]bool       // see Hold
}

func (r ReadTx) handle() *handle {
	if r.h == nil {
		panic("tenant: a zero handle was used")
	}
	return r.h
}

// Scope is the verified caller.
func (r ReadTx) Scope() Scope { return r.handle().scope }

// Company is the tenant.
func (r ReadTx) Company() Company { return r.handle().scope.Company() }

// ScopeOf is the verified caller behind a handle.
func ScopeOf(r Reader) Scope { return r.handle().scope }

// Now is the instant the transaction began: all its rows bear it.
func (r ReadTx) Now() clock.Time { return clock.At(r.handle().now) }

// Today is that instant's civil date in the company's time zone.
func (r ReadTx) Today() date.Date { return r.Company().Today(r.handle().now) }

// Hold notes a lock that the transaction holds to its end, so that it is not taken twice.
func Hold(tx Tx, lock any) {
	n := tx.handle().notes
	if n.held == nil {
		n.held = map[any]bool{}
	}
	n.held[lock] = true
}

// Held reports whether the transaction noted the lock.
func Held(tx Tx, lock any) bool { return tx.handle().notes.held[lock] }

// Store opens transactions.
type Store struct {
	db        *database.DB
	clock     clock.Clock
	sightings sightings
	companies memory.Map[ID, remembered]
	replica   *replica // nil without one
}

// NewStore wraps an open engine.
func NewStore(db *database.DB, c clock.Clock) *Store { return &Store{db: db, clock: c} }

// Database is the engine, for classifying its errors.
func (s *Store) Database() *database.DB { return s.db }

// Clock is the store's clock.
func (s *Store) Clock() clock.Clock { return s.clock }

// Begun is a transaction under way; its owner must call Commit or Rollback exactly once.
type Begun struct{ Tx }

// Begin opens a transaction that writes. The wait for a connection is bounded.
func (s *Store) Begin(ctx context.Context, scope Scope) (*Begun, error) {
	tx, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	return &Begun{Tx{ReadTx{s.bind(ctx, scope, tx)}}}, nil
}

// Commit makes the work durable.
func (b *Begun) Commit(ctx context.Context) error {
	return b.h.explain(b.h.sql.Commit(ctx)) //nolint:wrapcheck // the pipeline classifies it
}

// Rollback leaves nothing.
func (b *Begun) Rollback(ctx context.Context) { b.h.sql.Rollback(ctx) }

// Sent reports that something went to the database.
func (b *Begun) Sent() bool { return b.h.sql.Sent() }

// Answered reports that the database did what was sent to it first, all of it.
func (b *Begun) Answered() bool { return b.h.sql.Answered() }

// Explain gives an error of the work its meaning: the violation of an index that OnDuplicate expected is a DuplicateError.
func (b *Begun) Explain(err error) error { return b.h.explain(err) }

// Mutate runs fn in one transaction, once. Operations go through package idempotency, which adds claims and retries.
func (s *Store) Mutate(ctx context.Context, scope Scope, fn func(context.Context, Tx) error) error {
	tx, err := s.Begin(ctx, scope)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			tx.Rollback(ctx)
		}
	}()
	if err := fn(ctx, tx.Tx); err != nil {
		return tx.Explain(err)
	}
	done = true
	return tx.Commit(ctx)
}

// Snapshot runs fn on committed rows of one moment, read only.
func (s *Store) Snapshot(ctx context.Context, scope Scope, fn func(context.Context, ReadTx) error) error {
	tx, err := s.db.BeginSnapshot(ctx)
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	defer tx.Rollback(ctx)
	return fn(ctx, ReadTx{s.bind(ctx, scope, tx)})
}

func (s *Store) bind(ctx context.Context, scope Scope, tx *database.Tx) *handle {
	scope.must()
	h := s.handle(ctx, tx)
	h.scope = scope
	return h
}

func (s *Store) handle(ctx context.Context, tx *database.Tx) *handle {
	return &handle{sql: tx, orm: s.db.ORM(ctx, tx), db: s.db, now: s.clock.Now(), notes: &notes{}}
}

// onceMore does what changes nothing again when its connection turns out to be lost: it may have broken while it lay in the
// pool.
func onceMore(do func() error) error {
	err := do()
	if database.IsLost(err) {
		err = do()
	}
	return err
}
