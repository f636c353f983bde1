package process

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi/contract"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// Client calls a server as one caller.
type Client struct {
	URL   string
	Token string
	// Seen is told of every request that was answered; nil is told nothing.
	Seen func(path, sent string, a Answer)
	http *http.Client
}

// NewClient calls a server with a token.
func NewClient(url, token string) *Client {
	return &Client{URL: url, Token: token, http: &http.Client{Timeout: time.Minute}}
}

// As is the same server for another caller.
func (c *Client) As(token string) *Client {
	other := *c
	other.Token = token
	return &other
}

// At is the same caller on another server.
func (c *Client) At(url string) *Client {
	other := *c
	other.URL = url
	return &other
}

// Within is the same caller with less patience than a minute.
func (c *Client) Within(d time.Duration) *Client {
	return &Client{URL: c.URL, Token: c.Token, http: &http.Client{Timeout: d}}
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Header sets a request header.
type Header [2]string

// Key sends an Idempotency-Key.
func Key(key string) Header { return Header{"Idempotency-Key", key} }

// Fault asks the server for a fault, such as kill-before-commit.
func Fault(wish string) Header { return Header{"Vienkart-Fault", wish} }

// Try sends a request and returns its answer, checked against the contract, or the error of a connection that broke.
// Body is JSON text, or a value to encode.
func (c *Client) Try(t testing.TB, path string, body any, headers ...Header) (Answer, error) {
	t.Helper()
	text, ok := body.(string)
	if !ok {
		b, err := json.Marshal(body)
		require.NoError(t, err)
		text = string(b)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL+path, strings.NewReader(text))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for _, h := range headers {
		r.Header.Add(h[0], h[1])
	}
	w, err := c.http.Do(r)
	if err != nil {
		return Answer{}, err //nolint:wrapcheck // tests look at the error itself
	}
	defer func() { _ = w.Body.Close() }()
	var b bytes.Buffer
	if _, err := b.ReadFrom(w.Body); err != nil {
		return Answer{}, err //nolint:wrapcheck // tests look at the error itself
	}
	a := Answer{Status: w.StatusCode, Header: w.Header, Body: b.Bytes()}
	if c.Seen != nil {
		c.Seen(path, text, a)
	}
	require.NotEmpty(t, a.Header.Get("X-Request-Id"))
	if document := wireContract(t); document != nil {
		require.NoError(t, document.CheckAnswer(path, a.Status, a.Body), "%s: %s", path, a.Body)
	}
	return a, nil
}

// Post is Try for a connection that must hold.
func (c *Client) Post(t testing.TB, path string, body any, headers ...Header) Answer {
	t.Helper()
	a, err := c.Try(t, path, body, headers...)
	require.NoError(t, err)
	return a
}

// patience is how often a busy server is asked again: a crowd on a slow machine waits longer than the server lets it.
const patience = 60

// Insist is Post that follows the advice of a server that is busy, be it with the same request: send it again.
func (c *Client) Insist(t testing.TB, path string, body any, headers ...Header) Answer {
	t.Helper()
	for range patience {
		a := c.Post(t, path, body, headers...)
		if !a.isBusy(t) {
			return a
		}
		time.Sleep(time.Second)
	}
	t.Fatalf("%s: the server stays busy", path)
	return Answer{}
}

func (a Answer) isBusy(t testing.TB) bool {
	t.Helper()
	switch a.Status {
	case http.StatusServiceUnavailable:
		return a.Refusal(t).RetryWith == "same_key"
	case http.StatusConflict:
		return a.Refusal(t).Code == "idempotency_in_progress"
	}
	return false
}

// OK posts a request that must succeed and reads its answer into into, unless that is nil.
func (c *Client) OK(t testing.TB, path string, body, into any, headers ...Header) Answer {
	t.Helper()
	a := c.Post(t, path, body, headers...)
	require.Equal(t, http.StatusOK, a.Status, "%s: %s", path, a.Body)
	if into != nil {
		a.Read(t, into)
	}
	return a
}

// Read decodes the answer.
func (a Answer) Read(t testing.TB, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.Body, into), "%s", a.Body)
}

// Refusal is the error of an answer.
type Refusal struct {
	Code        string              `json:"code"`
	Message     string              `json:"message"`
	RequestID   string              `json:"requestId"`
	FieldErrors map[string][]string `json:"fieldErrors"`
	Details     map[string]any      `json:"details"`
	RetryWith   string              `json:"retryWith"`
}

// Refusal decodes the error of an answer, which must have one.
func (a Answer) Refusal(t testing.TB) Refusal {
	t.Helper()
	var body struct {
		Error Refusal `json:"error"`
	}
	a.Read(t, &body)
	require.NotEmpty(t, body.Error.Code, "%s", a.Body)
	require.NotEmpty(t, body.Error.RetryWith, "%s", a.Body)
	return body.Error
}

// RequireRefused checks status and reason of a refusal.
func (a Answer) RequireRefused(t testing.TB, status int, reason string) Refusal {
	t.Helper()
	require.Equal(t, status, a.Status, "%s", a.Body)
	r := a.Refusal(t)
	require.Equal(t, reason, r.Details["reason"], "%s", a.Body)
	return r
}

// ID is the member id of the answer.
func (a Answer) ID(t testing.TB) string {
	t.Helper()
	var named struct {
		ID string `json:"id"`
	}
	a.Read(t, &named)
	require.NotEmpty(t, named.ID, "%s", a.Body)
	return named.ID
}

// Company makes a fresh company with a chart of accounts on the engine, and a client that acts as its admin.
func (s *Server) Company(t testing.TB, e *testkit.Engine) (*Client, *testkit.Company) {
	t.Helper()
	client, company := s.BareCompany(t, e)
	client.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil)
	return client, company
}

// BareCompany is a company without accounts.
func (s *Server) BareCompany(t testing.TB, e *testkit.Engine) (*Client, *testkit.Company) {
	t.Helper()
	company := e.Company(t)
	return NewClient(s.URL, Token(t, tenant.Grant{Company: company.Scope.Company().ID})), company
}

// sharedFolder is where the specification lies.
func sharedFolder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "..", "shared")
}

// Shared is a file of the specification, or skips the test where the folder is missing; under CI that is a failure.
func Shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(sharedFolder(), name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the specification is required under CI: %v", err)
		}
		t.Skipf("NOT TESTED: the folder shared is missing: %v", err)
	}
	return path
}

var (
	wireOnce     sync.Once
	wireDocument *contract.Document
	errWire      error
)

// wireContract is the contract, or nil where the specification is missing outside CI.
func wireContract(t testing.TB) *contract.Document {
	t.Helper()
	wireOnce.Do(func() {
		path := filepath.Join(sharedFolder(), "contract", "openapi.json")
		if _, err := os.Stat(path); err != nil && os.Getenv("CI") == "" {
			return
		}
		wireDocument, errWire = contract.Open(path)
	})
	require.NoError(t, errWire)
	return wireDocument
}
