package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/trace"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// config is the environment; README.md explains every variable.
type config struct {
	Addr             string        `env:"VIENKART_ADDR" envDefault:"127.0.0.1:8080"`
	DatabaseURL      string        `env:"VIENKART_DATABASE_URL"`
	AdminDatabaseURL string        `env:"VIENKART_ADMIN_DATABASE_URL"`
	ReplicaURL       string        `env:"VIENKART_DATABASE_REPLICA_URL"`
	MaxConnections   int           `env:"VIENKART_DATABASE_CONNECTIONS"`
	JWTSecret        string        `env:"VIENKART_JWT_SECRET"`
	JWTPublicKey     string        `env:"VIENKART_JWT_PUBLIC_KEY"`
	JWKSURL          string        `env:"VIENKART_JWKS_URL"`
	JWTIssuer        string        `env:"VIENKART_JWT_ISSUER" envDefault:"vienkart"`
	JWTAudience      string        `env:"VIENKART_JWT_AUDIENCE" envDefault:"vienkart-api"`
	IdempotencyTTL   time.Duration `env:"VIENKART_IDEMPOTENCY_TTL" envDefault:"24h"`
	RateLimit        int           `env:"VIENKART_RATE_LIMIT"`
	SMTPURL          string        `env:"VIENKART_SMTP_URL"`
	MailFrom         string        `env:"VIENKART_MAIL_FROM" envDefault:"vienkart@localhost"`
	PublicURL        string        `env:"VIENKART_PUBLIC_URL"`
	SignUp           bool          `env:"VIENKART_SIGNUP"`
	FilesDir         string        `env:"VIENKART_FILES_DIR"`
	// ExportWorkers is how many export jobs the server works on at once; 0 leaves them to other servers.
	ExportWorkers   int           `env:"VIENKART_EXPORT_WORKERS" envDefault:"1"`
	TrustedProxies  []string      `env:"VIENKART_TRUSTED_PROXIES"`
	WebhookKey      string        `env:"VIENKART_WEBHOOK_KEY"`
	WebhookPrivate  bool          `env:"VIENKART_WEBHOOK_ALLOW_PRIVATE"`
	LogLevel        slog.Level    `env:"VIENKART_LOG_LEVEL" envDefault:"info"`
	LogFormat       string        `env:"VIENKART_LOG_FORMAT" envDefault:"text"`
	ShutdownTimeout time.Duration `env:"VIENKART_SHUTDOWN_TIMEOUT" envDefault:"35s"`
	DrainDelay      time.Duration `env:"VIENKART_DRAIN_DELAY" envDefault:"0s"`
	MetricsAddr     string        `env:"VIENKART_METRICS_ADDR"`
	PProf           bool          `env:"VIENKART_PPROF"`
	TLSCert         string        `env:"VIENKART_TLS_CERT"`
	TLSKey          string        `env:"VIENKART_TLS_KEY"`
}

// dataFolder holds what a server without configuration needs: its database and its secret.
const dataFolder = "data"

// minTTL is longer than a request may run: a key that expires under its own request would let the retry book again.
const minTTL = time.Minute

func loadConfig() (*config, error) {
	cfg, err := env.ParseAs[config]()
	if err != nil {
		return nil, fmt.Errorf("reading the environment: %w", err)
	}
	if cfg.DatabaseURL == "" {
		cfg.DatabaseURL = "sqlite:" + filepath.Join(dataFolder, "vienkart.db")
	}
	switch {
	case cfg.ReplicaURL != "" && cfg.isSQLite():
		return nil, errors.New("VIENKART_DATABASE_REPLICA_URL is set, but SQLite has no replicas; unset it, or move to MySQL or MariaDB")
	case cfg.IdempotencyTTL < minTTL:
		return nil, fmt.Errorf("VIENKART_IDEMPOTENCY_TTL is %s; it must be %s or more", cfg.IdempotencyTTL, minTTL)
	case cfg.RateLimit < 0:
		return nil, fmt.Errorf("VIENKART_RATE_LIMIT is %d; it must be 0 (no limit) or more", cfg.RateLimit)
	case cfg.DrainDelay < 0:
		return nil, fmt.Errorf("VIENKART_DRAIN_DELAY is %s; it must be 0s or more", cfg.DrainDelay)
	case cfg.LogFormat != "text" && cfg.LogFormat != "json":
		return nil, fmt.Errorf("VIENKART_LOG_FORMAT is %q; it must be text or json", cfg.LogFormat)
	}
	return &cfg, nil
}

func (c *config) logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(trace.NewHandler(slog.NewJSONHandler(w, options)))
	}
	return slog.New(trace.NewHandler(slog.NewTextHandler(w, options)))
}

func (c *config) isSQLite() bool { return strings.HasPrefix(c.DatabaseURL, "sqlite:") }

// open connects as the serving user and brings the schema up to date where that user may; with an admin address
// configured, only "migrate up" changes the schema.
func (c *config) open(ctx context.Context) (*database.DB, error) {
	db, err := database.Open(ctx, c.DatabaseURL, database.Options{MaxConnections: c.MaxConnections})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed already
	}
	pending, err := db.Pending(ctx)
	if err == nil && pending {
		_, err = db.Migrate(ctx)
		if err != nil && c.AdminDatabaseURL != "" {
			err = errors.New("the schema is behind this binary; run: server migrate up")
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// existing is store for a command that has nothing to do in a new database: it refuses to make one, so that a forgotten
// address does not pass for a database in order.
func (c *config) existing(ctx context.Context) (*tenant.Store, func(), error) {
	if path, ok := strings.CutPrefix(c.DatabaseURL, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, fmt.Errorf("there is no database at %s; set VIENKART_DATABASE_URL to the one the server uses", path)
		}
	}
	return c.store(ctx)
}

func (c *config) store(ctx context.Context) (*tenant.Store, func(), error) {
	db, err := c.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	return tenant.NewStore(db, clock.System{}), func() { _ = db.Close() }, nil
}

// secret is the configured secret of tokens, or none when another issuer signs them. On SQLite a secret is made on first
// use and kept beside the database, so that a newcomer needs no configuration; on MySQL servers share it, so it must be
// given.
func (c *config) secret() (string, error) {
	if c.JWTSecret != "" || c.JWTPublicKey != "" || c.JWKSURL != "" || !c.isSQLite() {
		return c.JWTSecret, nil
	}
	return keptSecret(filepath.Join(filepath.Dir(strings.TrimPrefix(c.DatabaseURL, "sqlite:")), "jwt-secret"))
}

// tokens reads the keys.
func (c *config) tokens() (*tenant.Tokens, error) {
	secret, err := c.secret()
	if err != nil {
		return nil, err
	}
	return tenant.NewTokens(tenant.TokenConfig{ //nolint:wrapcheck // says which variable is wrong
		Secret: secret, PublicKeyPEM: c.JWTPublicKey, JWKSURL: c.JWKSURL, Issuer: c.JWTIssuer, Audience: c.JWTAudience,
	}, clock.System{})
}

// webhooks is what the operator decided about endpoints of tenants. Their secrets are kept under a key of their own, or
// under one made from the secret of tokens; with neither there are no webhooks.
func (c *config) webhooks() (delivery.Policy, error) {
	policy := delivery.Policy{AllowPrivate: c.WebhookPrivate}
	master := c.WebhookKey
	if master == "" {
		var err error
		if master, err = c.secret(); err != nil || master == "" {
			return policy, err
		}
	}
	var err error
	if policy.Vault, err = delivery.NewVault(master); err != nil {
		return policy, fmt.Errorf("reading VIENKART_WEBHOOK_KEY: %w", err)
	}
	return policy, nil
}

func keptSecret(path string) (string, error) {
	kept, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(kept)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the token secret: %w", err)
	}
	secret := rand.Text() + rand.Text()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return "", fmt.Errorf("keeping the token secret: %w", err)
	}
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keeping the token secret: %w", err)
	}
	return secret, nil
}
