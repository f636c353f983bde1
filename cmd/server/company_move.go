package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
)

type companyExport struct {
	Company string `arg:"" help:"Id of the company; server company list prints them."`
	Out     string `required:"" help:"Where to write; it must not exist."`
}

// Run exports as of one moment, while servers go on. The line in the company's log is part of the file.
func (c companyExport) Run(ctx context.Context, cfg *config) error {
	id, err := tenant.ParseID(c.Company)
	if err != nil {
		return err //nolint:wrapcheck // says what is wrong
	}
	store, closeStore, err := cfg.existing(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	scope, err := tenant.NewSystem(store).Scope(ctx, id, "company export")
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	err = store.Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		return account.RecordByOperator(ctx, tx, "company.exported", nil)
	})
	if err != nil {
		return err
	}
	var totals backup.Totals
	err = writeWhole(c.Out, func(out io.Writer) error {
		return store.Snapshot(ctx, scope, func(ctx context.Context, r tenant.ReadTx) (err error) { //nolint:wrapcheck // says what failed already
			totals, err = backup.WriteCompany(ctx, store.Database(), r, out, backup.CompanyInput{
				Server: version, Now: clock.At(store.Clock().Now()), Contents: cfg.contents(id),
			})
			return err //nolint:wrapcheck // says what failed already
		})
	})
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "%s: %d tables with %d rows, sha256 of the lines %s\n", scope.Company().Name, totals.Tables, totals.Rows, totals.SHA256)
	return nil
}

// contents reads the files of a company that lie in the folder.
func (c *config) contents(company tenant.ID) func(backup.FolderFile) ([]byte, error) {
	depot := files.NewDepot(c.FilesDir)
	return func(f backup.FolderFile) ([]byte, error) {
		content, err := depot.FromFolder(company, f.ID, f.SHA256)
		if err != nil {
			return nil, fmt.Errorf("file %s, sha256 %s: %w; if it was deleted just now, export again", f.ID, hex.EncodeToString(f.SHA256), err)
		}
		return content, nil
	}
}

type companyImport struct {
	File string `arg:"" help:"What server company export wrote, on any engine."`
}

// importedLine is what the company's log says of its import.
type importedLine struct {
	SHA256     string     `json:"sha256"`
	Server     string     `json:"server"`
	ExportedAt clock.Time `json:"exportedAt"`
}

// Run takes a company. On SQLite no server may run, since it could not write for that long.
func (c companyImport) Run(ctx context.Context, cfg *config) error {
	file, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("opening the file: %w", err)
	}
	defer func() { _ = file.Close() }()
	db, err := cfg.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := db.Own(); err != nil {
		return err //nolint:wrapcheck // says what to do
	}
	id, totals, err := importCompany(ctx, tenant.NewSystem(tenant.NewStore(db, clock.System{})), file)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "company %s: %d tables with %d rows; %d invariants hold\n", id, totals.Tables, totals.Rows, len(invariants())+1)
	return nil
}

// importCompany stores a company, provided that every invariant holds for it.
func importCompany(ctx context.Context, system tenant.System, file io.ReadSeeker) (tenant.ID, backup.Totals, error) {
	check := func(ctx context.Context, tx tenant.Tx, h backup.Header, t backup.Totals) error {
		breaches, err := tenant.VerifyOwn(ctx, tx, invariants())
		if err != nil {
			return err //nolint:wrapcheck // says what was being checked
		}
		for _, b := range breaches {
			_, _ = fmt.Fprintf(os.Stdout, "BROKEN: %s: %s\n", b.Invariant, b.Subject)
		}
		if len(breaches) > 0 {
			return fmt.Errorf("%d breaches in the file's company; nothing was imported", len(breaches))
		}
		return account.RecordByOperator(ctx, tx, "company.imported", importedLine{t.SHA256, h.Server, h.CreatedAt})
	}
	return backup.ImportCompany(ctx, system, file, "company import", check) //nolint:wrapcheck // says what failed already
}
