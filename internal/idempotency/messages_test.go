package idempotency

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	t.Run("R13_ReuseIsWordedAsPromised", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "idempotency_key_reuse", CodeReuse)
		require.Equal(t, "Idempotency-Key was already used with a different request payload.", MessageReuse)
	})
	t.Run("R20_InProgressIsWordedAsPromised", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "idempotency_in_progress", CodeInProgress)
		require.Equal(t, "A request with this Idempotency-Key is still being processed, retry shortly.", MessageInProgress)
		require.Equal(t, 1, RetryAfterSeconds)
	})
}
