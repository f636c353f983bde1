package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// TestKilledDatabase kills the database with kill -9 under two servers and starts it again on the same data. The servers are
// not told.
func TestKilledDatabase(t *testing.T) {
	t.Parallel()
	database := mysqltest.Crash(t, "")
	e := testkit.OnServer(t, database.Server)
	r := newRig(t, e, e, plain, plain)
	// InnoDB shows a commit before it is on the disk: a twin must not be told of it too early.
	r.twinOneIn = 1
	r.underLoad(2, func() {
		require.NoError(t, database.Kill())
		time.Sleep(time.Duration(r.random.Int64N(int64(300 * time.Millisecond))))
		require.NoError(t, database.Restart(t.Context()))
	})
	require.Positive(t, r.failed.Load(), "nobody noticed")
}
