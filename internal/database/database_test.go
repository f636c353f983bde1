package database_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ address, want string }{
		"Empty":          {"", "must start with sqlite: or mysql://"},
		"OtherEngine":    {"postgres://user:hunter2@host/db", "must start with sqlite: or mysql://"},
		"NoPath":         {"sqlite:", "needs the path of a file"},
		"InMemory":       {"sqlite::memory:", "needs the path of a file"},
		"NoUser":         {"mysql://host/db", "needs a user, a host and a database"},
		"NoDatabase":     {"mysql://u:p@host", "needs a user, a host and a database"},
		"UnknownHost":    {"mysql://u:hunter2@127.0.0.1:1/db", "connect"},
		"UnknownOption":  {"mysql://u:p@h/db?tls=nowhere", "database address"},
		"FolderIsAFile":  {"sqlite:/dev/null/x.db", "folder of the database"},
		"PathIsAFolder":  {"sqlite:/", "opening"},
		"NotADatabase":   {"sqlite:/etc/hostname", "opening"},
		"BadURL":         {"mysql://%zz", "not a URL"},
		"PortIsNoNumber": {"mysql://u:p@h:port/db", "not a URL"},
	} {
		_, err := database.Open(t.Context(), c.address, database.Options{})
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "hunter2", "a password is never shown")
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	const servers = 4
	for name, address := range map[string]func(*testing.T) string{
		"SQLite": func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "x.db") },
		"MySQL":  func(t *testing.T) string { return mysqltest.FreshDatabase(t).AdminURL },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := address(t)
			applied, errs := make([]int, servers), make([]error, servers)
			var wait sync.WaitGroup
			for i := range servers {
				db, err := database.Open(t.Context(), url, database.Options{})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, db.Close()) })
				wait.Go(func() { applied[i], errs[i] = db.Migrate(context.Background()) })
			}
			wait.Wait()
			workers := 0
			for i := range servers {
				require.NoError(t, errs[i])
				if applied[i] > 0 {
					workers++
				}
			}
			require.Equal(t, 1, workers, "one server migrates, the others wait")
			db, err := database.Open(t.Context(), url, database.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, db.Close()) })
			pending, err := db.Pending(t.Context())
			require.NoError(t, err)
			require.False(t, pending)
			list, err := db.Migrations(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, list)
			for _, m := range list {
				require.False(t, m.AppliedAt.IsZero(), m.Name)
			}
		})
	}
}

// Migrations do not wait for the disk; what comes after them does.
func TestMigratedSQLiteSyncsEveryCommit(t *testing.T) {
	t.Parallel()
	db, err := database.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "x.db"), database.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Migrate(t.Context())
	require.NoError(t, err)
	const full = 2
	var synchronous int
	require.NoError(t, db.Writer().QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&synchronous))
	require.Equal(t, full, synchronous)
}

func TestOneServerOwnsASQLiteFile(t *testing.T) {
	t.Parallel()
	url := "sqlite:" + filepath.Join(t.TempDir(), "x.db")
	first, err := database.Open(t.Context(), url, database.Options{})
	require.NoError(t, err)
	require.NoError(t, first.Own())
	second, err := database.Open(t.Context(), url, database.Options{})
	require.NoError(t, err)
	require.ErrorIs(t, second.Own(), database.ErrOwned)
	require.NoError(t, first.Close())
	require.NoError(t, second.Own(), "the file is free when its owner ends")
	require.NoError(t, second.Close())
}

func TestClassify(t *testing.T) {
	t.Parallel()
	wrap := func(n uint16, message string) error {
		return fmt.Errorf("storing: %w", &mysql.MySQLError{Number: n, Message: message})
	}
	for name, c := range map[string]struct {
		err                                error
		transient, busy, unavailable, lost bool
	}{
		"Nothing":          {err: nil},
		"Other":            {err: errors.New("x")},
		"Deadlock":         {err: wrap(1213, ""), transient: true},
		"LockWait":         {err: wrap(1205, ""), transient: true, busy: true},
		"TiDBConflict":     {err: wrap(9007, ""), transient: true},
		"TiDBRetryable":    {err: wrap(8022, ""), transient: true},
		"TiDBLockLost":     {err: wrap(8002, ""), transient: true},
		"TiDBStaleWrite":   {err: wrap(8005, ""), transient: true},
		"TiDBNewSchema":    {err: wrap(8028, ""), transient: true},
		"TiDBNoPlacement":  {err: wrap(9001, ""), unavailable: true},
		"TiDBStoreTimeout": {err: wrap(9002, ""), unavailable: true},
		"TiDBNoRegion":     {err: wrap(9005, ""), unavailable: true},
		"LockedNoWait":     {err: wrap(3572, ""), transient: true, busy: true},
		"CommitFailed":     {err: wrap(1180, ""), unavailable: true},
		"Duplicate":        {err: wrap(1062, "")},
		"PartnerDeleted":   {err: wrap(1452, ""), lost: true},
		"PartnerInUse":     {err: wrap(1451, ""), lost: true},
		"TooMany":          {err: wrap(1040, ""), unavailable: true},
		"Shutdown":         {err: wrap(1053, ""), unavailable: true},
		"ReadOnly":         {err: wrap(1290, ""), unavailable: true},
		"DiskFull":         {err: wrap(1021, ""), unavailable: true},
		"FileFull":         {err: wrap(1114, ""), unavailable: true},
		"SaidCorrupt":      {err: wrap(1034, ""), unavailable: true},
		"NoUndoLog":        {err: wrap(1637, ""), unavailable: true},
		"NoTemporaryFile":  {err: wrap(1, ""), unavailable: true},
		"TemporaryFull":    {err: wrap(1878, ""), unavailable: true},
		"IdleTooLong":      {err: wrap(4031, ""), unavailable: true},
		"Killed":           {err: wrap(1927, ""), unavailable: true},
		"GaleraNotReady":   {err: wrap(1047, ""), unavailable: true},
		"BadConnection":    {err: fmt.Errorf("x: %w", driver.ErrBadConn), unavailable: true},
		"InvalidConn":      {err: mysql.ErrInvalidConn, unavailable: true},
		"Timeout":          {err: context.DeadlineExceeded, unavailable: true},
		"OutOfTime":        {err: fmt.Errorf("x: %w", sql.ErrTxDone), unavailable: true},
		"NoMemory":         {err: wrap(1037, ""), unavailable: true},
		"UnknownStatement": {err: wrap(1064, "")},
	} {
		require.Equal(t, c.transient, database.IsTransient(c.err), name)
		require.Equal(t, c.busy, database.IsLockBusy(c.err), name)
		require.Equal(t, c.unavailable, database.IsUnavailable(c.err), name)
		require.Equal(t, c.lost, database.IsLostReference(c.err), name)
	}
}

// Only what was lost on its way is sent once more: what took too long may still run.
func TestIsLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		lost bool
	}{
		"Nothing":       {nil, false},
		"Other":         {errors.New("x"), false},
		"BadConnection": {fmt.Errorf("x: %w", driver.ErrBadConn), true},
		"InvalidConn":   {mysql.ErrInvalidConn, true},
		"Refused":       {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, true},
		"Timeout":       {context.DeadlineExceeded, false},
		"TimeoutOfRead": {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, false},
		"IdleTooLong":   {&mysql.MySQLError{Number: 4031}, true},
		"Killed":        {&mysql.MySQLError{Number: 1927}, true},
		"LockWait":      {&mysql.MySQLError{Number: 1205}, false},
		"DiskFull":      {&mysql.MySQLError{Number: 1021}, false},
	} {
		require.Equal(t, c.lost, database.IsLost(c.err), name)
	}
}

func TestDuplicateIndex(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t).DB
	for message, want := range map[string]string{
		"Duplicate entry 'a-b' for key 'partners.partners_code'":        "partners_code",
		"Duplicate entry 'a-b' for key 'partners_code'":                 "partners_code",
		"Duplicate entry 'it''s ' for key ' x' for key 'PRIMARY'":       "PRIMARY",
		"Duplicate entry '\x01\x02' for key 'idempotency_keys.PRIMARY'": "PRIMARY",
	} {
		name, ok := db.DuplicateIndex(&mysql.MySQLError{Number: 1062, Message: message})
		require.True(t, ok)
		require.Equal(t, want, name)
	}
	_, ok := db.DuplicateIndex(errors.New("UNIQUE constraint failed"))
	require.False(t, ok, "text alone is no classification")
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		company := e.Company(t).Scope.Company()
		insert := "INSERT INTO users (id, email, locale, created_at) VALUES (?, ?, 'en', '2026-01-01')"
		_, err := e.DB.Writer().ExecContext(t.Context(), insert, company.ID, company.ID.String())
		require.NoError(t, err)
		_, err = e.DB.Writer().ExecContext(t.Context(), insert, make([]byte, 16), company.ID.String())
		name, ok := e.DB.DuplicateIndex(err)
		require.True(t, ok, err)
		require.Equal(t, "users_email", name)
	})
}

func TestOrphansAreFound(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID
	conn, err := e.DB.Writer().Conn(t.Context())
	require.NoError(t, err)
	for _, statement := range []string{
		"PRAGMA foreign_keys = OFF",
		"INSERT INTO memberships (company_id, id, user_id, role, created_at) VALUES (x'" + fmt.Sprintf("%x", company[:]) + "', x'00', x'01', 'admin', 'x')",
		"PRAGMA foreign_keys = ON",
	} {
		_, err := conn.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, conn.Close())
	keys, err := e.DB.ForeignKeys(t.Context())
	require.NoError(t, err)
	var lost int64
	for _, key := range keys {
		n, err := e.DB.Orphans(t.Context(), key)
		require.NoError(t, err)
		lost += n
	}
	require.EqualValues(t, 1, lost)
}
