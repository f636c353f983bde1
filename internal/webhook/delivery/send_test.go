package delivery_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

func TestIsPublic(t *testing.T) {
	t.Parallel()
	for address, public := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.15.255.255": true, "172.32.0.0": true, "100.63.255.255": true, "100.128.0.0": true,
		"2606:2800:220:1:248:1893:25c8:1946": true, "::ffff:93.184.216.34": true, "64:ff9b::8.8.8.8": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "100.100.100.200": false, "127.0.0.1": false,
		"127.255.0.1": false, "168.63.129.16": false, "169.254.169.254": false, "169.254.170.2": false, "172.16.0.1": false,
		"172.31.255.255": false, "192.0.0.192": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false,
		"198.51.100.1": false, "203.0.113.9": false, "224.0.0.1": false, "239.255.255.250": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::ffff:10.1.2.3": false, "::127.0.0.1": false,
		"64:ff9b::10.0.0.1": false, "64:ff9b::169.254.169.254": false, "64:ff9b:1::a00:1": false, "100::1": false, "2001::1": false,
		"2001:db8::1": false, "2002:7f00:1::": false, "2002:a9fe:a9fe::": false, "3fff::1": false, "fc00::1": false, "fd00:ec2::254": false,
		"fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false, "5f00::1": false,
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, public, delivery.IsPublic(address))
		})
	}
}

// The client that tenants' addresses get: it looks at what a name led to, and no proxy helps.
func TestInsideIsRefused(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(inside.Close)
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			fault, _, _ := delivery.Send(t.Context(), delivery.NewClient(false), "http://"+host+":"+port)
			require.Contains(t, fault, "is not an address of the public internet")
			require.Zero(t, calls.Load())
		})
	}
	t.Run("TheSameClientWouldReachItWhenAllowed", func(t *testing.T) {
		t.Parallel()
		other := httptest.NewServer(http.NotFoundHandler())
		t.Cleanup(other.Close)
		fault, _, _ := delivery.Send(t.Context(), delivery.NewClient(true), other.URL)
		require.Equal(t, "the receiver answered 404", fault)
	})
	t.Run("NoProxyIsUsed", func(t *testing.T) {
		t.Parallel()
		transport, ok := delivery.NewClient(false).Transport.(*http.Transport)
		require.True(t, ok)
		require.Nil(t, transport.Proxy)
	})
}

// hang reads the request, which is what lets a server notice that the other side is gone, and never answers.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func TestSend(t *testing.T) {
	t.Parallel()
	var followed atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	t.Cleanup(target.Close)
	status := func(code int, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
		}
	}
	for name, example := range map[string]struct {
		receive    http.HandlerFunc
		fault      string
		gone       bool
		retryAfter time.Duration
	}{
		"200IsTaken":              {receive: status(200)},
		"204IsTaken":              {receive: status(204)},
		"299IsTaken":              {receive: status(299)},
		"301IsNotFollowed":        {receive: status(301, "Location", target.URL), fault: "301; redirects are not followed"},
		"303IsNotFollowed":        {receive: status(303, "Location", target.URL), fault: "303; redirects are not followed"},
		"307IsNotFollowed":        {receive: status(307, "Location", target.URL), fault: "307; redirects are not followed"},
		"400Fails":                {receive: status(400), fault: "the receiver answered 400"},
		"410Ends":                 {receive: status(410), fault: "410 Gone", gone: true},
		"429SaysWhen":             {receive: status(429, "Retry-After", "120"), fault: "429", retryAfter: 2 * time.Minute},
		"503SaysWhenByDate":       {receive: status(503, "Retry-After", time.Unix(1_800_000_060, 0).UTC().Format(http.TimeFormat)), fault: "503", retryAfter: time.Minute},
		"PastDateSaysNothing":     {receive: status(503, "Retry-After", "Mon, 02 Jan 2006 15:04:05 GMT"), fault: "503"},
		"NegativeTimeSaysNothing": {receive: status(503, "Retry-After", "-5"), fault: "503"},
		"NonsenseTimeSaysNothing": {receive: status(503, "Retry-After", "soon"), fault: "503"},
		"KilledConnectionFails":   {receive: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, fault: "the connection broke before the answer came"},
		"HangingFails":            {receive: hang, fault: "no answer within 10 seconds"},
		"EndlessAnswerIsTaken": {receive: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 8<<10)); err != nil {
					return
				}
			}
		}},
		"HugeHeadersFail": {receive: status(200, "X-Filler", strings.Repeat("a", 64<<10)), fault: "the connection broke"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(example.receive)
			t.Cleanup(server.Close)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			if name == "HangingFails" {
				ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
				defer cancel()
			}
			fault, gone, retryAfter := delivery.Send(ctx, delivery.NewClient(true), server.URL)
			if example.fault == "" {
				require.Empty(t, fault)
			} else {
				require.Contains(t, fault, example.fault)
			}
			require.Equal(t, example.gone, gone)
			require.Equal(t, example.retryAfter, retryAfter)
		})
	}
	t.Cleanup(func() { require.Zero(t, followed.Load(), "a redirect was followed") })
	t.Run("UnknownCertificateFails", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewTLSServer(status(200))
		server.Config.ErrorLog = nil
		t.Cleanup(server.Close)
		fault, _, _ := delivery.Send(t.Context(), delivery.NewClient(true), server.URL)
		require.Contains(t, fault, "the receiver's certificate was refused")
	})
	t.Run("ClosedPortFails", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewServer(status(200))
		server.Close()
		fault, _, _ := delivery.Send(t.Context(), delivery.NewClient(true), server.URL)
		require.Equal(t, "no connection to the receiver", fault)
	})
}

// What a tenant reads says nothing about the operator's network.
func TestExplain(t *testing.T) {
	t.Parallel()
	wrap := func(err error) error {
		return fmt.Errorf("sending: %w", &url.Error{Op: "Post", URL: "https://example.lt", Err: err})
	}
	for name, example := range map[string]struct {
		err  error
		want string
	}{
		"Name":        {&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "example.lt", Server: "10.0.0.2:53"}}, "the name of the receiver does not resolve"},
		"Certificate": {&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "the receiver's certificate was refused: x509: certificate signed by unknown authority"},
		"Handshake":   {&net.OpError{Op: "remote error", Err: errors.New("tls: internal error")}, "the receiver broke off the TLS handshake"},
		"Timeout":     {context.DeadlineExceeded, "no answer within 10 seconds"},
		"Other":       {errors.New("read tcp 10.0.0.5:4411->10.0.0.9:443: reset"), "the connection broke before the answer came"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, example.want, delivery.Explain(wrap(example.err)))
		})
	}
}
