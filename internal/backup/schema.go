package backup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/database"
)

// bookkeeping are tables that say where the schema stands; a restore finds them filled.
var bookkeeping = []string{"goose_db_version", "migration_lock"}

// lastTable is restored last: without companies nobody is let in, so a restore that broke off serves nobody.
const lastTable = "companies"

// table is one of the schema.
type table struct {
	name    string
	columns []string
	order   []string // primary key
}

// tables lists what a backup holds, in the order of the file. Columns are sorted by name, so that the file does not depend
// on the order in which an engine's migrations made them.
func tables(ctx context.Context, db *database.DB) ([]table, error) {
	columns, err := db.Tables(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	indexes, err := db.UniqueIndexes(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	var list []table
	for name, of := range columns {
		if slices.Contains(bookkeeping, name) {
			continue
		}
		t := table{name: name, columns: slices.Sorted(slices.Values(of))}
		for _, index := range indexes {
			if index.Table == name && index.IsPrimary {
				t.order = index.Columns
			}
		}
		if t.order == nil {
			return nil, fmt.Errorf("table %s has no primary key to order its rows by", name)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b table) int {
		if isLast := a.name == lastTable; isLast != (b.name == lastTable) {
			if isLast {
				return 1
			}
			return -1
		}
		return strings.Compare(a.name, b.name)
	})
	return list, nil
}

// quoted joins names for a statement. Every engine of ours takes backticks.
func quoted(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
