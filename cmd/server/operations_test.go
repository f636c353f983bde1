package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// get asks for a page and gives its status and text.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	answer, err := client.Get(url)
	require.NoError(t, err)
	defer func() { require.NoError(t, answer.Body.Close()) }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

var metricsLine = regexp.MustCompile(`msg="serving metrics" metricsAddress=(\S+)`)

// metricsURL finds the listener of metrics in the log.
func metricsURL(t *testing.T, s *process.Server) string {
	t.Helper()
	found := metricsLine.FindStringSubmatch(s.Log())
	require.NotNil(t, found, s.Log())
	return "http://" + found[1]
}

// hostile is in everything that a caller may choose.
const hostile = "Evil-7f3a"

func TestMetricsHoldNothingOfCallers(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	s := process.Start(t, e, "VIENKART_METRICS_ADDR=127.0.0.1:0")
	company := e.Company(t, func(c *tenant.Company) { c.Name = hostile + `"} 1` })
	id := company.Scope.Company().ID.String()
	c := process.NewClient(s.URL, process.Token(t, tenant.Grant{Company: company.Scope.Company().ID, Subject: hostile}))
	c.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil, process.Key(hostile))
	c.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil, process.Key(hostile))
	partner := `{"name":"` + hostile + `"}`
	c.Post(t, "/v1/partners/create", partner, process.Key(hostile)).RequireRefused(t, 422, "idempotency_key_reuse")
	made := c.OK(t, "/v1/partners/create", partner, nil, process.Key(hostile+"2")).ID(t)
	c.Post(t, "/v1/partners/get", `{"id":"`+tenant.NewID().String()+`"}`)
	c.Post(t, "/v1/partners/create", `{"`+hostile+`":1}`)
	c.Post(t, "/v1/"+hostile, "{}")
	c.As(hostile).Post(t, "/v1/partners/create", partner)
	status, _ := get(t, s.URL+"/"+hostile+"?"+hostile)
	require.Equal(t, http.StatusNotFound, status)
	status, _ = get(t, s.URL+"/readyz")
	require.Equal(t, http.StatusOK, status, "probes are not counted")

	status, text := get(t, metricsURL(t, s)+"/metrics")
	require.Equal(t, http.StatusOK, status)
	for _, forbidden := range []string{strings.ToLower(hostile), strings.ToLower(id), strings.ToLower(made)} {
		require.NotContains(t, strings.ToLower(text), forbidden)
	}
	for _, wanted := range []string{
		`vienkart_http_requests_total{operation="/v1/ledger/accounts/apply-template",outcome="ok"} 1`,
		`vienkart_http_requests_total{operation="/v1/ledger/accounts/apply-template",outcome="replayed"} 1`,
		`vienkart_http_requests_total{operation="/v1/partners/get",outcome="not_found"} 1`,
		`vienkart_http_requests_total{operation="/v1/partners/create",outcome="unauthorized"} 1`,
		`vienkart_http_requests_total{operation="other",outcome="not_found"} 2`,
		`vienkart_http_request_duration_seconds_count{operation="/v1/partners/create"} 4`,
		`vienkart_refusals_total{reason="route.unknown"} 2`,
		`vienkart_idempotency_outcomes_total{outcome="executed"} 2`,
		`vienkart_idempotency_outcomes_total{outcome="replayed"} 1`,
		`vienkart_idempotency_outcomes_total{outcome="reuse"} 1`,
		`vienkart_idempotency_outcomes_total{outcome="in_progress"} 0`,
		`vienkart_export_jobs{state="queued"} 0`, `vienkart_sweeper_lag_seconds 0`, `vienkart_outbox_waiting_seconds `,
		`go_sql_in_use_connections{db_name="writer"}`, `go_sql_wait_count_total{db_name="writer"}`, `vienkart_build_info{version="dev"} 1`,
	} {
		require.Contains(t, text, wanted)
	}
	require.NotContains(t, text, `operation="other",outcome="ok"`)
	status, _ = get(t, metricsURL(t, s)+"/debug/pprof/")
	require.Equal(t, http.StatusNotFound, status, "profiles are off unless asked for")
	status, _ = get(t, s.URL+"/metrics")
	require.Equal(t, http.StatusNotFound, status, "the API's listener shows no metrics")
}

func TestTraceIsLogged(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	s := process.Start(t, e)
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	c := process.NewClient(s.URL, "")
	c.Post(t, "/v1/traced", "{}", process.Header{"traceparent", "00-" + id + "-00f067aa0ba902b7-01"})
	c.Post(t, "/v1/untraced", "{}", process.Header{"traceparent", "00-" + strings.ToUpper(id) + "-00f067aa0ba902b7-01"})
	require.Eventually(t, func() bool { return strings.Contains(s.Log(), "/v1/untraced") }, 10*time.Second, 10*time.Millisecond)
	for line := range strings.Lines(s.Log()) {
		require.Equal(t, strings.Contains(line, "path=/v1/traced"), strings.Contains(line, "traceId="+id), line)
	}
}

func TestPprofNeedsItsOwnListener(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	s := process.Start(t, e, "VIENKART_METRICS_ADDR=127.0.0.1:0", "VIENKART_PPROF=true")
	status, text := get(t, metricsURL(t, s)+"/debug/pprof/")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "goroutine")
}

// Readiness fails first, and requests are still answered, so that a balancer notices before the listener closes.
func TestDrain(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	s := process.Start(t, e, "VIENKART_DRAIN_DELAY=4s")
	status, text := get(t, s.URL+"/readyz")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `"status":"ready"`)
	stopped := make(chan struct{})
	go func() { defer close(stopped); s.Stop(t) }()
	require.Eventually(t, func() bool {
		status, text = get(t, s.URL+"/readyz")
		return status == http.StatusServiceUnavailable
	}, 3*time.Second, 20*time.Millisecond)
	require.Contains(t, text, "stopping")
	status, _ = get(t, s.URL+"/healthz")
	require.Equal(t, http.StatusOK, status, "it is alive and serves")
	<-stopped
}

// ready runs the command as a container does.
func ready(t *testing.T, environment ...string) (string, int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), process.Binary(t), "ready")
	command.Dir, command.Env = t.TempDir(), environment
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), command.ProcessState.ExitCode()
}

func TestReadyCommand(t *testing.T) {
	t.Parallel()
	s := process.Start(t, testkit.SQLite(t))
	address := strings.TrimPrefix(s.URL, "http://")
	said, code := ready(t, "VIENKART_ADDR="+strings.Replace(address, "127.0.0.1", "0.0.0.0", 1))
	require.Equal(t, 0, code, said)
	require.Contains(t, said, `{"name":"writable","status":"ok"}`)
	s.Kill()
	said, code = ready(t, "VIENKART_ADDR="+address)
	require.Equal(t, 1, code, said)
}

func TestServesTLS(t *testing.T) {
	t.Parallel()
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600))
	files := []string{"VIENKART_TLS_CERT=" + cert, "VIENKART_TLS_KEY=" + key}
	s := process.Start(t, testkit.SQLite(t), files...)
	address := strings.TrimPrefix(s.URL, "http://")
	status, _ := get(t, "https://"+address+"/healthz")
	require.Equal(t, http.StatusOK, status)
	said, code := ready(t, append(files, "VIENKART_ADDR="+address)...)
	require.Equal(t, 0, code, said)
}
