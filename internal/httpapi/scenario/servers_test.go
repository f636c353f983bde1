package scenario_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// Bounds of waiting for the other server to see a claim.
const (
	waitLimit = 5 * time.Second
	poll      = 5 * time.Millisecond
)

// TestTwoServersBehaveAsOne sends twins to two servers on one MySQL (R21).
func TestTwoServersBehaveAsOne(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	first, second := process.Start(t, e), process.Start(t, e)
	c, _ := first.Company(t, e)
	other := c.At(second.URL)
	entry := func(amount string) body {
		return body{"date": "2026-03-01", "entries": []body{{"accountCode": "2710", "debit": amount}, {"accountCode": "3011", "credit": amount}}}
	}
	const post = "/v1/ledger/journal/transactions/create"

	t.Run("R20_HeldTwinIsRefusedElsewhere", func(t *testing.T) { //nolint:paralleltest // shares the servers
		done := make(chan process.Answer, 1)
		go func() {
			done <- c.Post(t, post, entry("10.00"), process.Key("held"), process.Fault("hold-before-commit=1s"))
		}()
		require.Eventually(t, func() bool {
			return other.Post(t, "/v1/idempotency/keys/get", body{"key": "held"}).Status == http.StatusOK
		}, waitLimit, poll, "the other server sees the claim of the running transaction")
		other.Post(t, post, entry("10.00"), process.Key("held")).RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
		other.Post(t, post, entry("20.00"), process.Key("held")).RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
		select {
		case <-done:
			t.Fatal("the refusals must come while the first request runs")
		default:
		}
		answer := <-done
		require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
		replay := other.OK(t, post, entry("10.00"), nil, process.Key("held"))
		require.Equal(t, string(answer.Body), string(replay.Body))
	})

	t.Run("R21_TwinsOnBothHaveOneEffect", func(t *testing.T) { //nolint:paralleltest // shares the servers
		for round := range 20 {
			key := process.Key("twin " + string(rune('a'+round)))
			answers := make([]process.Answer, 10)
			var wait sync.WaitGroup
			for i := range answers {
				caller := c
				if i%2 == 1 {
					caller = other
				}
				wait.Go(func() { answers[i] = caller.Post(t, post, entry("1.00"), key) })
			}
			wait.Wait()
			ids := map[string]bool{}
			for _, a := range answers {
				if a.Status == http.StatusOK {
					ids[a.ID(t)] = true
					continue
				}
				a.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
			}
			require.Len(t, ids, 1)
		}
	})
	process.RequireVerified(t, e)
}
