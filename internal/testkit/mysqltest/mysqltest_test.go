package mysqltest_test

import (
	"context"
	"database/sql"
	"net/url"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

func TestServer(t *testing.T) {
	t.Parallel()
	server := mysqltest.Shared(t)
	admin := open(t, server.DSN)

	for variable, want := range map[string]string{
		"character_set_server":     "utf8mb4",
		"collation_server":         "utf8mb4_bin",
		"time_zone":                "+00:00",
		"innodb_lock_wait_timeout": "5",
		"max_connections":          "500",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, queryString(t, admin, "SELECT @@GLOBAL."+variable))
		})
	}
	t.Run("TextThatDoesNotFitIsRefused", func(t *testing.T) {
		t.Parallel()
		database := server.FreshDatabase(t)
		db := open(t, database.AdminDSN)
		execute(t, db, "CREATE TABLE t (word VARCHAR(3) NOT NULL)")
		_, err := db.ExecContext(t.Context(), "INSERT INTO t VALUES ('four')")
		requireNumber(t, 1406, err)
	})
	t.Run("TransactionsReadCommitted", func(t *testing.T) {
		t.Parallel()
		database := server.FreshDatabase(t)
		db := open(t, database.AdminDSN)
		execute(t, db, "CREATE TABLE t (n INT NOT NULL)")
		tx, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, "0", queryString(t, tx, "SELECT COUNT(*) FROM t"))
		execute(t, db, "INSERT INTO t VALUES (1)")
		require.Equal(t, "1", queryString(t, tx, "SELECT COUNT(*) FROM t"))
		require.NoError(t, tx.Rollback())
	})
}

func TestFreshDatabase(t *testing.T) {
	t.Parallel()
	server := mysqltest.Shared(t)

	t.Run("ServingUserHasNoRightUntilItIsGranted", func(t *testing.T) {
		t.Parallel()
		database := server.FreshDatabase(t)
		admin := open(t, database.AdminDSN)
		execute(t, admin, "CREATE TABLE t (n INT NOT NULL)")

		// Without any right on the database its very name is refused.
		require.Error(t, openUnchecked(t, database.AppDSN).PingContext(t.Context()))

		execute(t, admin, "GRANT SELECT, INSERT ON t TO "+database.AppUser)
		app := open(t, database.AppDSN)
		execute(t, app, "INSERT INTO t VALUES (1)")
		_, err := app.ExecContext(t.Context(), "DELETE FROM t")
		requireNumber(t, 1142, err)
	})
	t.Run("MigratingUserSeesTheHostOfTheServingUser", func(t *testing.T) {
		t.Parallel()
		database := server.FreshDatabase(t)
		admin := open(t, database.AdminDSN)
		require.Equal(t, "%", queryString(t, admin, "SELECT host FROM mysql.user WHERE user = '"+database.AppUser+"'"))
		_, err := admin.ExecContext(t.Context(), "SELECT * FROM mysql.user")
		require.Error(t, err)
	})
	t.Run("AnotherDatabaseIsOutOfReach", func(t *testing.T) {
		t.Parallel()
		mine, other := server.FreshDatabase(t), server.FreshDatabase(t)
		require.NotEqual(t, mine.Name, other.Name)
		_, err := open(t, mine.AdminDSN).ExecContext(t.Context(), "USE "+other.Name)
		requireNumber(t, 1044, err)
	})
	t.Run("NothingIsLeftAfterTheTest", func(t *testing.T) {
		t.Parallel()
		var database mysqltest.Database
		t.Run("test", func(t *testing.T) { //nolint:paralleltest // The parent looks at what this one left.
			database = server.FreshDatabase(t)
		})
		admin := open(t, server.DSN)
		require.Equal(t, "0", queryString(t, admin, "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '"+database.Name+"'"))
		require.Equal(t, "0", queryString(t, admin, "SELECT COUNT(*) FROM mysql.user WHERE user IN ('"+database.AdminUser+"', '"+database.AppUser+"')"))
	})
	t.Run("URLsNameTheSameDatabaseAndUsers", func(t *testing.T) {
		t.Parallel()
		database := server.FreshDatabase(t)
		for address, user := range map[string]string{database.AdminURL: database.AdminUser, database.AppURL: database.AppUser} {
			parsed, err := url.Parse(address)
			require.NoError(t, err)
			require.Equal(t, "mysql", parsed.Scheme)
			require.Equal(t, user, parsed.User.Username())
			require.Equal(t, "/"+database.Name, parsed.Path)
		}
	})
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func openUnchecked(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db := openUnchecked(t, dsn)
	require.NoError(t, db.PingContext(t.Context()))
	return db
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

func queryString(t *testing.T, db querier, query string) string {
	t.Helper()
	var value string
	require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&value))
	return value
}

func requireNumber(t *testing.T, want uint16, err error) {
	t.Helper()
	var refused *mysql.MySQLError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, want, refused.Number, refused.Message)
}
