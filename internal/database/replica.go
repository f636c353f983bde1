package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Replica is a copy of a database that the engine's replication keeps, for snapshots alone. It applies transactions in the order
// in which the primary committed them.
type Replica struct {
	primary *DB
	pool    *sql.DB
	// probe is for Check, so that reports that have all connections of the pool do not pass for a replica that is down.
	probe *sql.DB
}

// ReplicaError is why a replica must not be used.
type ReplicaError struct {
	// Reason is fit for callers without a token; the cause may hold an address.
	Reason string
	Cause  error
}

func (e *ReplicaError) Error() string {
	if e.Cause == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.Cause.Error()
}

// Unwrap is the cause.
func (e *ReplicaError) Unwrap() error { return e.Cause }

// OpenReplica makes the pool of a replica of this database. It does not connect: a replica that is down keeps no server from
// starting.
func (db *DB) OpenReplica(address string, opts Options) (*Replica, error) {
	switch {
	case db.dialect == SQLite:
		return nil, errors.New("a replica needs MySQL or MariaDB; SQLite has none")
	case db.engine == engineTiDB:
		return nil, errors.New("a copy of TiDB does not follow the order of commits, so it cannot be used as a replica")
	case !strings.HasPrefix(address, "mysql:"):
		return nil, fmt.Errorf("the address of the replica must start with mysql://, got %q", scheme(address))
	}
	cfg, err := mysqlConfig(address)
	if err != nil {
		return nil, fmt.Errorf("opening the replica: %w", err)
	}
	if cfg.ReadTimeout == 0 {
		cfg.ReadTimeout = answerPatience // a machine that stopped answering in the middle of a report
	}
	size := opts.MaxConnections
	if size == 0 {
		size = DefaultConnections
	}
	r := &Replica{primary: db}
	if r.pool, err = mysqlPool(cfg, size, engineMySQL.settings("REPEATABLE READ")...); err != nil {
		return nil, err
	}
	if r.probe, err = mysqlPool(cfg, 1, engineMySQL.settings("READ COMMITTED")...); err != nil {
		return nil, err
	}
	return r, nil
}

// BeginSnapshot opens a transaction that reads and sees one moment of the replica: that of its first query.
func (r *Replica) BeginSnapshot(ctx context.Context) (*Tx, error) {
	return begin(ctx, &Tx{pool: r.pool, reads: true, joins: r.primary.engine.joins()}, r.primary.engine.readOnly())
}

// Pool is the pool of snapshots, to be watched.
func (r *Replica) Pool() *sql.DB { return r.pool }

// Probe is a connection beside the pool, for questions about the replica itself.
func (r *Replica) Probe() *sql.DB { return r.probe }

// Close ends every connection.
func (r *Replica) Close() error { return errors.Join(r.pool.Close(), r.probe.Close()) }

// Check finds out whether the replica may be used at all: it answers, it is the primary itself or takes no writes of its own, it
// keeps the order of commits and has the schema of the primary. How far it is behind is another question. Error: *ReplicaError.
func (r *Replica) Check(ctx context.Context) error {
	theirs, err := r.primary.traits(ctx, r.probe)
	if err != nil {
		return &ReplicaError{"it does not answer", err}
	}
	ours, err := r.primary.traits(ctx, r.primary.reader)
	if err != nil {
		return &ReplicaError{"it cannot be compared with the primary", err}
	}
	if reason := unfit(ours, theirs); reason != "" {
		return &ReplicaError{Reason: reason}
	}
	has, err := r.primary.SchemaVersion(ctx, r.probe)
	if err != nil {
		return &ReplicaError{"it has no schema that the user of its address can read", err}
	}
	wanted, err := r.primary.SchemaVersion(ctx, r.primary.reader)
	if err != nil {
		return &ReplicaError{"it cannot be compared with the primary", err}
	}
	if has != wanted {
		return &ReplicaError{"its schema is not that of the primary", fmt.Errorf("%d is not %d", has, wanted)}
	}
	return nil
}

// traits are the variables by which servers are told apart and judged. None of the engines has all of them.
func (db *DB) traits(ctx context.Context, pool *sql.DB) (map[string]string, error) {
	told := map[string]string{}
	queries := []string{`SHOW GLOBAL VARIABLES WHERE variable_name IN ('version', 'hostname', 'port', 'datadir', 'server_id', 'server_uuid',
		'read_only', 'innodb_read_only', 'replica_preserve_commit_order', 'slave_preserve_commit_order', 'replica_parallel_workers',
		'slave_parallel_workers')`}
	if db.engine == engineGalera {
		queries = append(queries, "SHOW GLOBAL STATUS WHERE variable_name = 'wsrep_cluster_state_uuid'")
	}
	for _, query := range queries {
		if err := tell(ctx, pool, query, told); err != nil {
			return nil, fmt.Errorf("asking a server what it is: %w", err)
		}
	}
	return told, nil
}

func tell(ctx context.Context, pool *sql.DB, query string, told map[string]string) error {
	rows, err := pool.QueryContext(ctx, query)
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was asked
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err //nolint:wrapcheck // the caller says what was asked
		}
		told[strings.ToLower(name)] = value
	}
	return rows.Err() //nolint:wrapcheck // the caller says what was asked
}

// unfit judges a replica by what it and the primary tell of themselves; empty when there is nothing against it.
func unfit(primary, replica map[string]string) string {
	const cluster = "wsrep_cluster_state_uuid"
	isOn := func(name string) bool {
		value := replica[name]
		return value != "" && value != "OFF" && value != "0"
	}
	isOff := func(name string) bool { value := replica[name]; return value == "OFF" || value == "0" }
	isParallel := func(name string) bool { n := replica[name]; return n != "" && n != "0" && n != "1" }
	switch {
	case strings.Contains(replica["version"], "TiDB"):
		return "it is a TiDB, which does not follow the order of commits"
	case isSameServer(primary, replica), primary[cluster] != "" && primary[cluster] == replica[cluster]:
		return ""
	case !isOn("read_only") && !isOn("innodb_read_only"):
		return "it takes writes, so it may hold what the primary does not"
	case (isOff("replica_preserve_commit_order") || isOff("slave_preserve_commit_order")) &&
		(isParallel("replica_parallel_workers") || isParallel("slave_parallel_workers")):
		return "it does not keep the order of commits (replica_preserve_commit_order)"
	}
	return ""
}

// isSameServer compares what two servers never share: replication itself refuses two with one server_id.
func isSameServer(a, b map[string]string) bool {
	for _, name := range []string{"hostname", "port", "datadir", "server_id", "server_uuid"} {
		if a[name] != b[name] {
			return false
		}
	}
	return true
}

// IsFault reports that the engine or the way to it failed, rather than the work on what it answered.
func IsFault(err error) bool {
	_, refused := errors.AsType[*mysql.MySQLError](err)
	return refused || IsUnavailable(err) || IsLost(err)
}
