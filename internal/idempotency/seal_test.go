package idempotency

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
)

func TestSealer(t *testing.T) {
	t.Parallel()
	t.Run("OneWriteServesAllWhoWaitWhenItBegins", func(t *testing.T) {
		t.Parallel()
		var s sealer
		begun, release := make(chan struct{}), make(chan struct{})
		var writes atomic.Int64
		first := func(context.Context) error { close(begun); <-release; writes.Add(1); return nil }
		var wait sync.WaitGroup
		wait.Go(func() { require.NoError(t, s.keep(t.Context(), first)) })
		<-begun
		// A write under way began before they read, so it does not count for them.
		const late = 20
		var joined atomic.Int64
		for range late {
			wait.Go(func() {
				joined.Add(1)
				require.NoError(t, s.keep(t.Context(), func(context.Context) error { writes.Add(1); return nil }))
			})
		}
		require.Eventually(t, func() bool { return joined.Load() == late }, time.Minute, time.Millisecond)
		close(release)
		wait.Wait()
		require.GreaterOrEqual(t, writes.Load(), int64(2))
		require.LessOrEqual(t, writes.Load(), int64(late))
	})
	t.Run("AFailedWriteFailsAllItServes", func(t *testing.T) {
		t.Parallel()
		var s sealer
		broken := errors.New("the disk is gone")
		require.ErrorIs(t, s.keep(t.Context(), func(context.Context) error { return broken }), broken)
		require.NoError(t, s.keep(t.Context(), func(context.Context) error { return nil }), "the next one may succeed")
	})
	t.Run("NobodyWaitsLongerThanTheyMay", func(t *testing.T) {
		t.Parallel()
		var s sealer
		ctx, cancel := context.WithCancel(t.Context())
		begun, release := make(chan struct{}), make(chan struct{})
		defer close(release)
		go func() { <-begun; cancel() }()
		require.ErrorIs(t, s.keep(ctx, func(context.Context) error { close(begun); <-release; return nil }), context.Canceled)
	})
}

// What is no longer young needs no trust; until then it is kept.
func TestTrusted(t *testing.T) {
	t.Parallel()
	var known trusted
	start, first, second := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC), tenant.NewID(), tenant.NewID()
	require.False(t, known.has(first))
	known.add(first, start)
	require.True(t, known.has(first))
	require.False(t, known.has(second))
	known.add(second, start.Add(youth+time.Second))
	require.True(t, known.has(first), "it may be young still")
	known.add(tenant.NewID(), start.Add(2*youth+3*time.Second))
	require.False(t, known.has(first))
	require.True(t, known.has(second))
}
