package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"time"
)

// Tx is a transaction on a connection of its own. Statements that nobody waits for are kept by Later and travel ahead of the
// next one that somebody does wait for, BEGIN included: in one round trip where the engine takes several statements at once, one
// after the other where it does not. Their order never changes, so neither does what they lock and see.
//
// Whoever begins it calls Commit or Rollback, once. It is for one goroutine.
type Tx struct {
	pool  *sql.DB
	conn  *sql.Conn
	reads bool // it changes nothing
	joins bool // the engine takes several statements in one round trip
	begun bool // something was sent
	met   bool // what was sent first was done
	kept  []statement
	bytes int // of text and values in kept
}

type statement struct {
	query string
	args  []any
}

// maxKeptBytes bounds one round trip far below the packets that engines take. What is larger goes by itself.
const maxKeptBytes = 1 << 20

// rollbackPatience bounds the wait for a rollback, after which the connection is closed instead.
const rollbackPatience = 5 * time.Second

// Begin opens a transaction that writes. The wait for a connection is bounded.
func (db *DB) Begin(ctx context.Context) (*Tx, error) {
	if db.dialect == SQLite {
		return begin(ctx, &Tx{pool: db.writer}, "BEGIN IMMEDIATE")
	}
	return begin(ctx, &Tx{pool: db.writer, joins: db.engine.joins()}, "START TRANSACTION")
}

// BeginSnapshot opens a transaction that reads and sees one moment: that of its first query.
func (db *DB) BeginSnapshot(ctx context.Context) (*Tx, error) {
	if db.dialect == SQLite {
		return begin(ctx, &Tx{pool: db.reader, reads: true}, "BEGIN")
	}
	return begin(ctx, &Tx{pool: db.reader, reads: true, joins: db.engine.joins()}, db.engine.readOnly())
}

func begin(ctx context.Context, t *Tx, query string) (*Tx, error) {
	var err error
	if t.conn, err = Acquire(ctx, t.pool); err != nil {
		return nil, err
	}
	t.kept = []statement{{query: query}}
	return t, nil
}

// Later keeps a statement that answers no rows and whose outcome nobody waits for. An error of it comes back from the statement
// that it travels with, at the latest from Commit.
func (t *Tx) Later(ctx context.Context, query string, args ...any) error {
	size := weight(query, args)
	if t.bytes+size > maxKeptBytes {
		_, err := t.ExecContext(ctx, query, args...)
		return err
	}
	t.kept, t.bytes = append(t.kept, statement{query, args}), t.bytes+size
	return nil
}

// ExecContext runs what is kept and then a statement, whose result it returns.
func (t *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	query, args, err := t.ahead(ctx, query, args)
	if err != nil {
		return nil, err
	}
	result, err := t.send(ctx, query, args)
	t.met = t.met || err == nil
	return result, err
}

// send runs a text, on another connection when it is the first and its own was broken.
func (t *Tx) send(ctx context.Context, query string, args []any) (sql.Result, error) {
	isFirst := !t.begun
	t.begun = true
	result, err := t.conn.ExecContext(ctx, query, args...)
	if isFirst && t.replaces(ctx, err) {
		result, err = t.conn.ExecContext(ctx, query, args...)
	}
	return result, err //nolint:wrapcheck // a pool of the mapper returns what the driver says
}

// QueryContext runs what is kept and then a query, whose rows it returns. The driver passes over results without rows.
func (t *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	query, args, err := t.ahead(ctx, query, args)
	if err != nil {
		return nil, err
	}
	isFirst := !t.begun
	t.begun = true
	rows, err := t.conn.QueryContext(ctx, query, args...)
	if isFirst && t.replaces(ctx, err) {
		rows, err = t.conn.QueryContext(ctx, query, args...)
	}
	t.met = t.met || err == nil
	return rows, err //nolint:wrapcheck // a pool of the mapper returns what the driver says
}

// replaces takes another connection after the first statement found its own broken, as one may be that lay in the pool; then the
// statement may be sent once more. One that writes may not when it can have arrived: its own lock would be in its way.
func (t *Tx) replaces(ctx context.Context, err error) bool {
	if !errors.Is(err, driver.ErrBadConn) && (!t.reads || !IsLost(err)) {
		return false
	}
	conn, err := Acquire(ctx, t.pool)
	if err != nil {
		return false
	}
	_ = t.conn.Close()
	t.conn = conn
	return true
}

// QueryRow runs what is kept and then a query, and reads its first row into dest. Error: sql.ErrNoRows.
func (t *Tx) QueryRow(ctx context.Context, query string, args, dest []any) error {
	rows, err := t.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err //nolint:wrapcheck // as a row says it
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(dest...); err != nil {
		return err //nolint:wrapcheck // as a row says it
	}
	return rows.Close() //nolint:wrapcheck // as a row says it
}

// QueryRowContext is what the mapper asks of a pool. Nothing of ours does: a row cannot carry the error of what was kept.
func (t *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if err := t.Flush(ctx); err != nil {
		failed, cancel := context.WithCancelCause(ctx)
		cancel(err)
		ctx = failed
	}
	return t.conn.QueryRowContext(ctx, query, args...)
}

// Sent reports that something went to the database.
func (t *Tx) Sent() bool { return t.begun }

// Answered reports that the database did all of what was sent to it first.
func (t *Tx) Answered() bool { return t.met }

// PrepareContext is what the mapper asks of a pool; nothing of ours prepares statements.
func (t *Tx) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if err := t.Flush(ctx); err != nil {
		return nil, err
	}
	return t.conn.PrepareContext(ctx, query) //nolint:wrapcheck // a pool of the mapper returns what the driver says
}

// ahead joins what is kept and a statement, or runs what is kept where they cannot be joined.
func (t *Tx) ahead(ctx context.Context, query string, args []any) (string, []any, error) {
	if len(t.kept) == 0 {
		return query, args, nil
	}
	if !t.joins || t.bytes+weight(query, args) > maxKeptBytes {
		return query, args, t.Flush(ctx)
	}
	return t.take(statement{query, args})
}

// take empties what is kept into one text that ends with the last statement.
func (t *Tx) take(last statement) (string, []any, error) {
	var text strings.Builder
	var all []any
	for _, s := range t.kept {
		text.WriteString(s.query)
		text.WriteByte(';')
		all = append(all, s.args...)
	}
	text.WriteString(last.query)
	t.kept, t.bytes = nil, 0
	return text.String(), append(all, last.args...), nil
}

// Flush runs what is kept.
func (t *Tx) Flush(ctx context.Context) error {
	if len(t.kept) == 0 {
		return nil
	}
	if t.joins {
		last := t.kept[len(t.kept)-1]
		t.kept = t.kept[:len(t.kept)-1]
		query, args, _ := t.take(last)
		_, err := t.send(ctx, query, args)
		t.met = t.met || err == nil
		return err
	}
	kept := t.kept
	t.kept, t.bytes = nil, 0
	for _, s := range kept {
		if _, err := t.send(ctx, s.query, s.args); err != nil {
			return err
		}
	}
	t.met = true
	return nil
}

// Commit makes the work durable. What is kept travels with it: an engine stops at the first statement that fails, so that nothing
// is committed then. After an error by which IsOutcomeUnknown it may have happened or not, after every other it has not. A caller
// that has to know more often calls Flush before.
func (t *Tx) Commit(ctx context.Context) error {
	defer func() { _ = t.conn.Close() }()
	ctx = context.WithoutCancel(ctx) // half-way it would leave the outcome unknown
	query, args, err := t.ahead(ctx, "COMMIT", nil)
	if err == nil {
		if _, err = t.send(ctx, query, args); IsUnavailable(err) {
			err = lostCommit{err}
		}
	}
	if err != nil {
		t.end(ctx)
	}
	return err //nolint:wrapcheck // the callers classify it
}

// Rollback leaves nothing.
func (t *Tx) Rollback(ctx context.Context) {
	defer func() { _ = t.conn.Close() }()
	if t.begun {
		t.end(context.WithoutCancel(ctx))
	}
}

// end rolls back, so that the pool gets no connection with an open transaction. One that cannot is closed: then the engine does.
func (t *Tx) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, rollbackPatience)
	defer cancel()
	if _, err := t.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// weight is about how many bytes a statement takes on its way.
func weight(query string, args []any) int {
	const number = 20
	size := len(query)
	for _, a := range args {
		switch v := a.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		default:
			size += number
		}
	}
	return size
}
