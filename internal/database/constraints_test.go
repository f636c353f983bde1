package database_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// A database that would forget constraints is neither migrated nor served.
func TestKeepsConstraints(t *testing.T) {
	t.Parallel()
	server := mysqltest.Own(t, "--loose-innodb-native-foreign-keys=OFF")
	root, err := sql.Open("mysql", server.DSN)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	db, err := database.Open(t.Context(), server.FreshDatabase(t).AdminURL, database.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	var variable, value string
	if err := root.QueryRowContext(t.Context(), "SHOW GLOBAL VARIABLES LIKE 'innodb_native_foreign_keys'").Scan(&variable, &value); err == nil {
		_, err := db.Migrate(t.Context())
		require.ErrorContains(t, err, "innodb_native_foreign_keys")
		require.Error(t, db.KeepsConstraints(t.Context()))
		return
	}
	require.NoError(t, db.KeepsConstraints(t.Context()))
	_, err = root.ExecContext(t.Context(), "SET GLOBAL foreign_key_checks = OFF")
	require.NoError(t, err)
	_, err = db.Migrate(t.Context())
	require.ErrorContains(t, err, "foreign_key_checks")
}
