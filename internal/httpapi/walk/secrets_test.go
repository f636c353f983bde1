package walk_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// secretMembers hold a secret, in requests and in answers.
var secretMembers = []string{"token", "secret", "inviteUrl", "password", "currentPassword"}

// secretsSeen collects every secret that goes over the wire, and how many answers have shown it.
type secretsSeen struct {
	mu sync.Mutex
	// sent are secrets of requests, shown those of answers with the number of answers.
	sent, shown map[string]int
	paths       map[string]string
}

// note takes the secrets of one request and its answer.
func (s *secretsSeen) note(path, sent string, a process.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := secretMembers
	if strings.HasPrefix(path, "/v1/account/api-keys/") {
		names = append(slices.Clone(names), "key") // elsewhere it is that of a rule or of a request
	}
	for _, secret := range secretsIn(sent, names) {
		s.sent[secret]++
		s.paths[secret] = path
	}
	for _, secret := range secretsIn(string(a.Body), names) {
		s.shown[secret]++
		s.paths[secret] = path
	}
}

func secretsIn(text string, names []string) []string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return nil
	}
	var found []string
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for name, inner := range v {
				if s, ok := inner.(string); ok && slices.Contains(names, name) && len(s) >= 20 && !strings.HasPrefix(s, "(shown only") {
					_, token, isLink := strings.Cut(s, "token=")
					if isLink {
						s = token
					}
					found = append(found, s)
				}
				walk(inner)
			}
		}
	}
	walk(value)
	return found
}

// TestSecretsLeaveNoTrace runs the whole route table, each operation twice under one key and once refused, with all its secrets known:
// tokens, passwords, API keys, links, webhook secrets, and those of the server itself. Then none of them is in the database, not even
// in what is stored packed, in the log, in the metrics or in a second answer.
func TestSecretsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	const mailPassword, webhookKey = "smtp-password-5f0c2a", "webhook-key-0123456789-0123456789-ab"
	e := testkit.SQLite(t)
	url := strings.Replace(post().URL, "smtp://", "smtp://books:"+mailPassword+"@", 1)
	server := process.Start(t, e, "VIENKART_SMTP_URL="+post().URL, "VIENKART_MAIL_FROM=books@example.com", "VIENKART_EXPORT_WORKERS=0",
		"VIENKART_WEBHOOK_KEY="+webhookKey, "VIENKART_METRICS_ADDR=127.0.0.1:0", "VIENKART_LOG_LEVEL=debug")
	seen := &secretsSeen{sent: map[string]int{}, shown: map[string]int{}, paths: map[string]string{}}
	known := scenarios()
	const mine = "a webhook secret of our own 77aa"
	for _, o := range httpapi.Operations() {
		if refusals[o.Path] != "" {
			continue
		}
		c, _ := server.BareCompany(t, e)
		if o.Path != applyTemplate {
			c.OK(t, applyTemplate, "{}", nil)
		}
		c.Seen = seen.note
		request := known[o.Path](t, c)
		if o.Path == "/v1/webhooks/subscriptions/create" {
			request["secret"] = mine
		}
		c.Post(t, o.Path, request, process.Key("S"))
		c.Post(t, o.Path, request, process.Key("S"))
		for _, faulty := range []body{{"somethingElse": "x"}, {"locale": 1}, {"email": "not an address"}, {"id": "x"}} {
			for name, value := range request {
				if _, taken := faulty[name]; !taken {
					faulty[name] = value
				}
			}
			c.Post(t, o.Path, faulty, process.Key("S"))
		}
		require.NotEqual(t, http.StatusInternalServerError, c.As(c.Token+"x").Post(t, o.Path, request).Status)
	}
	// A server whose mail server wants a password that it does not take says so, and not the password.
	other := process.Start(t, testkit.SQLite(t), "VIENKART_SMTP_URL="+url, "VIENKART_MAIL_FROM=books@example.com")
	stranger := process.NewClient(other.URL, "")
	stranger.Post(t, "/v1/account/login-link/request", body{"email": "nobody@example.com"})

	require.Contains(t, seen.sent, mine)
	require.Greater(t, len(seen.sent)+len(seen.shown), 20, "secrets went over the wire")
	for secret, times := range seen.shown {
		require.Equal(t, 1, times, "%s shows a secret again", seen.paths[secret])
	}
	stored, log, counted := strings.ToLower(unpackedDump(t, e)), server.Log()+other.Log(), metrics(t, server)
	require.Contains(t, stored, "shown only in the first answer", "the dump sees what is stored")
	require.Contains(t, log, "/v1/account/password/login", "the log was kept")
	tried := 0
	for _, secrets := range []map[string]int{seen.sent, seen.shown, {mailPassword: 1, webhookKey: 1, process.Secret: 1}} {
		for secret := range secrets {
			for _, form := range []string{secret, hex.EncodeToString([]byte(secret))} {
				tried++
				require.False(t, holds(stored, strings.ToLower(form)), "a secret of %s is stored", seen.paths[secret])
				require.False(t, holds(log, form), "a secret of %s is logged", seen.paths[secret])
				require.False(t, holds(counted, form), "a secret of %s is counted", seen.paths[secret])
			}
		}
	}
	t.Logf("secrets looked for in database, log and metrics: %d", tried)
}

// holds looks for a secret and, unlike an assertion, prints nothing of where it looked: the whole database.
func holds(text, secret string) bool { return strings.Contains(text, secret) }

// unpackedDump is every value of the database as text, also of what is stored packed.
func unpackedDump(t *testing.T, e *testkit.Engine) string {
	t.Helper()
	var out strings.Builder
	for value := range strings.SplitSeq(dump(t, e), "\n") {
		raw, err := hex.DecodeString(value)
		require.NoError(t, err)
		out.Write(raw)
		out.WriteByte('\n')
		if len(raw) > 1 && raw[0] == 1 {
			if reader, err := gzip.NewReader(bytes.NewReader(raw[1:])); err == nil {
				_, err := io.Copy(&out, reader)
				require.NoError(t, err)
			}
		}
	}
	return out.String()
}

// metrics is what the server counts.
func metrics(t *testing.T, s *process.Server) string {
	t.Helper()
	_, after, found := strings.Cut(s.Log(), "metricsAddress=")
	require.True(t, found)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+strings.Fields(after)[0]+"/metrics", http.NoBody)
	require.NoError(t, err)
	w, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Body.Close()) }()
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), "vienkart_http_requests_total")
	return string(text)
}
