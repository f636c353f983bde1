package database

import (
	"context"
	"fmt"
	"strings"
)

// ForeignKey is a reference from one table to another.
type ForeignKey struct {
	Table      string
	Columns    []string
	References string
	Referenced []string
}

func (k ForeignKey) String() string {
	return fmt.Sprintf("%s (%s) to %s", k.Table, strings.Join(k.Columns, ", "), k.References)
}

// ForeignKeys lists every reference of the schema.
func (db *DB) ForeignKeys(ctx context.Context) ([]ForeignKey, error) {
	query := `SELECT m.name AS table_name, m.name || '.' || f.id AS name, f."from" AS column_name, f."table" AS references_table,
		f."to" AS referenced_column FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' ORDER BY m.name, f.id, f.seq`
	if db.dialect == MySQL {
		query = `SELECT table_name AS table_name, constraint_name AS name, column_name AS column_name,
			referenced_table_name AS references_table, referenced_column_name AS referenced_column
			FROM information_schema.key_column_usage
			WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
			ORDER BY table_name, constraint_name, ordinal_position`
	}
	var columns []struct{ TableName, Name, ColumnName, ReferencesTable, ReferencedColumn string }
	if err := db.ORM(ctx, db.reader).Raw(query).Scan(&columns).Error; err != nil {
		return nil, fmt.Errorf("listing foreign keys: %w", err)
	}
	var keys []ForeignKey
	last := ""
	for _, c := range columns {
		if c.TableName+"."+c.Name != last {
			keys = append(keys, ForeignKey{Table: c.TableName, References: c.ReferencesTable})
			last = c.TableName + "." + c.Name
		}
		k := &keys[len(keys)-1]
		k.Columns, k.Referenced = append(k.Columns, c.ColumnName), append(k.Referenced, c.ReferencedColumn)
	}
	return keys, nil
}

// Orphans counts the rows whose reference leads nowhere.
func (db *DB) Orphans(ctx context.Context, k ForeignKey) (int64, error) {
	return orphans(ctx, db.reader, k, "")
}

// OrphansOf counts those of one company, as a pool or a transaction sees them. The table must belong to companies.
func (*DB) OrphansOf(ctx context.Context, q querier, k ForeignKey, company []byte) (int64, error) {
	return orphans(ctx, q, k, "c.company_id = ? AND ", company)
}

func orphans(ctx context.Context, q querier, k ForeignKey, which string, args ...any) (int64, error) {
	set, same := make([]string, len(k.Columns)), make([]string, len(k.Columns))
	for i := range k.Columns {
		set[i] = "c." + k.Columns[i] + " IS NOT NULL"
		same[i] = "p." + k.Referenced[i] + " = c." + k.Columns[i]
	}
	query := fmt.Sprintf("SELECT COUNT(*) FROM %s c WHERE %s%s AND NOT EXISTS (SELECT 1 FROM %s p WHERE %s)",
		k.Table, which, strings.Join(set, " AND "), k.References, strings.Join(same, " AND "))
	var n int64
	if err := q.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("following %s: %w", k, err)
	}
	return n, nil
}
