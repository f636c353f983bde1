package idempotency

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
