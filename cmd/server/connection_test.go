package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
)

// short are the limits of the server, scaled down.
var short = limits{header: 300 * time.Millisecond, request: 600 * time.Millisecond, answer: 600 * time.Millisecond, idle: 300 * time.Millisecond, headerBytes: 4 << 10}

// patience is how much later than a limit a busy machine may notice it.
const patience = 20 * time.Second

// slowServer serves with short limits and tells how handlers ended.
func slowServer(t *testing.T, handler http.HandlerFunc) (address string, ended <-chan error) {
	t.Helper()
	done := make(chan error, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			return
		}
		_, err := io.Copy(io.Discard, r.Body)
		if err == nil && handler != nil {
			handler(w, r)
			_, err = w.Write(make([]byte, 64<<20))
		}
		done <- err
	}), short)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return listener.Addr().String(), done
}

// dribble writes a text byte by byte until the other side has had enough, and gives how long that took.
func dribble(t *testing.T, address, first, rest string) time.Duration {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	start := clock.System{}.Now()
	_, err = io.WriteString(connection, first)
	require.NoError(t, err)
	for _, b := range []byte(rest) {
		if _, err := connection.Write([]byte{b}); err != nil {
			return clock.System{}.Now().Sub(start)
		}
		time.Sleep(20 * time.Millisecond)
		require.Less(t, clock.System{}.Now().Sub(start), patience, "it is served for ever")
	}
	t.Fatal("all of it was taken")
	return 0
}

// TestSlowClients: who sends or takes slowly loses the connection at the limit, and nobody else notices.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	t.Run("Headers", func(t *testing.T) {
		t.Parallel()
		address, _ := slowServer(t, nil)
		took := dribble(t, address, "GET / HTTP/1.1\r\nHost: x\r\n", strings.Repeat("X-A: b\r\n", 1000))
		require.GreaterOrEqual(t, took, short.header)
		status, _ := get(t, "http://"+address+"/")
		require.Equal(t, http.StatusOK, status)
	})
	t.Run("Body", func(t *testing.T) {
		t.Parallel()
		address, ended := slowServer(t, nil)
		took := dribble(t, address, "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", strings.Repeat("a", 10_000))
		require.GreaterOrEqual(t, took, short.header)
		require.Error(t, <-ended, "the handler is told")
	})
	t.Run("Reader", func(t *testing.T) {
		t.Parallel()
		address, ended := slowServer(t, func(http.ResponseWriter, *http.Request) {})
		connection, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer func() { _ = connection.Close() }()
		_, err = io.WriteString(connection, "GET /write HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		select {
		case err := <-ended:
			require.Error(t, err, "64 MiB do not fit between the two")
		case <-time.After(patience):
			t.Fatal("the handler writes for ever")
		}
	})
	t.Run("Nothing", func(t *testing.T) {
		t.Parallel()
		address, _ := slowServer(t, nil)
		for _, first := range []string{"", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"} {
			connection, err := net.Dial("tcp", address)
			require.NoError(t, err)
			_, err = io.WriteString(connection, first)
			require.NoError(t, err)
			require.NoError(t, connection.SetReadDeadline(clock.System{}.Now().Add(patience)))
			_, err = io.Copy(io.Discard, connection)
			require.NoError(t, err, "an idle connection is closed")
			require.NoError(t, connection.Close())
		}
	})
	for _, limit := range []time.Duration{connectionLimits.header, connectionLimits.request, connectionLimits.answer, connectionLimits.idle} {
		require.Positive(t, limit)
		require.LessOrEqual(t, limit, 2*time.Minute)
	}
}

// TestOneEnd: the connection goes on behind an ordinary request and ends behind one that two readers could see the end of elsewhere.
func TestOneEnd(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		request string
		ends    bool
	}{
		"Length":  {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", false},
		"NoBody":  {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", false},
		"Chunks":  {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", true},
		"Both":    {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
		"Tunnel":  {"CONNECT example.lt:443 HTTP/1.1\r\nHost: example.lt:443\r\n\r\n", true},
		"Upgrade": {"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(oneEnd(http.NotFoundHandler()))
			t.Cleanup(server.Close)
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			defer func() { _ = connection.Close() }()
			_, err = io.WriteString(connection, example.request)
			require.NoError(t, err)
			answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, example.ends, answer.Close)
		})
	}
}

func TestStrictTransport(t *testing.T) {
	t.Parallel()
	handler := strictTransport(http.NotFoundHandler())
	for url, want := range map[string]string{"http://books.example/": "", "https://books.example/": "max-age=31536000"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, url, http.NoBody)
		require.Equal(t, strings.HasPrefix(url, "https"), r.TLS != nil)
		handler.ServeHTTP(w, r)
		require.Equal(t, want, w.Header().Get("Strict-Transport-Security"))
	}
}
