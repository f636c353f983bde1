package tenant

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/database"
)

// What this file does is about a company as a whole: moving it to another server and removing it. The tables are those that
// the schema has, so the statements are made at run time, and the company is put into each of them here.

// BeginWhole opens a transaction of the operator in a company that need not exist yet, and gives its connection too, for
// statements that are made of the schema. Its owner must call Commit or Rollback exactly once.
func (y System) BeginWhole(ctx context.Context, company ID, actor string) (*Begun, *database.Tx, error) {
	return y.BeginAs(ctx, operator(Company{ID: company}, actor))
}

// BeginAs is BeginWhole in a company that exists.
func (y System) BeginAs(ctx context.Context, scope Scope) (*Begun, *database.Tx, error) {
	begun, err := y.store.Begin(ctx, scope)
	if err != nil {
		return nil, nil, err
	}
	return begun, begun.h.sql, nil
}

// OwnTable names a table of the schema and the columns to read of it.
type OwnTable struct {
	Name    string
	Columns []string
	Order   []string
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// OwnRows reads what a table has of the company: of companies its row, of users its members, of every other table the rows
// that bear its id. The caller closes the rows.
func OwnRows(ctx context.Context, r Reader, t OwnTable) (*sql.Rows, error) {
	for _, name := range slices.Concat([]string{t.Name}, t.Columns, t.Order) {
		if !identifier.MatchString(name) {
			return nil, fmt.Errorf("%q is no name of the schema", name)
		}
	}
	query := "SELECT `" + strings.Join(t.Columns, "`, `") + "` FROM `" + t.Name + "` WHERE " + OwnPredicate(t.Name) +
		" ORDER BY `" + strings.Join(t.Order, "`, `") + "`"
	h := r.handle()
	rows, err := h.sql.QueryContext(ctx, query, h.scope.s.company.ID)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", t.Name, err)
	}
	return rows, nil
}

// OwnPredicate is the condition of a table for rows of one company, with one place for its id.
func OwnPredicate(table string) string {
	switch table {
	case "companies":
		return "id = ?"
	case "users":
		return "id IN (SELECT m.user_id FROM memberships m WHERE m.company_id = ?)"
	}
	return "company_id = ?"
}

// VerifyOwn is Verify for one company, as its transaction sees it: also what is not committed yet.
func VerifyOwn(ctx context.Context, r Reader, invariants []Invariant) ([]Breach, error) {
	h := r.handle()
	company := h.scope.s.company.ID
	var breaches []Breach
	for _, invariant := range invariants {
		var rows []Breach
		query := "SELECT * FROM (" + prepare(h.db, invariant.Broken).sql + ") broken WHERE broken.company_id = ?"
		if err := h.orm.WithContext(ctx).Raw(query, company).Scan(&rows).Error; err != nil {
			return nil, fmt.Errorf("checking that %s: %w", invariant.Name, err)
		}
		for _, row := range rows {
			row.Invariant = invariant.Name
			breaches = append(breaches, row)
		}
	}
	keys, err := h.db.ForeignKeys(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	owned, err := h.db.TenantTables(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	for _, key := range keys {
		if !slices.Contains(owned, key.Table) {
			continue
		}
		lost, err := h.db.OrphansOf(ctx, h.sql, key, company[:])
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was read
		}
		if lost > 0 {
			breaches = append(breaches, Breach{Invariant: referencesHold, CompanyID: company, Subject: fmt.Sprintf("%d rows by %s", lost, key)})
		}
	}
	return breaches, nil
}
