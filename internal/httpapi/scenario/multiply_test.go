package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// ownMySQL is an engine on a database of its own, on the server that the tests share: what fills it slows nobody down.
func ownMySQL(t *testing.T) *testkit.Engine {
	t.Helper()
	fresh := mysqltest.FreshDatabase(t)
	admin, err := database.Open(t.Context(), fresh.AdminURL, database.Options{MaxConnections: 2})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, admin.Close()) })
	_, err = admin.Migrate(t.Context())
	require.NoError(t, err)
	require.NoError(t, admin.Grant(t.Context(), fresh.AppUser))
	db, err := database.Open(t.Context(), fresh.AppURL, database.Options{MaxConnections: 4})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	store := tenant.NewStore(db, clock.System{})
	return &testkit.Engine{Name: "MySQL", URL: fresh.AppURL, DB: db, Admin: admin, Store: store, System: tenant.NewSystem(store)}
}

// fixedTables are those that a company has few rows of, however large it is.
var fixedTables = map[string]bool{
	"memberships": true, "api_keys": true, "number_series": true, "ledger_accounts": true, "posting_rules": true, "ledger_periods": true,
	"exchange_rates": true, "chart_versions": true, "webhook_subscriptions": true, "bank_accounts": true, "asset_groups": true,
	"account_turnovers": true, "eu_vat_rates": true, "file_chunks": true, "export_file_chunks": true, "export_files": true,
}

// fixedIDs name rows of those tables.
var fixedIDs = map[string]bool{
	"account_id": true, "series_id": true, "bank_account_id": true, "group_id": true, "subscription_id": true, "parent_id": true,
}

// words are columns of few values that stand in unique indexes.
var words = map[string]bool{
	"currency": true, "channel": true, "provider": true, "document_type": true, "event": true, "prefix": true, "format": true, "obligation": true,
}

// grown are the tables that a company has many rows of.
func grown(t *testing.T, e *testkit.Engine) []string {
	t.Helper()
	tables, err := e.Admin.TenantTables(t.Context())
	require.NoError(t, err)
	return slices.DeleteFunc(tables, func(table string) bool { return fixedTables[table] })
}

// column is what the catalogue of MySQL says of a column.
type column struct {
	name, kind string
	width      int64
	unique     bool
}

func columnsOf(t *testing.T, e *testkit.Engine, table string) []column {
	t.Helper()
	rows, err := e.Admin.Reader().QueryContext(t.Context(), `SELECT c.column_name, c.data_type, COALESCE(c.character_maximum_length, 0),
		EXISTS (SELECT 1 FROM information_schema.statistics s WHERE s.table_schema = c.table_schema AND s.table_name = c.table_name
			AND s.column_name = c.column_name AND s.non_unique = 0)
		FROM information_schema.columns c WHERE c.table_schema = DATABASE() AND c.table_name = ? AND c.extra NOT LIKE '%GENERATED%'
		ORDER BY c.ordinal_position`, table)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var columns []column
	for rows.Next() {
		var c column
		require.NoError(t, rows.Scan(&c.name, &c.kind, &c.width, &c.unique))
		columns = append(columns, c)
	}
	require.NoError(t, rows.Err())
	return columns
}

// named are columns of many values that stand in no unique index.
var named = map[string]bool{"document_number": true, "charge_id": true, "counterparty_iban": true, "similar_key": true}

// copied is the expression that gives the column of a copy in one round of doubling: ids of copies refer to copies.
func (c column) copied(round int, otherCompany bool) string {
	const span = 1000 // more than any count in a seed
	switch {
	case c.name == "company_id":
		if otherCompany {
			return fmt.Sprintf("UNHEX(LEFT(SHA2(CONCAT(HEX(company_id), '%d'), 256), 32))", round)
		}
	case c.name == "id" && c.kind == "bigint":
		return fmt.Sprintf("id - %d", 10_000_000_000<<round)
	case c.kind == "binary" && c.width == 16:
		if !fixedIDs[c.name] {
			return fmt.Sprintf("UNHEX(LEFT(SHA2(CONCAT(HEX(%s), '%d'), 256), 32))", c.name, round)
		}
	case (c.kind == "binary" || c.kind == "varbinary") && c.unique:
		return fmt.Sprintf("UNHEX(SHA2(CONCAT(HEX(%s), '%d'), 256))", c.name, round)
	case c.kind == "varchar" && (c.unique || named[c.name]) && !words[c.name] && c.width > 6:
		return fmt.Sprintf("LEFT(SHA2(CONCAT(%s, '%d'), 256), %d)", c.name, round, min(c.width, 24))
	case c.name == "number":
		return fmt.Sprintf("number + %d", span<<round)
	case c.kind == "date":
		return fmt.Sprintf("%s - INTERVAL %d DAY", c.name, 29*(round+1))
	}
	return c.name
}

// doneWith are the columns of what is done with in time: of copies, nothing waits for a server, and little is owed.
var doneWith = map[string]string{
	"open_items.open_minor":           "IF(CRC32(id) % 16 = 0, open_minor, 0)",
	"outbox_events.fanned_out_at":     "COALESCE(fanned_out_at, created_at)",
	"webhook_deliveries.status":       "'delivered'",
	"webhook_deliveries.delivered_at": "COALESCE(delivered_at, created_at)",
	"webhook_deliveries.claim":        "NULL",
	"webhook_deliveries.claimed_at":   "NULL",
}

// multiply doubles the rows of every table that grows, over and over: first into other companies, then within each.
func multiply(t *testing.T, e *testkit.Engine, companies, rounds int) {
	t.Helper()
	ctx := context.Background()
	conn, err := e.Admin.Writer().Conn(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	execute := func(statement string) {
		_, err := conn.ExecContext(ctx, statement)
		require.NoError(t, err, statement)
	}
	// Copies refer to copies, which come later, and the other companies are not in the table of companies.
	execute("SET SESSION foreign_key_checks = 0, unique_checks = 0")
	for _, table := range grown(t, e) {
		columns := columnsOf(t, e, table)
		names := make([]string, len(columns))
		for i, c := range columns {
			names[i] = c.name
		}
		for round := range companies + rounds {
			values := make([]string, len(columns))
			for i, c := range columns {
				values[i] = c.copied(round, round < companies)
				if done, ok := doneWith[table+"."+c.name]; ok {
					values[i] = done
				}
			}
			execute(fmt.Sprintf("INSERT INTO %[1]s (%[2]s) SELECT %[3]s FROM %[1]s", table, strings.Join(names, ", "), strings.Join(values, ", ")))
		}
	}
	execute("ANALYZE TABLE " + strings.Join(grown(t, e), ", "))
}

// rowsOf counts the rows of each table that grows.
func rowsOf(t *testing.T, e *testkit.Engine) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, table := range grown(t, e) {
		var n int64
		require.NoError(t, e.Admin.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n))
		counts[table] = n
	}
	return counts
}
