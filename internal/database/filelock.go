package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// ErrOwned says that another server process owns the SQLite file.
var ErrOwned = errors.New("another server owns this SQLite file; stop it, or use MySQL for several servers")

// Own takes the SQLite file for this process until Close: what runs is remembered in memory, so two servers on one file
// would not see each other's running requests. It does nothing on MySQL.
func (db *DB) Own() error {
	if db.dialect != SQLite {
		return nil
	}
	file, err := tryLock(db.path + ".lock")
	if err != nil {
		return err
	}
	if file == nil {
		return ErrOwned
	}
	db.owned = file
	return nil
}

// lockFile waits for an exclusive lock on a file beside the database.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	for {
		file, err := tryLock(path)
		if err != nil {
			return nil, err
		}
		if file != nil {
			return func() { _ = file.Close() }, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s: %w", path, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// tryLock locks a file, or returns nil when another process holds it. The lock ends with the process.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock file: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, nil //nolint:nilnil // nil is the answer "held by another"
		}
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return file, nil
}
