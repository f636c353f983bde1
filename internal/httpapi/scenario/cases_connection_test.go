package scenario_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// rounds are the attempts at breaking a request's own COMMIT: work in the background commits too, and connections that broke
// before still lie in the server's pool.
const rounds = 100

// A commit as it goes over the line: after the last statements of its transaction, or, without a key, alone behind the byte of its
// command. The name of an isolation level holds the word too.
const (
	commit      = ";COMMIT"
	commitAlone = "\x03COMMIT"
)

// TestLostConnections breaks the connection between the server and MySQL (B-011): the only sender under a key is never told
// that somebody else uses it, and following the answers has one effect.
func TestLostConnections(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	address, err := url.Parse(e.URL)
	require.NoError(t, err)
	line := proxy.Start(t, address.Host)
	behind := *e
	address.Host = line.Address()
	behind.URL = address.String()
	w := &world{engine: e, server: process.Start(t, &behind)}
	for name, test := range map[string]func(*testing.T, *world, *proxy.Proxy){ //nolint:paralleltest // one rule at a time
		"AnswerToTheClaimIsLost":      claimAnswerLost,
		"AnswerToTheCommitIsLost":     commitAnswerLost,
		"DatabaseIsGoneAtTheCommit":   databaseGoneAtCommit,
		"WithoutKeyTheClientMustLook": commitLostWithoutKey,
		"WhereverTheConnectionBreaks": brokenAnywhere,
		"ConnectionsBrokenWhileIdle":  brokenWhileIdle,
		"WhereverItBreaksUnderTwins":  brokenUnderTwins,
	} {
		t.Run(name, func(t *testing.T) { test(t, w, line) })
		line.Set(proxy.Pass())
	}
	process.RequireVerified(t, e)
}

// B-011: the row of the claim is written, its acknowledgement is lost, and with the connection goes the transaction.
func claimAnswerLost(t *testing.T, w *world, line *proxy.Proxy) {
	c, company := w.company(t)
	before := company.RowCounts(t)
	line.Set(proxy.CutAnswerTo("INTO idempotency_keys"))
	a := c.Post(t, postEntry, entry("10.00"), process.Key("K1"))
	require.Equal(t, http.StatusServiceUnavailable, a.Status, "%s", a.Body)
	require.Equal(t, "same_key", a.Refusal(t).RetryWith)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.Equal(t, before, company.RowCounts(t))
	line.Set(proxy.Pass())
	require.Equal(t, http.StatusOK, sendAgain(t, c, postEntry, entry("10.00"), process.Key("K1")).Status)
	require.Equal(t, 1, total(t, c, listEntries))
}

// R25: the commit happened and the server does not hear it; it finds its own claim and answers as if nothing was. Where work in
// the background commits first, it is that which is cut, and the request runs as ever.
func commitAnswerLost(t *testing.T, w *world, line *proxy.Proxy) {
	c, _ := w.company(t)
	const commits = 10
	for n := 1; n <= commits; n++ {
		key := process.Key(fmt.Sprint("K", n))
		line.Set(proxy.CutAnswerTo(commit).Then(proxy.Pass()))
		first := c.Post(t, postEntry, entry("10.00"), key)
		requireRan(t, first)
		requireReplayed(t, first, c.Insist(t, postEntry, entry("10.00"), key))
		require.Equal(t, n, total(t, c, listEntries))
	}
}

// R25: the server cannot find out either; the retry does.
func databaseGoneAtCommit(t *testing.T, w *world, line *proxy.Proxy) {
	c, _ := w.company(t)
	unknown := false
	for round := 1; !unknown; round++ {
		require.LessOrEqual(t, round, rounds, "the commit is never the first to break")
		key := process.Key(fmt.Sprint("K", round))
		line.Set(proxy.CutAnswerTo(commit).Then(proxy.Refuse()))
		a := c.Post(t, postEntry, entry("10.00"), key)
		line.Set(proxy.Pass())
		require.Equal(t, http.StatusServiceUnavailable, a.Status, "%s", a.Body)
		refusal := a.Refusal(t)
		require.Equal(t, "same_key", refusal.RetryWith)
		// Work in the background commits too, and then it is another statement of the request that breaks.
		unknown = refusal.Details["reason"] == "idempotency.outcome_unknown"
		again := sendAgain(t, c, postEntry, entry("10.00"), key)
		require.Equal(t, http.StatusOK, again.Status, "%s", again.Body)
		require.Equal(t, unknown, again.Header.Get("Idempotent-Replayed") == "true", "only an unknown outcome was committed")
		require.Equal(t, round, total(t, c, listEntries))
	}
}

// Without a key nobody can tell the retry from a second intention.
func commitLostWithoutKey(t *testing.T, w *world, line *proxy.Proxy) {
	c, _ := w.company(t)
	for round := 1; ; round++ {
		require.LessOrEqual(t, round, rounds, "the commit is never the first to break")
		line.Set(proxy.CutAnswerTo(commitAlone))
		a := c.Post(t, postEntry, entry("10.00"))
		line.Set(proxy.Pass())
		if a.Refusal(t).RetryWith == "same_key" {
			require.Equal(t, 0, total(t, c, listEntries), "a connection that broke before lay in the pool")
			continue
		}
		a.RequireRefused(t, http.StatusServiceUnavailable, "idempotency.outcome_unknown_without_key")
		require.Equal(t, "never", a.Refusal(t).RetryWith)
		require.Equal(t, 1, total(t, c, listEntries))
		return
	}
}

// sendAgain sends until the answer is neither 503 nor "in progress": connections that broke before may still lie in the server's
// pool, and the database may not have noticed yet that the line broke under what it works on.
func sendAgain(t *testing.T, c *process.Client, path string, request body, key process.Header) process.Answer {
	t.Helper()
	for range 100 {
		a := c.Post(t, path, request, key)
		isRunning := a.Status == http.StatusConflict && a.Refusal(t).Code == "idempotency_in_progress"
		if a.Status != http.StatusServiceUnavailable && !isRunning {
			return a
		}
		require.Equal(t, "same_key", a.Refusal(t).RetryWith, "%s", a.Body)
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the server does not recover")
	return process.Answer{}
}

// brokenAnywhere cuts the connection after ever more bytes, so that at some time each statement of the request is the last one.
func brokenAnywhere(t *testing.T, w *world, line *proxy.Proxy) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	broken, keys := 0, 0
	for bytes := int64(0); bytes < 3000; bytes += 40 {
		id := draftSale(t, c, partner, "10.00", nil)
		key := process.Key(fmt.Sprint("K", bytes))
		line.Set(proxy.CutRepliesAfter(bytes))
		a := c.Post(t, issueSale, body{"id": id}, key)
		line.Set(proxy.Pass())
		if a.Status != http.StatusOK {
			broken++
			require.Equal(t, http.StatusServiceUnavailable, a.Status, "%d: %s", bytes, a.Body)
		}
		require.Equal(t, http.StatusOK, sendAgain(t, c, issueSale, body{"id": id}, key).Status)
		keys++
		require.Equal(t, keys, *getSale(t, c, id).Number)
	}
	require.Greater(t, broken, 10, "the connection must break in the middle")
	require.Equal(t, keys, total(t, c, listSales, where("status", "issued")))
}

// brokenUnderTwins does the same to two senders of one request.
func brokenUnderTwins(t *testing.T, w *world, line *proxy.Proxy) {
	c, _ := w.company(t)
	keys := 0
	for bytes := int64(0); bytes < 2000; bytes += 90 {
		key := process.Key(fmt.Sprint("K", bytes))
		line.Set(proxy.CutRepliesAfter(bytes))
		answers := together(2, func(int) process.Answer { return c.Post(t, postEntry, entry("1.00"), key) })
		line.Set(proxy.Pass())
		for _, a := range answers {
			require.Contains(t, []int{http.StatusOK, http.StatusConflict, http.StatusServiceUnavailable}, a.Status, "%s", a.Body)
		}
		var last process.Answer
		await(t, "the key stays in use", func() bool {
			last = sendAgain(t, c, postEntry, entry("1.00"), key)
			return last.Status == http.StatusOK
		})
		keys++
		require.Equal(t, keys, total(t, c, listEntries))
	}
}

// brokenWhileIdle breaks the pool between two requests, as a restart of the database or a firewall does.
func brokenWhileIdle(t *testing.T, w *world, line *proxy.Proxy) {
	c, _ := w.company(t)
	for i := range 5 {
		line.Reset()
		a := sendAgain(t, c, postEntry, entry("1.00"), process.Key(fmt.Sprint("K", i)))
		require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	}
	require.Equal(t, 5, total(t, c, listEntries))
}
