package faults_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// TestConnectionLostDuringCommit cuts the line exactly there: the commit never arrives, or it does and its answer is lost, or
// nothing comes and the line stays open; and the server can look its own attempt up or not.
func TestConnectionLostDuringCommit(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	behind, line := behindProxy(t, e, "readTimeout=1s")
	r := newRig(t, e, behind, plain, plain)
	gone := proxy.CutRepliesAfter(0).Then(proxy.Pass())
	rules := []proxy.Rule{
		proxy.CutBefore("COMMIT").Then(proxy.Pass()), proxy.CutAnswerTo("COMMIT").Then(proxy.Pass()),
		proxy.CutBefore("COMMIT").Then(gone), proxy.CutAnswerTo("COMMIT").Then(gone), proxy.LoseAnswerTo("COMMIT").Then(proxy.Pass()),
	}
	next := 0
	r.underLoad(2*len(rules), func() {
		line.Set(rules[next%len(rules)])
		next++
	})
	require.Positive(t, r.failed.Load(), "nobody noticed")
}
