package delivery

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Limits of connections to endpoints.
const (
	dialTimeout     = 5 * time.Second
	idleConnections = 100
	idleTimeout     = 30 * time.Second
	userAgent       = "Vienkart-Webhooks/1"
)

// newClient goes to the address itself, never by a proxy: a proxy would connect where the guard cannot look.
func newClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if !allowPrivate {
		dialer.Control = guard
	}
	return &http.Client{
		Timeout: sendTimeout,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: dialTimeout, DisableCompression: true,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
			MaxIdleConns:    idleConnections, MaxIdleConnsPerHost: laneWidth, IdleConnTimeout: idleTimeout,
			MaxResponseHeaderBytes: maxAnswerHeaders,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// outcome is how an attempt ended. Without a fault the event was taken.
type outcome struct {
	fault string
	// gone: the receiver wants no more events.
	gone bool
	// retryAfter is what the receiver asked for, or 0.
	retryAfter time.Duration
}

// message is one signed request.
type message struct {
	url  string
	id   string
	body []byte
	keys [][]byte
}

// send makes one attempt. Only a status of 2xx says that the event was taken; the body of an answer says nothing and is
// shown to nobody, since it may come from where the tenant could not look.
func send(ctx context.Context, client *http.Client, m message, now time.Time) outcome {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(m.body))
	if err != nil {
		return outcome{fault: "the address cannot be called"}
	}
	h := request.Header
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", userAgent)
	h.Set("webhook-id", m.id)
	h.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	h.Set("webhook-signature", signatures(m.keys, m.id, now, m.body))
	answer, err := client.Do(request)
	if err != nil {
		return outcome{fault: explain(err)}
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // to use the connection again; the status is known
	switch {
	case answer.StatusCode >= http.StatusOK && answer.StatusCode < http.StatusMultipleChoices:
		return outcome{}
	case answer.StatusCode == http.StatusGone:
		return outcome{fault: "the receiver answered 410 Gone", gone: true}
	case answer.StatusCode >= http.StatusMultipleChoices && answer.StatusCode < http.StatusBadRequest:
		return outcome{fault: fmt.Sprintf("the receiver answered %d; redirects are not followed, so subscribe the final address", answer.StatusCode)}
	}
	return outcome{
		fault:      fmt.Sprintf("the receiver answered %d", answer.StatusCode),
		retryAfter: retryAfter(answer.Header.Get("Retry-After"), now),
	}
}

// retryAfter reads seconds or a date; 0 when there is neither.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseInt(header, 10, 32); err == nil {
		return max(time.Duration(seconds)*time.Second, 0)
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// explain says what a tenant can act on, and nothing of the operator's network.
func explain(err error) string {
	if inside, ok := errors.AsType[*insideError](err); ok {
		return "the name leads to an address that is refused: " + inside.Error()
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "the name of the receiver does not resolve"
	}
	if certificate, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the receiver's certificate was refused: " + certificate.Err.Error()
	}
	if operation, ok := errors.AsType[*net.OpError](err); ok && operation.Op == "dial" {
		return "no connection to the receiver"
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return fmt.Sprintf("no answer within %d seconds", sendTimeout/time.Second)
	}
	if operation, ok := errors.AsType[*net.OpError](err); ok && operation.Op == "remote error" {
		return "the receiver broke off the TLS handshake"
	}
	return "the connection broke before the answer came"
}
