package backup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/migrations"
)

// Purge removes every row of a company, in one transaction that begins with the given check, which must lock the company.
// People stay: they are the server's. It needs a user who may delete from tables that only grow; on SQLite their guards
// are lifted and put back in the same transaction, so that nobody ever sees them missing. What it gives are the rows removed.
func Purge(ctx context.Context, y tenant.System, id tenant.ID, actor string, check func(context.Context, tenant.Tx) error) (int64, error) {
	db := y.Store().Database()
	order, err := childrenFirst(ctx, db)
	if err != nil {
		return 0, err
	}
	begun, tx, err := y.BeginWhole(ctx, id, actor)
	if err != nil {
		return 0, err //nolint:wrapcheck // says what failed already
	}
	p := purger{tx: tx, isSQLite: db.Dialect() == database.SQLite, company: id, order: order}
	removed, err := p.run(ctx, func() error { return check(ctx, begun.Tx) })
	if err != nil {
		begun.Rollback(ctx)
		return 0, err
	}
	return removed, begun.Commit(ctx) //nolint:wrapcheck // the commit says what it is
}

type purger struct {
	tx       *database.Tx
	isSQLite bool
	company  tenant.ID
	order    []string
}

func (p purger) run(ctx context.Context, check func() error) (removed int64, err error) {
	if err := check(); err != nil {
		return 0, err
	}
	if err := follow(ctx, p.tx, p.isSQLite, false); err != nil {
		return 0, err
	}
	defer func() {
		if followErr := follow(ctx, p.tx, p.isSQLite, true); err == nil {
			err = followErr
		}
	}()
	guards, err := lift(ctx, p.tx, p.isSQLite, migrations.AppendOnly)
	if err != nil {
		return 0, err
	}
	for _, name := range p.order {
		result, err := p.tx.ExecContext(ctx, "DELETE FROM "+quoted([]string{name})+" WHERE "+tenant.OwnPredicate(name), p.company)
		if err != nil {
			return 0, fmt.Errorf("removing from %s: %w", name, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, fmt.Errorf("counting what was removed from %s: %w", name, err)
		}
		removed += n
	}
	return removed, putBack(ctx, p.tx, guards)
}

// childrenFirst orders the tables of companies so that none is emptied before those that refer to it; a table may refer to
// itself. The company comes last.
func childrenFirst(ctx context.Context, db *database.DB) ([]string, error) {
	owned, err := db.TenantTables(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	keys, err := db.ForeignKeys(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	left := append(owned, lastTable)
	var order []string
	for len(left) > 0 {
		free := slices.DeleteFunc(slices.Clone(left), func(name string) bool {
			return slices.ContainsFunc(keys, func(k database.ForeignKey) bool {
				return k.References == name && k.Table != name && slices.Contains(left, k.Table)
			})
		})
		if len(free) == 0 {
			return nil, fmt.Errorf("the tables %s refer to each other in a circle", strings.Join(left, ", "))
		}
		order = append(order, free...)
		left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(free, name) })
	}
	return order, nil
}
