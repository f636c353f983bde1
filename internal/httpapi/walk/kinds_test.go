package walk_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// refusals are the operations that are there for clients of the wire contract alone, with the code by which they refuse.
var refusals = map[string]string{
	"/v1/reference/vat-classifiers/upsert": "vat.classifier",
	"/v1/reference/exchange-rates/sync":    "exchange_rate.no_source",
}

// refused puts such an operation through its promises: it says why and changes nothing.
func (w *walker) refused(t *testing.T, o httpapi.Operation, prepare scenario) {
	c, company := w.company(t, o)
	request := prepare(t, c)
	before := rows(t, company)
	a := c.Post(t, o.Path, request, process.Key("ignored"))
	require.Contains(t, string(a.Body), refusals[o.Path])
	require.GreaterOrEqual(t, a.Status, http.StatusConflict, "%s", a.Body)
	require.Less(t, a.Status, http.StatusInternalServerError, "%s", a.Body)
	require.Equal(t, before, rows(t, company))
	viewer(t, c, company).Post(t, o.Path, request).RequireRefused(t, http.StatusForbidden, "forbidden")
}

// open puts an operation for callers without a token through its promises: it needs none, a token that is no good does
// not matter, a key does not either, and a malformed body is refused.
func (w *walker) open(t *testing.T, o httpapi.Operation, prepare scenario) {
	c, company := w.company(t, o)
	request := prepare(t, c)
	stranger := c.As("not.a.token")
	stranger.Post(t, o.Path, `{"a":1,"a":2}`).RequireRefused(t, http.StatusBadRequest, "body.malformed")
	stranger.Post(t, o.Path, `{"somethingElse":true}`).RequireRefused(t, http.StatusBadRequest, "validation")
	before := rows(t, company)
	a := stranger.OK(t, o.Path, request, nil, process.Key("ignored"))
	require.Empty(t, a.Header.Get("Idempotency-Expires"), "it takes no key")
	require.GreaterOrEqual(t, rows(t, company)["audit_log"], before["audit_log"])
}

// personal puts an operation on what belongs to the caller through its promises: it takes no key, so nobody gets the
// stored answer of another, and it leaves a trace.
func (w *walker) personal(t *testing.T, o httpapi.Operation, prepare scenario) {
	c, company := w.company(t, o)
	request := prepare(t, c)
	c.As("").Post(t, o.Path, request).RequireRefused(t, http.StatusUnauthorized, "unauthorized")
	c.Post(t, o.Path, `{"a":1,"a":2}`).RequireRefused(t, http.StatusBadRequest, "body.malformed")
	before := rows(t, company)
	a := c.OK(t, o.Path, request, nil, process.Key("ignored"))
	require.Empty(t, a.Header.Get("Idempotency-Expires"), "it takes no key")
	require.Greater(t, rows(t, company)["audit_log"], before["audit_log"], "it leaves a trace")
}
