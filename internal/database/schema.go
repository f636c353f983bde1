package database

import (
	"context"
	"fmt"
	"slices"
)

// UniqueIndex is a unique index or primary key with its columns in order.
type UniqueIndex struct {
	Table     string
	Name      string
	IsPrimary bool
	Columns   []string
}

// Tables lists every table with its columns in order.
func (db *DB) Tables(ctx context.Context) (map[string][]string, error) {
	query := `SELECT m.name AS table_name, c.name AS column_name FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.name, c.cid`
	if db.dialect == MySQL {
		query = `SELECT table_name AS table_name, column_name AS column_name FROM information_schema.columns
			WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`
	}
	var rows []struct{ TableName, ColumnName string }
	if err := db.ORM(ctx, db.reader).Raw(query).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("listing tables: %w", err)
	}
	tables := map[string][]string{}
	for _, r := range rows {
		tables[r.TableName] = append(tables[r.TableName], r.ColumnName)
	}
	return tables, nil
}

// UniqueIndexes lists every unique index and primary key.
func (db *DB) UniqueIndexes(ctx context.Context) ([]UniqueIndex, error) {
	query := `SELECT m.name AS table_name, l.name AS index_name, l.origin = 'pk' AS is_primary, i.name AS column_name
		FROM sqlite_schema m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
		WHERE m.type = 'table' AND l."unique" = 1 ORDER BY m.name, l.name, i.seqno`
	if db.dialect == MySQL {
		query = `SELECT table_name AS table_name, index_name AS index_name, index_name = 'PRIMARY' AS is_primary, column_name AS column_name
			FROM information_schema.statistics WHERE table_schema = DATABASE() AND non_unique = 0
			ORDER BY table_name, index_name, seq_in_index`
	}
	var rows []struct {
		TableName, IndexName, ColumnName string
		IsPrimary                        bool
	}
	if err := db.ORM(ctx, db.reader).Raw(query).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("listing unique indexes: %w", err)
	}
	var list []UniqueIndex
	for _, r := range rows {
		if n := len(list); n == 0 || list[n-1].Table != r.TableName || list[n-1].Name != r.IndexName {
			list = append(list, UniqueIndex{Table: r.TableName, Name: r.IndexName, IsPrimary: r.IsPrimary})
		}
		last := &list[len(list)-1]
		last.Columns = append(last.Columns, r.ColumnName)
	}
	return list, nil
}

// TenantTables lists the tables whose rows belong to a company.
func (db *DB) TenantTables(ctx context.Context) ([]string, error) {
	tables, err := db.Tables(ctx)
	if err != nil {
		return nil, err
	}
	var owned []string
	for table, columns := range tables {
		if slices.Contains(columns, "company_id") {
			owned = append(owned, table)
		}
	}
	slices.Sort(owned)
	return owned, nil
}
