package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

type backupCommand struct {
	File string `arg:"" help:"Where to write; it must not exist."`
}

// Run writes a backup of one moment, while servers go on. It changes nothing in the database.
func (b backupCommand) Run(ctx context.Context, cfg *config) error {
	if path, isSQLite := strings.CutPrefix(cfg.DatabaseURL, "sqlite:"); isSQLite {
		if _, err := os.Stat(path); err != nil { // opening would make a new one
			return fmt.Errorf("there is no database to back up: %w", err)
		}
	}
	db, err := database.Open(ctx, cfg.DatabaseURL, database.Options{})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	defer func() { _ = db.Close() }()
	var totals backup.Totals
	err = writeWhole(b.File, func(out io.Writer) (err error) {
		totals, err = backup.Write(ctx, db, out, version, clock.At(clock.System{}.Now()))
		return err //nolint:wrapcheck // says what failed already
	})
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d tables with %d rows, sha256 of the lines %s\n", totals.Tables, totals.Rows, totals.SHA256)
	warnOfFolder(ctx, tenant.NewSystem(tenant.NewStore(db, clock.System{})))
	return nil
}

// warnOfFolder says what a backup of the database does not hold.
func warnOfFolder(ctx context.Context, system tenant.System) {
	outside, err := tenant.SystemQuery[int64](ctx, system, "SELECT COUNT(*) FROM files WHERE storage = 'folder'")
	if err == nil && outside[0] > 0 {
		slog.Warn("the contents of some files are in VIENKART_FILES_DIR and not in the backup; copy that folder too", "files", outside[0])
	}
}

// writeWhole writes a file that is there complete and on the disk, or not at all.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already; name another file", name)
	}
	out, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".unfinished-*") // readable by its owner alone
	if err != nil {
		return fmt.Errorf("making the file: %w", err)
	}
	defer func() {
		_ = out.Close()
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()
	if err := write(out); err != nil {
		return err
	}
	if err := out.Sync(); err != nil {
		return fmt.Errorf("writing %s to the disk: %w", name, err)
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("closing %s: %w", name, err)
	}
	if err := os.Rename(out.Name(), name); err != nil {
		return fmt.Errorf("naming the file: %w", err)
	}
	return nil
}

type restoreCommand struct {
	File string `arg:"" help:"What server backup wrote, on any engine."`
}

// Run fills an empty database. No server may run on it.
func (r restoreCommand) Run(ctx context.Context, cfg *config) error {
	file, err := os.Open(r.File)
	if err != nil {
		return fmt.Errorf("opening the backup: %w", err)
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
	header, totals, err := backup.Restore(ctx, db, file)
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	if err := recordRestore(ctx, tenant.NewSystem(tenant.NewStore(db, clock.System{})), header, totals); err != nil {
		return fmt.Errorf("everything is restored, but not every company's log says so: %w", err)
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d tables with %d rows, as they were on %s; now run: server verify\n",
		totals.Tables, totals.Rows, header.CreatedAt.Format("2006-01-02 15:04:05 MST"))
	return nil
}

// recordRestore tells each company's log: what its people did after the moment of the backup is gone.
func recordRestore(ctx context.Context, system tenant.System, h backup.Header, t backup.Totals) error {
	ids, err := tenant.SystemQuery[tenant.ID](ctx, system, "SELECT id FROM companies ORDER BY id")
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	for _, id := range ids {
		scope, err := system.Scope(ctx, id, "restore")
		if err != nil {
			return err //nolint:wrapcheck // says what failed already
		}
		err = system.Store().Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
			return account.RecordByOperator(ctx, tx, "company.restored", importedLine{t.SHA256, h.Server, h.CreatedAt})
		})
		if err != nil {
			return err //nolint:wrapcheck // says what failed already
		}
	}
	return nil
}
