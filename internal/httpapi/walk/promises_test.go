package walk_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// twins is how many equal requests are sent at once.
const twins = 50

// TestContract puts every operation of the route table through the promises.
func TestContract(t *testing.T) {
	t.Parallel()
	known := scenarios()
	for _, o := range httpapi.Operations() {
		require.Contains(t, known, o.Path, "every operation needs a scenario")
	}
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		w := &walker{engine: e, server: startServer(t, e), owner: t}
		for _, o := range httpapi.Operations() {
			t.Run(strings.TrimPrefix(o.Path, "/v1/"), func(t *testing.T) { //nolint:paralleltest // twins load the machine enough
				switch {
				case refusals[o.Path] != "":
					w.refused(t, o, known[o.Path])
				case o.IsOpen():
					w.open(t, o, known[o.Path])
				case o.Personal:
					w.personal(t, o, known[o.Path])
				case o.Mutation:
					w.mutation(t, o, known[o.Path])
				default:
					w.query(t, o, known[o.Path])
				}
			})
		}
		t.Run("crashes", func(t *testing.T) { w.crashes(t, known) }) //nolint:paralleltest // one process is killed at a time
		process.RequireVerified(t, e)
	})
}

type walker struct {
	engine *testkit.Engine
	server *process.Server
	// owner is the test that outlives every server of the walk.
	owner testing.TB
}

// company is a fresh company with a chart of accounts, or without where the operation is the one that makes it.
func (w *walker) company(t *testing.T, o httpapi.Operation) (*process.Client, *testkit.Company) {
	t.Helper()
	if o.Path == applyTemplate {
		return w.server.BareCompany(t, w.engine)
	}
	return w.server.Company(t, w.engine)
}

const applyTemplate = "/v1/ledger/accounts/apply-template"

// viewer is a caller of the same company who may only read.
func viewer(t *testing.T, c *process.Client, company *testkit.Company) *process.Client {
	t.Helper()
	return c.As(process.Token(t, tenant.Grant{Company: company.Scope.Company().ID, Role: tenant.RoleViewer}))
}

func (w *walker) mutation(t *testing.T, o httpapi.Operation, prepare scenario) {
	c, company := w.company(t, o)
	request := prepare(t, c)
	before := rows(t, company)
	first := c.OK(t, o.Path, request, nil, process.Key("K1"))
	require.NotEmpty(t, first.Header.Get("Idempotency-Expires"))
	effect := rows(t, company)
	require.NotEqual(t, before["audit_log"], effect["audit_log"], "a mutation leaves a trace")

	// Replay: byte for byte, and nothing happens.
	again := c.OK(t, o.Path, request, nil, process.Key(`"K1"`))
	requireReplay(t, first, again)
	// Other payload, other path: refused, and nothing happens.
	other := maps.Clone(request)
	other["somethingElse"] = true
	c.Post(t, o.Path, other, process.Key("K1")).RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	elsewhere := "/v1/ledger/journal/transactions/create"
	if o.Path == elsewhere {
		elsewhere = "/v1/ledger/accounts/create"
	}
	refusal := c.Post(t, elsewhere, request, process.Key("K1")).RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	require.Equal(t, []any{"path"}, refusal.Details["differences"])
	require.Equal(t, "never", refusal.RetryWith)
	// A caller who may not call the operation gets no stored answer either.
	viewer(t, c, company).Post(t, o.Path, request, process.Key("K1")).RequireRefused(t, http.StatusForbidden, "forbidden")
	c.As("").Post(t, o.Path, request, process.Key("K1")).RequireRefused(t, http.StatusUnauthorized, "unauthorized")
	c.As("not.a.token").Post(t, o.Path, request, process.Key("K1")).RequireRefused(t, http.StatusUnauthorized, "unauthorized")
	// A malformed body does not consume the key.
	c.Post(t, o.Path, `{"a":1,"a":2}`, process.Key("K2")).RequireRefused(t, http.StatusBadRequest, "body.malformed")
	require.Equal(t, effect, rows(t, company))

	w.otherTenant(t, o, request, first)
	w.twins(t, o, prepare)
}

func requireReplay(t *testing.T, first, again process.Answer) {
	t.Helper()
	require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
	require.Equal(t, first.Header.Get("X-Request-Id"), again.Header.Get("Idempotency-First-Request-Id"))
	require.NotEqual(t, first.Header.Get("X-Request-Id"), again.Header.Get("X-Request-Id"))
	require.Equal(t, first.Header.Get("Idempotency-Expires"), again.Header.Get("Idempotency-Expires"))
	require.Equal(t, first.Header.Get("Content-Type"), again.Header.Get("Content-Type"))
	if !strings.Contains(string(again.Body), "shown only in the first answer") {
		require.Equal(t, string(first.Body), string(again.Body))
	}
}

// otherTenant sends the same key and body as another company: it never sees the first one's answer, and reaches none of
// its objects.
func (w *walker) otherTenant(t *testing.T, o httpapi.Operation, request body, first process.Answer) {
	t.Helper()
	stranger, _ := w.company(t, o)
	a := stranger.Post(t, o.Path, request, process.Key("K1"))
	require.Empty(t, a.Header.Get("Idempotent-Replayed"))
	require.Less(t, a.Status, http.StatusInternalServerError, "%s", a.Body)
	if id := topID(first); id != "" {
		require.NotContains(t, string(a.Body), `"id":"`+id+`"`)
	}
}

func topID(a process.Answer) string {
	_, rest, found := strings.Cut(string(a.Body), `{"id":"`)
	if !found || !strings.HasPrefix(string(a.Body), `{"id":"`) {
		return ""
	}
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// twins sends the same request many times at once: one effect, every answer the same or "still running".
func (w *walker) twins(t *testing.T, o httpapi.Operation, prepare scenario) {
	t.Helper()
	single, alone := w.company(t, o)
	request := prepare(t, single)
	start := rows(t, alone)
	single.OK(t, o.Path, request, nil, process.Key("T"))
	want := difference(start, rows(t, alone))

	c, company := w.company(t, o)
	request = prepare(t, c)
	start = rows(t, company)
	answers := make([]process.Answer, twins)
	var wait sync.WaitGroup
	for i := range twins {
		wait.Go(func() { answers[i] = c.Post(t, o.Path, request, process.Key("T")) })
	}
	wait.Wait()
	var executed, body string
	for _, a := range answers {
		if a.Status == http.StatusConflict {
			a.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
			require.Equal(t, "1", a.Header.Get("Retry-After"))
			continue
		}
		require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
		if a.Header.Get("Idempotent-Replayed") == "" {
			require.Empty(t, executed, "two requests were executed")
			executed = string(a.Body)
			continue
		}
		if body == "" {
			body = string(a.Body)
		}
		require.Equal(t, body, string(a.Body))
	}
	require.NotEmpty(t, executed, "one of the twins must do the work")
	require.Equal(t, want, difference(start, rows(t, company)), "the effect of one request")
}

func (w *walker) query(t *testing.T, o httpapi.Operation, prepare scenario) {
	c, company := w.company(t, o)
	request := prepare(t, c)
	before := rows(t, company)
	a := c.OK(t, o.Path, request, nil, process.Key("ignored"))
	require.Empty(t, a.Header.Get("Idempotency-Expires"), "a query ignores the key")
	require.Equal(t, before, rows(t, company), "a query changes nothing")
	c.As("").Post(t, o.Path, request).RequireRefused(t, http.StatusUnauthorized, "unauthorized")
	stranger, _ := w.company(t, o)
	if foreign := stranger.Post(t, o.Path, request); foreign.Status == http.StatusOK && topID(a) != "" {
		require.NotContains(t, string(foreign.Body), topID(a))
	}
	if !tenant.RoleViewer.Has(o.Permission) {
		viewer(t, c, company).Post(t, o.Path, request).RequireRefused(t, http.StatusForbidden, "forbidden")
	}
}

// crashes kills the process before and after the commit of every mutation, and retries.
func (w *walker) crashes(t *testing.T, known map[string]scenario) {
	for _, o := range httpapi.Operations() {
		if !o.Mutation {
			continue
		}
		for _, moment := range []string{"before-commit", "after-commit"} {
			t.Run(fmt.Sprintf("%s/%s", strings.TrimPrefix(o.Path, "/v1/"), moment), func(t *testing.T) {
				w.crash(t, o, known[o.Path], moment)
			})
		}
	}
}

func (w *walker) crash(t *testing.T, o httpapi.Operation, prepare scenario, moment string) {
	c, company := w.company(t, o)
	request := prepare(t, c)
	start := rows(t, company)
	_, err := c.Try(t, o.Path, request, process.Key("C"), process.Fault("kill-"+moment))
	require.Error(t, err, "the process was killed in the middle")
	w.server.WaitEnd(t)
	left := difference(start, rows(t, company))
	w.server = startServer(w.owner, w.engine)
	c = c.At(w.server.URL)
	retry := c.OK(t, o.Path, request, nil, process.Key("C"))
	if moment == "before-commit" {
		require.Empty(t, left, "nothing is left of it")
		require.Empty(t, retry.Header.Get("Idempotent-Replayed"))
		return
	}
	require.NotEmpty(t, left, "all of it is there")
	require.Equal(t, "true", retry.Header.Get("Idempotent-Replayed"))
	require.Equal(t, left, difference(start, rows(t, company)), "the retry adds nothing")
}

// rows counts the company's rows of every table, claims, refusals and deliveries aside.
func rows(t *testing.T, company *testkit.Company) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	e := company.Engine
	tables, err := e.Admin.TenantTables(context.Background())
	require.NoError(t, err)
	for _, table := range tables {
		if strings.HasPrefix(table, "idempotency_") || table == "webhook_deliveries" { // written after the answer, by the dispatcher
			continue
		}
		var n int64
		id := company.Scope.Company().ID
		err := e.Admin.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM "+table+" WHERE company_id = ?", id).Scan(&n)
		require.NoError(t, err)
		counts[table] = n
	}
	return counts
}

func difference(before, after map[string]int64) map[string]int64 {
	d := map[string]int64{}
	for table, n := range after {
		if n != before[table] {
			d[table] = n - before[table]
		}
	}
	return d
}
