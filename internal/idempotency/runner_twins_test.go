package idempotency_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// twoServers are two runners of one company.
func twoServers(t *testing.T, e *testkit.Engine) (one, other *bundle) {
	t.Helper()
	if e.Name == "SQLite" {
		t.Skip("one process owns a SQLite file")
	}
	one = newBundle(t, e, time.Hour)
	other = &bundle{Company: one.Company, runner: idempotency.NewRunner(e.Store, time.Hour)}
	t.Cleanup(other.runner.Drain)
	return one, other
}

func testTwoServers(t *testing.T, e *testkit.Engine) {
	b, other := twoServers(t, e)
	release := b.held(t, "K1", `{"a":1}`)
	_, err := other.runner.Run(t.Context(), other.call(t, "K1", `{"a":1}`))
	require.ErrorIs(t, err, idempotency.ErrInProgress)
	_, err = other.runner.Run(t.Context(), other.call(t, "K1", `{"a":2}`))
	require.ErrorIs(t, err, idempotency.ErrReuse)
	first, err := release()
	require.NoError(t, err)
	again, err := other.runner.Run(t.Context(), other.call(t, "K1", `{"a":1}`))
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, first.Body, again.Body)
	require.Equal(t, 1, b.effects(t))
}

// A claim travels with the first statement that its work waits for. One that is long in coming must not hide the claim.
func testClaimFirst(t *testing.T, e *testkit.Engine) {
	b, other := twoServers(t, e)
	slow := b.call(t, "K1", `{}`)
	slow.ClaimFirst = true
	slow.Work = func(context.Context, tenant.Tx) (idempotency.Answer, error) {
		_, err := other.runner.Run(t.Context(), other.call(t, "K1", `{}`))
		require.ErrorIs(t, err, idempotency.ErrInProgress)
		return idempotency.Answer{Status: 200, ContentType: "application/json", Body: []byte(`{}`)}, nil
	}
	_, err := b.runner.Run(t.Context(), slow)
	require.NoError(t, err)
	require.Equal(t, 0, b.effects(t))
}

// Twins that both found the key free each send their claim with their first statement: one works, the other is told so.
func testTwinsAtOnce(t *testing.T, e *testkit.Engine) {
	b, other := twoServers(t, e)
	c := b.call(t, "K1", `{}`)
	work := c.Work
	c.Work = func(ctx context.Context, tx tenant.Tx) (idempotency.Answer, error) {
		if other.runs.Load() == 0 { // the other server finishes after the key was found free and before the claim was sent
			_, err := other.runner.Run(ctx, other.call(t, "K1", `{}`))
			require.NoError(t, err)
		}
		return work(ctx, tx)
	}
	outcome, err := b.runner.Run(t.Context(), c)
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	require.JSONEq(t, `{"run":1}`, string(outcome.Body))
	require.Equal(t, 1, b.effects(t))
}
