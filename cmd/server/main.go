// Command server is Vienkart: an accounting API that books every document exactly once.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // a company's time zone must be known on a machine without zone files

	"github.com/alecthomas/kong"
)

// version is set when a release is built.
var version = "dev"

// commands are what the binary does.
type commands struct {
	Serve   serveCommand   `cmd:"" default:"1" help:"Serve the API; with no database configured, on a SQLite file in ./data."`
	Migrate migrateCommand `cmd:"" help:"Bring the database's schema up to date, or show where it stands."`
	Demo    demoCommand    `cmd:"" help:"Create a demo company with a month of invoices."`
	Token   tokenCommand   `cmd:"" help:"Sign a token for a company and print it."`
	Verify  verifyCommand  `cmd:"" help:"Walk the whole database and report every broken invariant; exit 1 when there is one."`
	Backup  backupCommand  `cmd:"" help:"Write everything in the database to a file, while servers go on."`
	Restore restoreCommand `cmd:"" help:"Fill an empty database from such a file, on any engine."`
	Company companyCommand `cmd:"" help:"Open, list, export, import and purge companies."`
	Ready   readyCommand   `cmd:"" help:"Ask the server on VIENKART_ADDR whether it is ready; exit 1 when it is not."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var cli commands
	parsed := kong.Parse(&cli, kong.Name("server"), kong.UsageOnError(),
		kong.Description("Vienkart: an accounting API that books every document exactly once. Configuration is by environment; see README.md."))
	cfg, err := loadConfig()
	if err == nil {
		slog.SetDefault(cfg.logger(os.Stderr))
		parsed.BindTo(ctx, (*context.Context)(nil))
		err = parsed.Run(cfg)
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to release
	}
}

type versionCommand struct{}

func (versionCommand) Run() error {
	_, err := fmt.Fprintln(os.Stdout, version)
	return err //nolint:wrapcheck // nothing to add
}
