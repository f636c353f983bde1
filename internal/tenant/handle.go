package tenant

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
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
	sql   *sql.Tx
	orm   *gorm.DB
	db    *database.DB
	now   time.Time
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

// Store opens transactions.
type Store struct {
	db        *database.DB
	clock     clock.Clock
	sightings sightings
}

// NewStore wraps an open engine.
func NewStore(db *database.DB, c clock.Clock) *Store { return &Store{db: db, clock: c} }

// Database is the engine, for classifying its errors.
func (s *Store) Database() *database.DB { return s.db }

// Clock is the store's clock.
func (s *Store) Clock() clock.Clock { return s.clock }

// Begun is a transaction under way; its owner must call Commit or Rollback exactly once.
type Begun struct {
	Tx
	conn *sql.Conn
}

// Begin opens a transaction that writes. The wait for a connection is bounded.
func (s *Store) Begin(ctx context.Context, scope Scope) (*Begun, error) {
	conn, err := database.Acquire(ctx, s.db.Writer())
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		_ = conn.Close()
		return nil, beginning(err)
	}
	return &Begun{Tx: Tx{ReadTx{s.bind(ctx, scope, tx)}}, conn: conn}, nil
}

// Commit makes the work durable.
func (b *Begun) Commit() error {
	defer func() { _ = b.conn.Close() }()
	return b.h.sql.Commit() //nolint:wrapcheck // the pipeline classifies it
}

// Rollback leaves nothing.
func (b *Begun) Rollback() {
	_ = b.h.sql.Rollback() // a connection that is lost rolls back by itself
	_ = b.conn.Close()
}

// Mutate runs fn in one transaction, once. Operations go through package idempotency, which adds claims and retries.
func (s *Store) Mutate(ctx context.Context, scope Scope, fn func(context.Context, Tx) error) error {
	tx, err := s.Begin(ctx, scope)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			tx.Rollback()
		}
	}()
	if err := fn(ctx, tx.Tx); err != nil {
		return err
	}
	done = true
	return tx.Commit()
}

// Snapshot runs fn on committed rows of one moment, read only.
func (s *Store) Snapshot(ctx context.Context, scope Scope, fn func(context.Context, ReadTx) error) error {
	conn, err := database.Acquire(ctx, s.db.Reader())
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	defer func() { _ = conn.Close() }()
	tx, err := conn.BeginTx(ctx, s.db.SnapshotOptions())
	if err != nil {
		return beginning(err)
	}
	defer func() { _ = tx.Rollback() }()
	return fn(ctx, ReadTx{s.bind(ctx, scope, tx)})
}

func (s *Store) bind(ctx context.Context, scope Scope, tx *sql.Tx) *handle {
	scope.must()
	return &handle{scope: scope, sql: tx, orm: s.db.ORM(ctx, tx), db: s.db, now: s.clock.Now()}
}

func beginning(err error) error { return fmt.Errorf("beginning a transaction: %w", err) }
