package tenant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
)

// Door is where callers knock who have no token yet. Behind it are people and their ways in, and no company: one is
// entered only as a member of it, by an invitation whose token the caller holds, or as the founder of a new one.
type Door struct{ store *Store }

// Door is the store's door.
func (s *Store) Door() Door { return Door{s} }

// Clock is the store's clock.
func (d Door) Clock() clock.Clock { return d.store.clock }

// DoorTx is one transaction at the door.
type DoorTx struct{ h *handle }

func (t DoorTx) handle() *handle {
	if t.h == nil {
		panic("tenant: a zero DoorTx was used")
	}
	return t.h
}

// Now is the instant the transaction began.
func (t DoorTx) Now() clock.Time { return clock.At(t.handle().now) }

// How often a transaction at the door runs again after a conflict, and the pause before it.
const (
	doorRetries = 3
	doorPause   = 20 * time.Millisecond
)

// Pass runs fn in one transaction, and again after a conflict with another.
func (d Door) Pass(ctx context.Context, fn func(context.Context, DoorTx) error) error {
	for try := 0; ; try++ {
		err := d.once(ctx, fn)
		_, lost := d.store.db.DuplicateIndex(err)
		mayRepeat := lost || database.IsTransient(err)
		if err == nil || try == doorRetries || !mayRepeat {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(doorPause*time.Duration(try+1) + rand.N(doorPause)): //nolint:gosec // jitter, nothing secret
		}
	}
}

func (d Door) once(ctx context.Context, fn func(context.Context, DoorTx) error) error {
	tx, err := d.store.db.Begin(ctx)
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	done := false
	defer func() {
		if !done {
			tx.Rollback(ctx)
		}
	}()
	h := d.store.handle(ctx, tx)
	if err := fn(ctx, DoorTx{h}); err != nil {
		return h.explain(err)
	}
	done = true
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return nil
}

// personal are the rows behind the door. The list is closed: nothing of a company is in it.
type personal interface {
	User | LoginLink | Session | Attempts | UserPassword | IntegrationRequest
}

// DoorFind reads one row that meets a condition; nil when there is none.
func DoorFind[T personal](ctx context.Context, t DoorTx, condition text, args ...any) (*T, error) {
	return doorTake[T](t.handle().orm.WithContext(ctx), condition, args)
}

// DoorLock is DoorFind that holds the row to the end of the transaction. Use it for a row that exists.
func DoorLock[T personal](ctx context.Context, t DoorTx, condition text, args ...any) (*T, error) {
	h := t.handle()
	return doorTake[T](h.locking(h.orm.WithContext(ctx), clause.LockingStrengthUpdate), condition, args)
}

func doorTake[T personal](q *gorm.DB, condition text, args []any) (*T, error) {
	var row T
	err := q.Where("("+string(condition)+")", args...).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	if err != nil {
		return nil, fmt.Errorf("reading %T: %w", row, err)
	}
	return &row, nil
}

// DoorInsert stores a row.
func DoorInsert[T personal](ctx context.Context, t DoorTx, row T) error {
	if err := t.handle().orm.WithContext(ctx).Create(&row).Error; err != nil {
		return fmt.Errorf("storing %T: %w", row, err)
	}
	return nil
}

// DoorUpdate writes the named columns of the rows that meet a condition and counts them.
func DoorUpdate[T personal](ctx context.Context, t DoorTx, row T, columns []string, condition text, args ...any) (int64, error) {
	result := t.handle().orm.WithContext(ctx).Model(new(T)).Where("("+string(condition)+")", args...).Select(columns).Updates(&row)
	if result.Error != nil {
		return 0, fmt.Errorf("updating %T: %w", row, result.Error)
	}
	return result.RowsAffected, nil
}

// DoorDelete removes the rows that meet a condition.
func DoorDelete[T personal](ctx context.Context, t DoorTx, condition text, args ...any) error {
	if err := t.handle().orm.WithContext(ctx).Where("("+string(condition)+")", args...).Delete(new(T)).Error; err != nil {
		return fmt.Errorf("deleting %T: %w", *new(T), err)
	}
	return nil
}

// sweepBatch bounds the rows that one statement removes, so that it holds nobody up.
const sweepBatch = 500

// SweepPeople removes login links and sessions that expired before a moment, and attempts that were last made before it.
func SweepPeople(ctx context.Context, y System, before time.Time) error {
	moment := clock.At(before)
	for _, statement := range []text{
		"DELETE FROM login_links WHERE id IN (SELECT id FROM (SELECT id FROM login_links WHERE expires_at < ? LIMIT ?) AS ended)",
		"DELETE FROM sessions WHERE id IN (SELECT id FROM (SELECT id FROM sessions WHERE expires_at < ? LIMIT ?) AS ended)",
		`DELETE FROM sign_in_attempts WHERE subject_hash IN
			(SELECT subject_hash FROM (SELECT subject_hash FROM sign_in_attempts WHERE last_at < ? LIMIT ?) AS ended)`,
	} {
		if _, err := SystemExec(ctx, y, statement, moment, sweepBatch); err != nil {
			return fmt.Errorf("sweeping what has ended: %w", err)
		}
	}
	return nil
}
