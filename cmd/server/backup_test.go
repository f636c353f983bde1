package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// emptyEngine gives a database of its own, as the serving user has it.
func emptyEngine(t *testing.T, engine string) *testkit.Engine {
	t.Helper()
	e, _ := testkit.Apart(t, engine)
	return e
}

// office books months of new companies until it is closed.
type office struct {
	booked atomic.Int64
	stop   context.CancelFunc
	work   sync.WaitGroup
}

const writers = 2

func openOffice(t *testing.T, e *testkit.Engine) *office {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	o := &office{stop: stop}
	t.Cleanup(o.close)
	tokens := process.Tokens(t)
	for range writers {
		o.work.Go(func() {
			for ctx.Err() == nil {
				if _, err := createDemo(ctx, e.System, tokens); err == nil {
					o.booked.Add(1)
				} else if ctx.Err() == nil {
					t.Errorf("booking: %v", err)
					return
				}
			}
		})
	}
	return o
}

func (o *office) close() {
	o.stop()
	o.work.Wait()
}

// await waits until more months are booked.
func (o *office) await(t *testing.T, more int64) {
	t.Helper()
	wanted := o.booked.Load() + more
	require.Eventually(t, func() bool { return o.booked.Load() >= wanted }, 2*time.Minute, 20*time.Millisecond)
}

// held calls a function between the beginning of a snapshot and the first row.
type held struct {
	io.Writer
	once func()
}

func (h *held) Write(b []byte) (int, error) {
	h.once()
	return h.Writer.Write(b)
}

// Writers go on between the moment of the backup and its first row. What they commit then is not in it, what they were at is
// in it wholly or not at all: every invariant holds after the restore.
func TestBackupUnderWrites(t *testing.T) {
	t.Parallel()
	for _, from := range []string{"SQLite", "MySQL"} {
		t.Run("From"+from, func(t *testing.T) {
			t.Parallel()
			source := emptyEngine(t, from)
			o := openOffice(t, source)
			o.await(t, 1)
			var file bytes.Buffer
			var before int64
			out := &held{&file, sync.OnceFunc(func() {
				before = o.booked.Load()
				o.await(t, 2*writers)
			})}
			_, err := backup.Write(t.Context(), source.DB, out, "test", clock.At(clock.System{}.Now()))
			require.NoError(t, err)
			o.close()
			for _, to := range []string{"SQLite", "MySQL"} {
				t.Run("To"+to, func(t *testing.T) {
					t.Parallel()
					target := emptyEngine(t, to)
					_, _, err := backup.Restore(t.Context(), target.DB, bytes.NewReader(file.Bytes()))
					require.NoError(t, err)
					breaches, err := tenant.Verify(t.Context(), target.System, invariants())
					require.NoError(t, err)
					require.Empty(t, breaches)
					companies, err := tenant.SystemQuery[int64](t.Context(), target.System, "SELECT COUNT(*) FROM companies")
					require.NoError(t, err)
					require.GreaterOrEqual(t, companies[0], before)
					require.LessOrEqual(t, companies[0], before+writers, "nothing that was begun after the backup")
				})
			}
		})
	}
}

func TestBackupCommands(t *testing.T) {
	t.Parallel()
	source := testkit.SQLite(t)
	server := process.Start(t, source)
	server.Company(t, source)
	file := t.TempDir() + "/vienkart.backup"
	said, code := process.Run(t, source, "backup", file)
	require.Equal(t, 0, code, said)
	require.Contains(t, said, "sha256")
	said, code = process.Run(t, source, "backup", file)
	require.Equal(t, 1, code)
	require.Contains(t, said, "exists already")
	said, code = process.Run(t, source, "restore", file)
	require.Equal(t, 1, code)
	require.Contains(t, said, "another server owns this SQLite file")
	target := &testkit.Engine{URL: "sqlite:" + t.TempDir() + "/new.db"}
	said, code = process.Run(t, target, "backup", file+"2")
	require.Equal(t, 1, code)
	require.Contains(t, said, "there is no database to back up")
	said, code = process.Run(t, target, "restore", file)
	require.Equal(t, 0, code, said)
	process.RequireVerified(t, target)
	said, code = process.Run(t, target, "company", "list")
	require.Equal(t, 0, code, said)
	company := strings.Fields(said)[0]
	said, code = process.Run(t, target, "token", "--company", company, "--role", "viewer")
	require.Equal(t, 0, code, said)
	db, err := database.Open(t.Context(), target.URL, database.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	lines, err := tenant.SystemQuery[string](t.Context(), tenant.NewSystem(tenant.NewStore(db, clock.System{})),
		"SELECT action FROM audit_log WHERE actor_type = 'system' AND actor_id IN ('restore', 'token') ORDER BY id")
	require.NoError(t, err)
	require.Equal(t, []string{"company.restored", "token.signed"}, lines, "what the operator does stands in the company's log")
	said, code = process.Run(t, target, "restore", file)
	require.Equal(t, 1, code)
	require.Contains(t, said, "the database is not empty")
}
