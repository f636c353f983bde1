package ledger_test

import (
	"context"
	"errors"
	"testing"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// persistently runs a transaction as the pipeline of mutations does: again after a conflict of locks, and with the answer
// of the winner after a lost race.
func persistently(t *testing.T, c *testkit.Company, fn func(context.Context, tenant.Tx) error) error {
	t.Helper()
	const attempts = 20
	var err error
	for range attempts {
		err = c.TryMutate(t.Context(), fn)
		if duplicate, ok := errors.AsType[*tenant.DuplicateError](err); ok {
			err = c.Engine.Store.Snapshot(t.Context(), c.Scope, duplicate.Resolve)
			if err == nil {
				continue
			}
		}
		if !isBusy(err) {
			return err
		}
	}
	return err
}

func isBusy(err error) bool { return err != nil && database.IsTransient(err) }

func requireLocked(t *testing.T, err error) bool {
	t.Helper()
	if !errors.Is(err, ledger.ErrPeriodLocked) {
		t.Errorf("a posting failed otherwise: %v", err)
		return false
	}
	return true
}
