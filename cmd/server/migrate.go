package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/vienkart/vienkart/internal/database"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Apply what is pending, then grant the serving user its rights when VIENKART_ADMIN_DATABASE_URL is set."`
	Status migrateStatus `cmd:"" help:"List the migrations and when each was applied."`
}

type migrateUp struct{}

func (migrateUp) Run(ctx context.Context, cfg *config) error {
	address := cfg.DatabaseURL
	if cfg.AdminDatabaseURL != "" {
		address = cfg.AdminDatabaseURL
	}
	db, err := database.Open(ctx, address, database.Options{})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	defer func() { _ = db.Close() }()
	applied, err := db.Migrate(ctx)
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d migrations applied\n", applied)
	if cfg.AdminDatabaseURL == "" || cfg.isSQLite() {
		return nil
	}
	serving, err := url.Parse(cfg.DatabaseURL)
	if err != nil || serving.User == nil {
		return fmt.Errorf("VIENKART_DATABASE_URL names no user to grant to")
	}
	if err := db.Grant(ctx, serving.User.Username()); err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	_, _ = fmt.Fprintf(os.Stdout, "rights granted to %s\n", serving.User.Username())
	return nil
}

type migrateStatus struct{}

func (migrateStatus) Run(ctx context.Context, cfg *config) error {
	address := cfg.DatabaseURL
	if cfg.AdminDatabaseURL != "" {
		address = cfg.AdminDatabaseURL
	}
	db, err := database.Open(ctx, address, database.Options{})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	defer func() { _ = db.Close() }()
	migrations, err := db.Migrations(ctx)
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	for _, m := range migrations {
		state := "pending"
		if !m.AppliedAt.IsZero() {
			state = m.AppliedAt.UTC().Format("2006-01-02 15:04:05")
		}
		_, _ = fmt.Fprintf(os.Stdout, "%-20s %s\n", state, m.Name)
	}
	return nil
}
