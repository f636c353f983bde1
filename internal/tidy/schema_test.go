package tidy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/migrations"
)

// shared are the tables that belong to no company, each with the reason.
var shared = map[string]string{
	"companies":            "a company is its own tenant",
	"users":                "a person may work for several companies",
	"user_passwords":       "as users",
	"login_links":          "asked for before anybody knows who asks",
	"sessions":             "a session moves between the companies of its user",
	"sign_in_attempts":     "counted before anybody knows who tries",
	"integration_requests": "sent by strangers to the operator",
	"goose_db_version":     "the version of the schema",
	"migration_lock":       "lets one server migrate at a time",
}

// otherKeys are the tables whose primary key is not (company_id, id), each with the reason.
var otherKeys = map[string]string{
	"idempotency_keys": "found by its key alone, on the hottest path",
}

func TestSchema(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		tables, err := e.Admin.Tables(t.Context())
		require.NoError(t, err)
		indexes, err := e.Admin.UniqueIndexes(t.Context())
		require.NoError(t, err)
		keys, err := e.Admin.ForeignKeys(t.Context())
		require.NoError(t, err)
		for table, columns := range tables {
			if _, ok := shared[table]; !ok {
				require.Contains(t, columns, "company_id", "%s: every table belongs to a company", table)
			}
		}
		for _, index := range indexes {
			if _, ok := shared[index.Table]; ok {
				continue
			}
			require.Equal(t, "company_id", index.Columns[0], "%s.%s: a key begins with the company", index.Table, index.Name)
			if _, ok := otherKeys[index.Table]; index.IsPrimary && !ok {
				require.Equal(t, []string{"company_id", "id"}, index.Columns, index.Table)
			}
		}
		for _, key := range keys {
			if _, ok := shared[key.References]; ok {
				continue
			}
			require.Equal(t, "company_id", key.Columns[0], "%s: a reference carries the company", key)
			require.Equal(t, "company_id", key.Referenced[0], "%s: a reference carries the company", key)
		}
	})
}

func TestEnginesHaveTheSameSchema(t *testing.T) {
	t.Parallel()
	lite, err := testkit.SQLite(t).Admin.Tables(t.Context())
	require.NoError(t, err)
	my, err := testkit.MySQL(t).Admin.Tables(t.Context())
	require.NoError(t, err)
	delete(my, "migration_lock")
	delete(lite, "goose_db_version")
	delete(my, "goose_db_version")
	require.Equal(t, my, lite)
}

// The database itself refuses to change what must never change, to the user that the server and these tests work as.
func TestAppendOnlyTablesRefuseChanges(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		tables, err := e.Admin.Tables(t.Context())
		require.NoError(t, err)
		audited := e.Company(t)
		_, err = e.Admin.Writer().ExecContext(t.Context(), `INSERT INTO audit_log
			(company_id, id, actor_type, actor_id, action, entity, request_id, created_at) VALUES (?, 1, 'system', 'a', 'a', 'a', 'a', '2026-01-01')`,
			audited.Scope.Company().ID)
		require.NoError(t, err)
		for _, table := range migrations.AppendOnly {
			require.Contains(t, tables, table)
			if e.Name == "SQLite" && table != "audit_log" {
				requireTriggers(t, e, table) // a trigger speaks only when there is a row
				continue
			}
			for _, statement := range []string{"UPDATE " + table + " SET company_id = company_id", "DELETE FROM " + table} {
				_, err := e.DB.Writer().ExecContext(t.Context(), statement)
				require.Error(t, err, statement)
				require.True(t, strings.Contains(err.Error(), "denied") || strings.Contains(err.Error(), "append-only"), err.Error())
			}
		}
	})
}

func requireTriggers(t *testing.T, e *testkit.Engine, table string) {
	t.Helper()
	var n int
	require.NoError(t, e.DB.Reader().QueryRowContext(t.Context(),
		"SELECT COUNT(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? AND sql LIKE '%RAISE(ABORT%'", table).Scan(&n))
	require.Equal(t, 2, n, "%s needs a trigger for UPDATE and one for DELETE", table)
}

// A reference to another company's row is refused by the database, whatever the program does.
func TestReferencesAcrossCompaniesAreRefused(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		a, b := e.Company(t).Scope.Company().ID, e.Company(t).Scope.Company().ID
		parent := tenant.NewID()
		insert := `INSERT INTO ledger_accounts (company_id, id, code, name, type, parent_id, is_postable, created_at)
			VALUES (?, ?, ?, 'x', 'asset', ?, 1, '2026-01-01 00:00:00.000000')`
		_, err := e.Admin.Writer().ExecContext(t.Context(), insert, a, parent, "1", nil)
		require.NoError(t, err)
		_, err = e.Admin.Writer().ExecContext(t.Context(), insert, a, tenant.NewID(), "2", parent)
		require.NoError(t, err)
		_, err = e.Admin.Writer().ExecContext(t.Context(), insert, b, tenant.NewID(), "3", parent)
		require.Error(t, err)
	})
}

func TestMigrationFilesArePaired(t *testing.T) {
	t.Parallel()
	lite, err := migrations.Files.ReadDir("sqlite")
	require.NoError(t, err)
	my, err := migrations.Files.ReadDir("mysql")
	require.NoError(t, err)
	names := func(n int, name func(int) string) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = name(i)
		}
		slices.Sort(list)
		return list
	}
	require.Equal(t, names(len(my), func(i int) string { return my[i].Name() }), names(len(lite), func(i int) string { return lite[i].Name() }))
	for _, f := range my {
		text, err := migrations.Files.ReadFile("mysql/" + f.Name())
		require.NoError(t, err)
		statements := 0
		for line := range strings.Lines(string(text)) {
			if trimmed := strings.TrimSpace(line); strings.HasSuffix(trimmed, ";") && !strings.HasPrefix(trimmed, "--") {
				statements++
			}
		}
		require.Equal(t, 1, statements, "%s: each DDL commits by itself, so a file holds one", f.Name())
	}
}
