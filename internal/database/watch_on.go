//go:build faults

package database

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/vienkart/vienkart/internal/fault"
)

// watching is a connector that tells package fault of every statement.
type watching struct{ driver.Connector }

func watch(c driver.Connector) driver.Connector { return watching{c} }

// watchFile is watch for a driver that is opened by name.
func watchFile(pool *sql.DB, dsn string) *sql.DB {
	defer func() { _ = pool.Close() }()
	return sql.OpenDB(watching{named{dsn, pool.Driver()}})
}

// named makes a connector of a driver and the name of what it opens.
type named struct {
	dsn    string
	driver driver.Driver
}

func (n named) Connect(context.Context) (driver.Conn, error) { return n.driver.Open(n.dsn) }

func (n named) Driver() driver.Driver { return n.driver }

func (w watching) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return watched{conn}, nil
}

// watched is a connection of either driver; both implement all that is asserted here.
type watched struct{ driver.Conn }

func (w watched) Ping(ctx context.Context) error { return w.Conn.(driver.Pinger).Ping(ctx) }

func (w watched) ResetSession(ctx context.Context) error {
	return w.Conn.(driver.SessionResetter).ResetSession(ctx)
}

func (w watched) IsValid() bool { return w.Conn.(driver.Validator).IsValid() }

func (w watched) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := w.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

func (w watched) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	fault.Statement(ctx)
	return w.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
}

func (w watched) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	fault.Statement(ctx)
	return w.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (w watched) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	fault.Statement(ctx)
	return w.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (w watched) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	fault.Statement(ctx)
	tx, err := w.Conn.(driver.ConnBeginTx).BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return watchedTx{tx, ctx}, nil
}

// watchedTx keeps the context of the request, which a driver does not get with the end of a transaction.
type watchedTx struct {
	driver.Tx
	ctx context.Context
}

func (w watchedTx) Commit() error {
	fault.Statement(w.ctx)
	err := w.Tx.Commit()
	fault.Statement(w.ctx)
	return err
}

func (w watchedTx) Rollback() error {
	fault.Statement(w.ctx)
	return w.Tx.Rollback()
}
