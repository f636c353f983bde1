package walk_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

const (
	// longVariable is set by make test-faults: every statement of every mutation, more than a thousand. Without it a few are drawn.
	longVariable = "VIENKART_FAULTS"
	// drawn is how many mutations an engine gets in the short form: a kill costs a second or less on an idle machine.
	drawn = 10
	// fewStatements is about as many as the shortest mutation has, so that most draws hit.
	fewStatements  = 8
	mostStatements = 500
)

// TestKilledAtEveryStatement kills the server before each statement of a mutation, and once between its commit and its answer:
// authentication, look-up of the key, claim, work, stored answer, commit. All of the effect is left or nothing, and the retry
// finds it or makes it, once.
func TestKilledAtEveryStatement(t *testing.T) {
	t.Parallel()
	var mutations []httpapi.Operation
	for _, o := range httpapi.Operations() {
		if o.Mutation && refusals[o.Path] == "" {
			mutations = append(mutations, o)
		}
	}
	known := scenarios()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		w := &walker{engine: e, server: startServer(t, e), owner: t}
		chosen := slices.Clone(mutations)
		if os.Getenv(longVariable) == "" {
			rand.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
			chosen = chosen[:drawn]
		}
		kills := 0
		for _, o := range chosen {
			t.Run(strings.TrimPrefix(o.Path, "/v1/"), func(t *testing.T) {
				kills += w.killed(t, o, known[o.Path])
			})
		}
		t.Logf("%d kills at statements of %d mutations", kills, len(chosen))
		require.GreaterOrEqual(t, kills, len(chosen))
		process.RequireVerified(t, e)
	})
}

// killed kills at every statement of a mutation, or at one that is drawn, and counts.
func (w *walker) killed(t *testing.T, o httpapi.Operation, prepare scenario) (kills int) {
	t.Helper()
	c, company := w.company(t, o)
	request := prepare(t, c)
	start := rows(t, company)
	c.OK(t, o.Path, request, nil, process.Key("C"))
	want := difference(start, rows(t, company))
	if os.Getenv(longVariable) == "" {
		nth := 1 + rand.IntN(fewStatements)
		for ; !w.killAt(t, o, prepare, nth, want); nth = 1 + rand.IntN(nth-1) {
			require.Greater(t, nth, 1)
		}
		return 1
	}
	for w.killAt(t, o, prepare, kills+1, want) {
		kills++
		require.Less(t, kills, mostStatements)
	}
	return kills
}

// killAt sends a mutation that kills its server before a statement, and again to the next server. It reports whether the mutation
// has that many statements.
func (w *walker) killAt(t *testing.T, o httpapi.Operation, prepare scenario, nth int, want map[string]int64) bool {
	t.Helper()
	at := fmt.Sprintf("killed before statement %d", nth)
	c, company := w.company(t, o)
	request := prepare(t, c)
	start := rows(t, company)
	a, err := c.Try(t, o.Path, request, process.Key("C"), process.Fault(fmt.Sprint("kill-statement=", nth)))
	if err == nil {
		require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
		require.Equal(t, want, difference(start, rows(t, company)))
		return false
	}
	w.server.WaitEnd(t)
	left := difference(start, rows(t, company))
	w.server = startServer(w.owner, w.engine)
	retry := c.At(w.server.URL).Insist(t, o.Path, request, process.Key("C"))
	require.Equal(t, http.StatusOK, retry.Status, "%s: %s", at, retry.Body)
	if isReplay := retry.Header.Get("Idempotent-Replayed") == "true"; isReplay {
		require.Equal(t, want, left, "%s: all of it was there", at)
	} else {
		require.Empty(t, left, "%s: nothing was left of it", at)
	}
	require.Equal(t, want, difference(start, rows(t, company)), "%s: its effect is there once", at)
	return true
}
