package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/health"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/metrics"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webui"
)

type serveCommand struct{}

// Run serves until a signal, then lets running mutations finish.
func (serveCommand) Run(ctx context.Context, cfg *config) error {
	db, err := cfg.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := db.Own(); err != nil {
		return err //nolint:wrapcheck // says what to do
	}
	if err := db.KeepsConstraints(ctx); err != nil {
		return err //nolint:wrapcheck // says what to do
	}
	tokens, err := cfg.tokens()
	if err != nil {
		return err
	}
	webhooks, err := cfg.webhooks()
	if err != nil {
		return err
	}
	store := tenant.NewStore(db, clock.System{})
	system := tenant.NewSystem(store)
	observed := metrics.New(version)
	observed.WatchPools(db)
	observed.WatchWork(func(ctx context.Context) (metrics.Work, error) { return measureWork(ctx, system) })
	closeReplica, err := cfg.useReplica(store, observed)
	if err != nil {
		return err
	}
	defer closeReplica()
	runner := idempotency.NewRunner(store, cfg.IdempotencyTTL)
	runner.Observe(observed)
	checker := health.NewChecker(system)
	listener, err := cfg.listen(ctx)
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	letters, err := cfg.mailer(os.Getenv("VIENKART_DATABASE_URL") == "")
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	d := httpapi.Dependencies{
		Store: store, Tokens: tokens, Runner: runner, Version: version, RequestsPerSecond: cfg.RateLimit,
		Webhooks: webhooks, Letters: letter.NewOffice(letters), Depot: files.NewDepot(cfg.FilesDir), Ready: checker.Report, Observer: observed,
	}
	handler, err := cfg.handler(d, letters, address)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := welcome(ctx, cfg, system, tokens, address); err != nil {
		return errors.Join(err, listener.Close())
	}
	stopOperations, err := cfg.serveOperations(ctx, observed)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer stopOperations()
	background := startBackground(system, d, letter.NewPostman(system, letters), cfg.ExportWorkers)
	err = serve(ctx, cfg, listener, handler, checker)
	background.stop()
	closing, cancel := context.WithTimeout(context.Background(), lastFlush)
	defer cancel()
	letters.Close(closing)
	return err
}

// useReplica makes reports come from a replica, when one is configured. Whether it can be used shows later: it may be down now.
func (c *config) useReplica(store *tenant.Store, m *metrics.Metrics) (stop func(), err error) {
	if c.ReplicaURL == "" {
		return func() {}, nil
	}
	r, err := store.Database().OpenReplica(c.ReplicaURL, database.Options{MaxConnections: c.MaxConnections})
	if err != nil {
		return nil, fmt.Errorf("VIENKART_DATABASE_REPLICA_URL: %w", err)
	}
	m.WatchReplica(r)
	store.UseReplica(r, m)
	return func() { _ = r.Close() }, nil
}

// listen opens the address of the API, with TLS when a certificate is configured.
func (c *config) listen(ctx context.Context) (net.Listener, error) {
	secure, err := c.tls()
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("listening on VIENKART_ADDR: %w", err)
	}
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	return listener, nil
}

// handler adds to the dependencies what people sign in by, and builds the API with its pages.
func (c *config) handler(d httpapi.Dependencies, letters *mail.Mailer, address string) (http.Handler, error) {
	var err error
	if d.Desk, err = c.desk(d.Tokens, letters, address); err != nil {
		return nil, err
	}
	if d.TrustedProxies, err = c.proxies(); err != nil {
		return nil, err
	}
	api, err := httpapi.New(d)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	pages, err := webui.New(api, clock.System{})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	return webui.Mount(pages, api), nil
}

func serve(ctx context.Context, cfg *config, listener net.Listener, handler http.Handler, checker *health.Checker) error {
	server := newHTTPServer(handler, connectionLimits)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	slog.Info("serving", "address", listener.Addr().String(), "version", version, "pid", os.Getpid())
	go debug.FreeOSMemory() // reading schemas and templates took half of it, and an idle server would keep that for minutes
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	checker.Drain()
	if cfg.DrainDelay > 0 {
		slog.Info("not ready any more; requests are still served", "for", cfg.DrainDelay)
		time.Sleep(cfg.DrainDelay)
	}
	slog.Info("stopping; running requests finish first", "atMost", cfg.ShutdownTimeout)
	stopping, cancel := context.WithTimeout(context.Background(), cfg.ShutdownTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return nil
}
