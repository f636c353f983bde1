package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"

	"github.com/vienkart/vienkart/internal/certificate"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/metrics"
)

// tls is how the API is served over TLS, or nil when no certificate is configured.
func (c *config) tls() (*tls.Config, error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return nil, nil //nolint:nilnil // nil is the answer "without"
	}
	if c.TLSCert == "" || c.TLSKey == "" {
		return nil, errors.New("VIENKART_TLS_CERT and VIENKART_TLS_KEY go together; one of them is empty")
	}
	keeper, err := certificate.Open(c.TLSCert, c.TLSKey, clock.System{})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	return keeper.Config(), nil
}

// scheme is how the API is addressed.
func (c *config) scheme() string {
	if c.TLSCert != "" {
		return "https"
	}
	return "http"
}

// serveOperations serves metrics, and profiles when they are asked for, on a listener that only operators reach. It does
// nothing without an address.
func (c *config) serveOperations(ctx context.Context, m *metrics.Metrics) (stop func(), err error) {
	if c.MetricsAddr == "" {
		if c.PProf {
			return nil, errors.New("VIENKART_PPROF needs VIENKART_METRICS_ADDR: profiles are not for callers of the API")
		}
		return func() {}, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("listening on VIENKART_METRICS_ADDR: %w", err)
	}
	server := &http.Server{
		Handler: operationsMux(m, c.PProf), ReadHeaderTimeout: connectionLimits.header, WriteTimeout: connectionLimits.answer,
		IdleTimeout: connectionLimits.idle, MaxHeaderBytes: connectionLimits.headerBytes,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("metrics are served no longer", "error", err)
		}
	}()
	slog.Info("serving metrics", "metricsAddress", listener.Addr().String(), "profiles", c.PProf)
	return func() { _ = server.Close() }, nil
}

func operationsMux(m *metrics.Metrics, profiles bool) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	if profiles {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}
