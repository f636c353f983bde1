package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
)

type companyPurge struct {
	Company  string `arg:"" optional:"" help:"Id of the company."`
	Due      bool   `help:"Purge every deleted sandbox whose time has passed."`
	Now      bool   `help:"Do not wait for a sandbox to be deleted or for its time to pass."`
	Exported string `help:"File of an archived company that was moved: it is purged when the file holds everything that is here."`
}

// Run removes companies for good. On MySQL it works as the user of VIENKART_ADMIN_DATABASE_URL, because the serving user
// may not delete from tables that only grow; on SQLite no server may run.
func (c companyPurge) Run(ctx context.Context, cfg *config) error {
	if (c.Company == "") != c.Due {
		return errors.New("name a company, or use --due")
	}
	if c.Due && (c.Now || c.Exported != "") {
		return errors.New("--due goes with neither --now nor --exported")
	}
	system, closeStore, err := cfg.mighty(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	if !c.Due {
		id, err := tenant.ParseID(c.Company)
		if err != nil {
			return err //nolint:wrapcheck // says what is wrong
		}
		return c.purge(ctx, cfg, system, id)
	}
	due, err := account.DuePurges(ctx, system)
	if err != nil {
		return err //nolint:wrapcheck // says what failed
	}
	for _, company := range due {
		if err := c.purge(ctx, cfg, system, company.ID); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d companies purged\n", len(due))
	return nil
}

func (c companyPurge) purge(ctx context.Context, cfg *config, system tenant.System, id tenant.ID) error {
	terms := account.PurgeTerms{WithoutWaiting: c.Now}
	if c.Exported != "" {
		terms.Moved = func(ctx context.Context, tx tenant.Tx) error { return sameAs(ctx, cfg, system, tx, c.Exported) }
	}
	removed, err := backup.Purge(ctx, system, id, "company purge", func(ctx context.Context, tx tenant.Tx) error {
		return account.MayPurge(ctx, tx, terms)
	})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	// After the commit: a content without a row is garbage, and a row without its content a loss.
	if err := files.NewDepot(cfg.FilesDir).DropCompany(id); err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	_, _ = fmt.Fprintf(os.Stdout, "company %s purged, %d rows\n", id, removed)
	return nil
}

// sameAs exports a company again under the header of a file: equal digests say that the file holds all there is.
func sameAs(ctx context.Context, cfg *config, system tenant.System, tx tenant.Tx, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("opening the file: %w", err)
	}
	defer func() { _ = file.Close() }()
	company, header, wanted, err := backup.CheckCompany(file)
	if err != nil {
		return err //nolint:wrapcheck // says what is wrong
	}
	if id := tx.Company().ID; company != id {
		return fmt.Errorf("the file is of the company %s and not of %s", company, id)
	}
	found, err := backup.WriteCompany(ctx, system.Store().Database(), tx.ReadTx, io.Discard, backup.CompanyInput{
		Server: header.Server, Now: header.CreatedAt, Contents: cfg.contents(company),
	})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	if found != wanted {
		return errors.New("the company has changed since the file was written; export it again, import that, and purge then")
	}
	return nil
}

// mighty is the operator with a user who may do anything to rows, and with the SQLite file alone.
func (c *config) mighty(ctx context.Context) (tenant.System, func(), error) {
	admin := *c
	switch {
	case c.isSQLite():
	case c.AdminDatabaseURL == "":
		return tenant.System{}, nil, errors.New("the serving user may not remove what only grows; set VIENKART_ADMIN_DATABASE_URL to the user of migrate up")
	default:
		admin.DatabaseURL = c.AdminDatabaseURL
	}
	store, closeStore, err := admin.existing(ctx)
	if err != nil {
		return tenant.System{}, nil, err
	}
	if err := store.Database().Own(); err != nil {
		closeStore()
		if errors.Is(err, database.ErrOwned) {
			err = errors.New("a server works on this SQLite file; stop it first")
		}
		return tenant.System{}, nil, err
	}
	return tenant.NewSystem(store), closeStore, nil
}
