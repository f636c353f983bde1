package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webui"
)

// Limits of a connection: a client that dribbles its request does not hold a connection for long.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second
	writeTimeout      = 90 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
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
	tokens, err := cfg.tokens()
	if err != nil {
		return err
	}
	webhooks, err := cfg.webhooks()
	if err != nil {
		return err
	}
	store := tenant.NewStore(db, clock.System{})
	runner := idempotency.NewRunner(store, cfg.IdempotencyTTL)
	system := tenant.NewSystem(store)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return fmt.Errorf("listening on VIENKART_ADDR: %w", err)
	}
	address := listener.Addr().String()
	letters, err := cfg.mailer(os.Getenv("VIENKART_DATABASE_URL") == "")
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	d := httpapi.Dependencies{
		Store: store, Tokens: tokens, Runner: runner, Version: version, RequestsPerSecond: cfg.RateLimit,
		Webhooks: webhooks, Depot: files.NewDepot(cfg.FilesDir), Ready: readiness(db),
	}
	handler, err := cfg.handler(d, letters, address)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	pages, err := webui.New(handler, clock.System{})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := welcome(ctx, cfg, system, tokens, address); err != nil {
		return errors.Join(err, listener.Close())
	}
	background := startBackground(system, runner, webhooks, cfg.ExportWorkers)
	err = serve(ctx, cfg, listener, webui.Mount(pages, handler))
	background.stop()
	closing, cancel := context.WithTimeout(context.Background(), lastFlush)
	defer cancel()
	letters.Close(closing)
	return err
}

// handler adds to the dependencies what people sign in by, and builds the API.
func (c *config) handler(d httpapi.Dependencies, letters *mail.Mailer, address string) (http.Handler, error) {
	var err error
	if d.Desk, err = c.desk(d.Tokens, letters, address); err != nil {
		return nil, err
	}
	if d.TrustedProxies, err = c.proxies(); err != nil {
		return nil, err
	}
	return httpapi.New(d) //nolint:wrapcheck // says what failed already
}

// readiness says whether the server can serve: the database answers and has the schema of this binary.
func readiness(db *database.DB) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := db.Ping(ctx); err != nil {
			return err //nolint:wrapcheck // says what failed already
		}
		pending, err := db.Pending(ctx)
		if err == nil && pending {
			err = errors.New("the schema is behind this binary; run: server migrate up")
		}
		return err //nolint:wrapcheck // says what failed already
	}
}

func serve(ctx context.Context, cfg *config, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	slog.Info("serving", "address", listener.Addr().String(), "version", version, "pid", os.Getpid())
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	slog.Info("stopping; running requests finish first", "atMost", cfg.ShutdownTimeout)
	stopping, cancel := context.WithTimeout(context.Background(), cfg.ShutdownTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return nil
}
