package backup

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrCompanyExists says that the company of a file is there already.
var ErrCompanyExists = errors.New("the company exists in this database already; nothing was imported")

// CheckCompany reads a company's file to its end and gives the company. Error: ErrDamaged.
func CheckCompany(file io.Reader) (tenant.ID, Header, Totals, error) {
	found, totals, err := check(file, companyFormat)
	if err != nil {
		return tenant.ID{}, found, totals, err
	}
	id, err := tenant.ParseID(found.Company)
	if err != nil {
		return id, found, totals, damaged("its company: %v", err)
	}
	return id, found, totals, nil
}

// ImportCompany checks a company's file to its end and stores all of it in one transaction, which ends with the given
// check, so that a company is there whole and in order, or not at all. Every row must be of that company. People are known
// by their id, then by their e-mail address; who is known stays as they are. Errors: ErrDamaged, ErrCompanyExists.
func ImportCompany(
	ctx context.Context, y tenant.System, file io.ReadSeeker, actor string, check func(context.Context, tenant.Tx, Header, Totals) error,
) (tenant.ID, Totals, error) {
	id, header, totals, err := CheckCompany(file)
	if err != nil {
		return id, totals, err
	}
	db := y.Store().Database()
	if err := requireSchema(ctx, db, header); err != nil {
		return id, totals, err
	}
	list, err := companyTables(ctx, db)
	if err != nil {
		return id, totals, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return id, totals, fmt.Errorf("reading the file again: %w", err)
	}
	begun, tx, err := y.BeginWhole(ctx, id, actor)
	if err != nil {
		return id, totals, err //nolint:wrapcheck // says what failed already
	}
	i := &importer{restorer: restorer{ctx: ctx, tx: tx, isSQLite: db.Dialect() == database.SQLite, known: list}, db: tx, company: id}
	err = i.all(file)
	if err == nil {
		err = check(ctx, begun.Tx, header, totals)
	}
	if followErr := follow(ctx, tx, i.isSQLite, true); err == nil {
		err = followErr
	}
	if err != nil {
		begun.Rollback(ctx)
		return id, totals, err
	}
	return id, totals, begun.Commit(ctx) //nolint:wrapcheck // the commit says what it is
}

func requireSchema(ctx context.Context, db *database.DB, found Header) error {
	schema, err := db.SchemaVersion(ctx, db.Reader())
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if schema != found.Schema {
		return fmt.Errorf("the file is of schema %d and the database has %d; bring both servers to one version (the file is from %s) and export again",
			found.Schema, schema, found.Server)
	}
	return nil
}

// follow makes the session follow references or not: neither tables nor rows are ordered by them. SQLite follows all of them
// at commit. On MySQL the session must be put back before the connection is used for anything else.
func follow(ctx context.Context, tx *database.Tx, isSQLite, yes bool) error {
	statement := "SET SESSION foreign_key_checks = 0"
	switch {
	case isSQLite && yes:
		return nil
	case isSQLite:
		statement = "PRAGMA defer_foreign_keys = ON"
	case yes:
		statement, ctx = "SET SESSION foreign_key_checks = 1", context.WithoutCancel(ctx)
	}
	if _, err := tx.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("preparing the session: %w", err)
	}
	return nil
}

// importer stores the rows of one company.
type importer struct {
	restorer
	db      *database.Tx
	company tenant.ID
	// moved are people who are known here under another id.
	moved map[tenant.ID]tenant.ID
	name  string
}

func (i *importer) all(file io.Reader) error {
	if err := follow(i.ctx, i.db, i.isSQLite, false); err != nil {
		return err
	}
	var one int
	err := i.db.QueryRowContext(i.ctx, "SELECT 1 FROM companies WHERE id = ?", i.company).Scan(&one)
	if err == nil {
		return ErrCompanyExists
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("looking for the company: %w", err)
	}
	i.moved = map[tenant.ID]tenant.ID{}
	totals, err := walk(file, companyFormat, i)
	if err == nil && totals.Tables != int64(len(i.known)) {
		err = fmt.Errorf("the file has %d tables and the database %d", totals.Tables, len(i.known))
	}
	return err
}

func (i *importer) table(name string, columns []column) error {
	i.name = name
	return i.restorer.table(name, columns)
}

// row checks whose a row is before it is stored: a file may come from anywhere.
func (i *importer) row(columns []column, values []jsontext.Value) error {
	row, err := storedRow(columns, values)
	if err != nil {
		return err
	}
	owner := "company_id"
	switch i.name {
	case people:
		known, err := i.person(columns, row)
		if err != nil || known {
			return err
		}
		return i.keep(row, values)
	case lastTable:
		owner = "id"
	case "memberships":
		i.move(columns, row)
	}
	if id, ok := at(columns, row, owner).([]byte); !ok || !bytes.Equal(id, i.company[:]) {
		return damaged("a row of %s is not of the company %s", i.name, i.company)
	}
	return i.keep(row, values)
}

func at(columns []column, row []any, name string) any {
	for i, c := range columns {
		if c.Name == name {
			return row[i]
		}
	}
	return nil
}

// person finds somebody who is known here: by id, or else by e-mail address.
func (i *importer) person(columns []column, row []any) (known bool, err error) {
	id, ok := at(columns, row, "id").([]byte)
	email, _ := at(columns, row, "email").(string)
	if !ok || len(id) != len(tenant.ID{}) || email == "" {
		return false, damaged("a user without id or e-mail address")
	}
	var found tenant.ID
	err = i.db.QueryRowContext(i.ctx, "SELECT id FROM users WHERE id = ? OR email = ? ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END LIMIT 1",
		id, email, id).Scan(&found)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for a user: %w", err)
	}
	i.moved[tenant.ID(id)] = found
	return true, nil
}

// move gives a membership to whom the person is here.
func (i *importer) move(columns []column, row []any) {
	for j, c := range columns {
		id, ok := row[j].([]byte)
		if c.Name != "user_id" || !ok || len(id) != len(tenant.ID{}) {
			continue
		}
		if found, isMoved := i.moved[tenant.ID(id)]; isMoved {
			row[j] = found[:]
		}
	}
}
