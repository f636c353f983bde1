package database

import (
	"context"
	"fmt"
)

// KeepsConstraints refuses a database that would read the CHECK constraints and foreign keys of the schema and not hold rows
// to them: TiDB, unless told to; whatever engine had its checks turned off for good; and MySQL from 9.6 on, whose own foreign
// keys, in place of InnoDB's, let in a row that refers to a missing row of its own table when both keys begin with the same
// column, as all of ours do.
func (db *DB) KeepsConstraints(ctx context.Context) error {
	if db.dialect == SQLite {
		return nil
	}
	// The variables of all engines, as in Writable.
	rows, err := db.writer.QueryContext(ctx, `SHOW GLOBAL VARIABLES WHERE variable_name IN ('foreign_key_checks',
		'innodb_native_foreign_keys', 'check_constraint_checks', 'tidb_enable_check_constraint', 'tidb_enable_foreign_key')
		AND value NOT IN ('ON', '1')`)
	if err != nil {
		return fmt.Errorf("asking what the database keeps of a schema: %w", err)
	}
	defer func() { _ = rows.Close() }()
	if rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return fmt.Errorf("reading what the database keeps of a schema: %w", err)
		}
		return fmt.Errorf("the database would not hold rows to every constraint of the schema: turn its variable %s on, "+
			"by SET GLOBAL or where it is started, and begin again", name)
	}
	return rows.Err() //nolint:wrapcheck // says what was asked
}
