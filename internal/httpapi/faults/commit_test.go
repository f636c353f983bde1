package faults_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// commit is the statement as it goes over the line, after the last ones of its transaction: the name of an isolation level holds
// the word too.
const commit = ";COMMIT"

// TestConnectionLostDuringCommit cuts the line exactly there: the commit never arrives, or it does and its answer is lost, or
// nothing comes and the line stays open; and the server can look its own attempt up or not.
func TestConnectionLostDuringCommit(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "readTimeout=1s")
	r := newRig(t, e, behind, plain, plain)
	gone := proxy.CutRepliesAfter(0).Then(proxy.Pass())
	rules := []proxy.Rule{
		proxy.CutBefore(commit).Then(proxy.Pass()), proxy.CutAnswerTo(commit).Then(proxy.Pass()),
		proxy.CutBefore(commit).Then(gone), proxy.CutAnswerTo(commit).Then(gone), proxy.LoseAnswerTo(commit).Then(proxy.Pass()),
	}
	next := 0
	r.underLoad(2*len(rules), func() {
		line.Set(rules[next%len(rules)])
		next++
	})
	require.Positive(t, r.failed.Load(), "nobody noticed")
}
