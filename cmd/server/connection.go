package main

import (
	"log/slog"
	"net/http"
	"time"
)

// limits bound what one connection may hold up: a client that dribbles its request, or does not take its answer, loses it.
type limits struct {
	header, request, answer, idle time.Duration
	headerBytes                   int
}

var connectionLimits = limits{
	header: 10 * time.Second, request: 60 * time.Second, answer: 90 * time.Second, idle: 2 * time.Minute, headerBytes: 32 << 10,
}

// newHTTPServer serves a handler within limits.
func newHTTPServer(handler http.Handler, l limits) *http.Server {
	return &http.Server{
		Handler: oneEnd(strictTransport(handler)), ReadHeaderTimeout: l.header, ReadTimeout: l.request, WriteTimeout: l.answer,
		IdleTimeout: l.idle, MaxHeaderBytes: l.headerBytes, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}

// oneEnd closes the connection behind a request whose end another reader may have seen elsewhere: one in chunks, which may have had a
// length too (net/http drops it unseen; RFC 9112, section 6.3), and one that asks for another protocol or for a tunnel. What follows
// on the connection may be part of the same request to a proxy before us, and must not become a request here.
func oneEnd(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 || r.Method == http.MethodConnect || r.Header.Get("Upgrade") != "" {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// strictTransport tells browsers that came by TLS of this server's own to come by TLS alone, for a year. Behind a proxy that ends TLS
// the proxy says so.
func strictTransport(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
