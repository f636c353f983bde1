package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/vienkart/vienkart/migrations"
)

// Migration is one numbered file and when it was applied; zero when it is pending.
type Migration struct {
	Version   int64
	Name      string
	AppliedAt time.Time
}

func (db *DB) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations.Files, db.dialect.String())
	if err != nil {
		return nil, fmt.Errorf("opening the migrations: %w", err)
	}
	dialect := goose.DialectSQLite3
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if db.dialect == MySQL {
		dialect = goose.DialectMySQL
		locker, err := lock.NewMySQLTableLocker(
			lock.WithTableName("migration_lock"),
			lock.WithTableLockTimeout(200*time.Millisecond, 600),
		)
		if err != nil {
			return nil, fmt.Errorf("making the migration lock: %w", err)
		}
		options = append(options, goose.WithLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, db.patient, files, options...)
	if err != nil {
		return nil, fmt.Errorf("reading the migrations: %w", err)
	}
	return provider, nil
}

// Migrate applies what is pending and returns how many files that was. Any number of servers may call it at once; one
// applies, the others wait.
func (db *DB) Migrate(ctx context.Context) (int, error) {
	if db.dialect == SQLite {
		unlock, err := lockFile(ctx, db.path+".migrate")
		if err != nil {
			return 0, err
		}
		defer unlock()
	}
	if err := db.KeepsConstraints(ctx); err != nil {
		return 0, err
	}
	provider, err := db.provider()
	if err != nil {
		return 0, err
	}
	var results []*goose.MigrationResult
	err = db.unhurried(ctx, func() error {
		results, err = provider.Up(ctx)
		return err //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return 0, fmt.Errorf("migrating the database: %w", err)
	}
	if db.dialect == SQLite {
		return len(results), db.loadIndexes(ctx)
	}
	return len(results), nil
}

// unhurried runs work whose commits need not each wait for the disk on SQLite: a new database is some ninety of them. They keep
// their order in the log, and the next commit of a request waits for all. Power lost before takes the last ones along, and they are
// applied again.
func (db *DB) unhurried(ctx context.Context, work func() error) error {
	if db.dialect != SQLite {
		return work()
	}
	if _, err := db.patient.ExecContext(ctx, "PRAGMA synchronous = NORMAL"); err != nil {
		return fmt.Errorf("letting commits not wait: %w", err)
	}
	err := work()
	if _, restored := db.patient.ExecContext(context.WithoutCancel(ctx), "PRAGMA synchronous = FULL"); restored != nil {
		err = errors.Join(err, fmt.Errorf("letting commits wait again: %w", restored))
	}
	return err
}

// Migrations lists every migration in order.
func (db *DB) Migrations(ctx context.Context) ([]Migration, error) {
	provider, err := db.provider()
	if err != nil {
		return nil, err
	}
	statuses, err := provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the state of migrations: %w", err)
	}
	list := make([]Migration, len(statuses))
	for i, s := range statuses {
		list[i] = Migration{Version: s.Source.Version, Name: s.Source.Path, AppliedAt: s.AppliedAt}
	}
	return list, nil
}

// Pending reports whether the schema lacks a migration of this binary. It only reads.
func (db *DB) Pending(ctx context.Context) (bool, error) {
	provider, err := db.provider()
	if err != nil {
		return false, err
	}
	sources := provider.ListSources()
	var applied sql.NullInt64
	query := "SELECT MAX(version_id) FROM goose_db_version WHERE is_applied"
	if err := db.reader.QueryRowContext(ctx, query).Scan(&applied); err != nil {
		if IsUnavailable(err) {
			return false, fmt.Errorf("reading the version of the schema: %w", err)
		}
		return true, nil //nolint:nilerr // no version table yet: everything is pending
	}
	return applied.Int64 < sources[len(sources)-1].Version, nil
}

// Grant gives the serving user what it needs and no more: append-only tables take no UPDATE and no DELETE, which is
// what makes the journal immutable for the server itself. MySQL only; needs a user who may grant.
func (db *DB) Grant(ctx context.Context, user string) error {
	hosts, err := db.column(ctx, "SELECT host FROM mysql.user WHERE user = ?", user)
	if err != nil {
		hosts = []string{"%"} // a migrator need not be allowed to read the user table
	} else if len(hosts) == 0 {
		return fmt.Errorf("the database has no user %q; create it before granting", user)
	}
	tables, err := db.column(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name")
	if err != nil {
		return fmt.Errorf("listing tables: %w", err)
	}
	for _, host := range hosts {
		for _, table := range tables {
			statement := fmt.Sprintf("GRANT %s ON %s TO %s@%s", privileges(table), quoteName(table), quoteText(user), quoteText(host))
			if _, err := db.writer.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("granting on %s: %w", table, err)
			}
		}
	}
	return nil
}

func privileges(table string) string {
	switch {
	case table == "goose_db_version" || table == "migration_lock":
		return "SELECT"
	case slices.Contains(migrations.AppendOnly, table):
		return "SELECT, INSERT"
	}
	return "SELECT, INSERT, UPDATE, DELETE"
}

func quoteName(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (db *DB) column(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := db.writer.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("querying: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var values []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, fmt.Errorf("reading a row: %w", err)
		}
		values = append(values, v)
	}
	return values, rows.Err() //nolint:wrapcheck // the callers say what was being listed
}
