package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	gormmysql "gorm.io/driver/mysql"
)

// lockWaitSeconds bounds a wait for a row lock, so that a stuck transaction costs its neighbours seconds, not the
// engine's default of fifty.
const lockWaitSeconds = 5

// Limits of a session that writes. A server that was frozen, or lies behind a broken network, does not end its connections, and
// the database's own default lets it hold its locks for eight hours.
const (
	// answerPatience is how long the database may take to answer. Statements of a request have the shorter limit of the request;
	// a commit has no other.
	answerPatience = 35 * time.Second
	// idleSeconds is after how long the database ends a session that says nothing, and its transaction with it: far more than
	// lies between two statements of any.
	idleSeconds = 120
	// idleTime is after how long the pool ends it, before the database does.
	idleTime = time.Minute
)

// sessionSQL makes a session strict, UTC and short of patience, whatever the server's defaults are.
const sessionSQL = "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = %d, sql_mode = " +
	"'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'"

// session is a connector that prepares each new connection.
type session struct {
	driver.Connector
	statements []string
}

func (s session) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := s.Connector.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	execer, ok := conn.(driver.ExecerContext)
	if !ok {
		return nil, fmt.Errorf("connecting: the driver cannot execute, closing: %w", conn.Close())
	}
	for _, statement := range s.statements {
		if _, err := execer.ExecContext(ctx, statement, nil); err != nil {
			_ = conn.Close()
			return nil, fmt.Errorf("preparing the session: %w", err)
		}
	}
	return conn, nil
}

// mysqlConfig reads an address such as mysql://user:password@host:3306/vienkart?tls=true. The query holds options of
// the driver.
func mysqlConfig(address string) (*mysql.Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the database address is not a URL such as mysql://user:password@host:3306/vienkart")
	}
	name := strings.TrimPrefix(u.Path, "/")
	if u.Host == "" || name == "" || u.User == nil {
		return nil, fmt.Errorf("the database address needs a user, a host and a database: mysql://user:password@host:3306/vienkart")
	}
	host := u.Host
	if u.Port() == "" {
		host += ":3306"
	}
	password, _ := u.User.Password()
	dsn := fmt.Sprintf("tcp(%s)/%s", host, name)
	if u.RawQuery != "" {
		dsn += "?" + u.RawQuery
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("reading the database address: %w", err)
	}
	cfg.User, cfg.Passwd = u.User.Username(), password
	cfg.ParseTime, cfg.Loc, cfg.InterpolateParams, cfg.ClientFoundRows, cfg.MultiStatements = true, time.UTC, true, true, true
	cfg.Collation = "utf8mb4_bin"
	if cfg.Timeout == 0 {
		cfg.Timeout = AcquireTimeout
	}
	return cfg, nil
}

// mysqlPool opens a pool whose sessions are prepared by further settings.
func mysqlPool(cfg *mysql.Config, size int, settings ...string) (*sql.DB, error) {
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("reading the database address: %w", err)
	}
	pool := sql.OpenDB(watch(session{connector, append([]string{fmt.Sprintf(sessionSQL, lockWaitSeconds)}, settings...)}))
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	pool.SetConnMaxLifetime(30 * time.Minute)
	return pool, nil
}

// writingPool opens the pool whose sessions hold locks, with the limits above. The address may set others: readTimeout and
// wait_timeout.
func writingPool(cfg *mysql.Config, size int, e engine) (*sql.DB, error) {
	limited := cfg.Clone()
	if limited.ReadTimeout == 0 {
		limited.ReadTimeout = answerPatience
	}
	settings := e.settings("READ COMMITTED")
	if _, given := cfg.Params["wait_timeout"]; !given {
		settings = append(settings, fmt.Sprintf("SET SESSION wait_timeout = %d", idleSeconds))
	}
	pool, err := mysqlPool(limited, size, settings...)
	if err == nil {
		pool.SetConnMaxIdleTime(idleTime)
	}
	return pool, err
}

// patientConnections are enough for a migration and its lock.
const patientConnections = 4

func (db *DB) openPools(cfg *mysql.Config, size int) (err error) {
	if db.writer, err = writingPool(cfg, size, db.engine); err != nil {
		return err
	}
	if db.reader, err = mysqlPool(cfg, size, db.engine.settings("REPEATABLE READ")...); err != nil {
		return err
	}
	if db.dirty, err = mysqlPool(cfg, size, db.engine.dirtySettings()...); err != nil {
		return err
	}
	db.patient, err = mysqlPool(cfg, patientConnections, db.engine.settings("READ COMMITTED")...)
	return err
}

func openMySQL(ctx context.Context, address string, opts Options) (*DB, error) {
	cfg, err := mysqlConfig(address)
	if err != nil {
		return nil, err
	}
	size := opts.MaxConnections
	if size == 0 {
		size = DefaultConnections
	}
	engine, err := askEngine(ctx, cfg)
	if err != nil {
		return nil, err
	}
	db := &DB{dialect: MySQL, engine: engine}
	if err := db.openPools(cfg, size); err != nil {
		return nil, err
	}
	db.orm, err = newGORM(gormmysql.New(gormmysql.Config{Conn: db.writer, SkipInitializeWithVersion: true}))
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}
