package scenario_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// fetch sends a request as it is and gives status, headers and body.
func fetch(t *testing.T, method, url, body string, headers ...process.Header) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	for _, h := range headers {
		r.Header.Add(h[0], h[1])
	}
	w, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Body.Close()) }()
	b, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	return w.StatusCode, w.Header, string(b)
}

// TestRequestsOutOfShape sends what no client should: each gets an error that says what to do, and no key is consumed.
func TestRequestsOutOfShape(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	c, _ := server.Company(t, e)
	const path = "/v1/ledger/accounts/create"
	good := `{"code":"9","name":"Test","type":"asset"}`
	auth, sentJSON := process.Header{"Authorization", "Bearer " + c.Token}, process.Header{"Content-Type", "application/json"}
	for name, x := range map[string]struct { //nolint:paralleltest // the key is looked at after the last of them
		method, path, body string
		headers            []process.Header
		status             int
		reason             string
	}{
		"UnknownRoute":     {"POST", "/v1/nothing/here", "{}", nil, 404, "route.unknown"},
		"NoRouteAtAll":     {"POST", "/nothing", "{}", nil, 404, "route.unknown"},
		"WrongMethod":      {"GET", path, "", nil, 405, "route.method"},
		"PutInsteadOfPost": {"PUT", path, good, nil, 405, "route.method"},
		"NoToken":          {"POST", path, good, nil, 401, "unauthorized"},
		"WrongMediaType":   {"POST", path, good, []process.Header{auth, {"Content-Type", "text/xml"}}, 415, "body.media_type"},
		"NoMediaType":      {"POST", path, good, []process.Header{auth}, 415, "body.media_type"},
		"OtherCharset":     {"POST", path, good, []process.Header{auth, {"Content-Type", "application/json; charset=utf-16"}}, 415, "body.media_type"},
		"Packed":           {"POST", path, good, []process.Header{auth, sentJSON, {"Content-Encoding", "gzip"}}, 415, "body.media_type"},
		"PackedTwice":      {"POST", path, good, []process.Header{auth, sentJSON, {"Content-Encoding", "identity, br"}}, 415, "body.media_type"},
		"NotJSON":          {"POST", path, `{"code":`, []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"TwoValues":        {"POST", path, good + good, []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"DuplicateMember":  {"POST", path, `{"code":"1","code":"2"}`, []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"ByteOrderMark":    {"POST", path, "\xef\xbb\xbf" + good, []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"BadUTF8":          {"POST", path, "{\"code\":\"\xff\"}", []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"LoneSurrogate":    {"POST", path, `{"code":"\ud800"}`, []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"TooDeep":          {"POST", path, strings.Repeat("[", 1000) + strings.Repeat("]", 1000), []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"HugeExponent":     {"POST", path, `{"code":1e99999999999999999999}`, []process.Header{auth, sentJSON}, 400, "body.malformed"},
		"TooLarge":         {"POST", path, `{"name":"` + strings.Repeat("a", 1<<20) + `"}`, []process.Header{auth, sentJSON}, 413, "body.too_large"},
		"AListAsBody":      {"POST", path, `[]`, []process.Header{auth, sentJSON}, 400, "validation"},
		"UnknownMember":    {"POST", path, `{"code":"1","name":"n","type":"asset","typ":"x"}`, []process.Header{auth, sentJSON}, 400, "validation"},
		"OtherCase":        {"POST", path, `{"Code":"1","name":"n","type":"asset"}`, []process.Header{auth, sentJSON}, 400, "validation"},
		"NotListed":        {"POST", path, `{"code":"1","name":"n","type":"thing"}`, []process.Header{auth, sentJSON}, 400, "validation"},
		"Missing":          {"POST", path, `{}`, []process.Header{auth, sentJSON}, 400, "validation"},
		"NullAsValue":      {"POST", path, `{"code":null,"name":"n","type":"asset"}`, []process.Header{auth, sentJSON}, 400, "validation"},
		"ControlCharacter": {"POST", path, `{"code":"1\u0000","name":"n","type":"asset"}`, []process.Header{auth, sentJSON}, 400, "validation"},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, text := fetch(t, x.method, server.URL+x.path, x.body, append(x.headers, process.Key("out of shape"))...)
			require.Equal(t, x.status, status, text)
			a := process.Answer{Status: status, Header: header, Body: []byte(text)}
			refusal := a.RequireRefused(t, x.status, x.reason)
			require.NotEmpty(t, refusal.Message)
			require.Equal(t, header.Get("X-Request-Id"), refusal.RequestID)
		})
	}
	// The key that all of them sent is still free.
	c.Post(t, "/v1/idempotency/keys/get", body{"key": "out of shape"}).RequireRefused(t, http.StatusNotFound, "not_found")
}

// TestACompanyCanDemandKeys switches R07 on.
func TestACompanyCanDemandKeys(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	c, _ := server.Company(t, e)
	c.OK(t, "/v1/account/companies/update", body{"requireIdempotencyKey": true}, nil)
	account := body{"code": "9", "name": "Test", "type": "asset"}
	c.Post(t, "/v1/ledger/accounts/create", account).RequireRefused(t, http.StatusBadRequest, "idempotency.key_required")
	c.OK(t, "/v1/ledger/accounts/create", account, nil, process.Key("K"))
	c.OK(t, "/v1/ledger/accounts/list", "{}", nil)
}

// TestReplaysAreNotLimited shows R36: a company that has used up its allowance still gets its stored answers.
func TestReplaysAreNotLimited(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e, "VIENKART_RATE_LIMIT=2")
	company := e.Company(t)
	c := process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: company.Scope.Company().ID}))
	account := body{"code": "9", "name": "Test", "type": "asset"}
	first := c.OK(t, "/v1/ledger/accounts/create", account, nil, process.Key("K"))
	limited := false
	for range 40 {
		a := c.Post(t, "/v1/ledger/accounts/list", "{}")
		if a.Status == http.StatusTooManyRequests {
			a.RequireRefused(t, http.StatusTooManyRequests, "rate_limited")
			require.NotEmpty(t, a.Header.Get("Retry-After"))
			limited = true
			break
		}
	}
	require.True(t, limited)
	again := c.OK(t, "/v1/ledger/accounts/create", account, nil, process.Key("K"))
	require.Equal(t, string(first.Body), string(again.Body))
}

// TestDocumentsOfTheServer reads what the server says of itself, as a newcomer does.
func TestDocumentsOfTheServer(t *testing.T) {
	t.Parallel()
	server := process.Start(t, testkit.SQLite(t))
	status, _, text := fetch(t, "GET", server.URL+"/openapi.json", "")
	require.Equal(t, http.StatusOK, status)
	var document struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	require.Equal(t, "3.1.0", document.OpenAPI)
	require.Contains(t, document.Paths, "/v1/sales/invoices/issue")
	for _, path := range []string{"/healthz", "/readyz"} {
		status, _, text := fetch(t, "GET", server.URL+path, "")
		require.Equal(t, http.StatusOK, status, text)
	}
	status, header, text := fetch(t, "GET", server.URL+"/docs/", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, header.Get("Content-Type"), "text/html")
	require.NotContains(t, text, "//cdn", "the page works offline")
	require.False(t, bytes.Contains([]byte(text), []byte("https://unpkg")), "the page works offline")
}
