package database

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// engine tells apart what speaks the MySQL dialect, where that matters for a promise.
type engine uint8

const (
	engineMySQL engine = iota
	engineMariaDB
	// engineGalera is MariaDB with nodes that all write. A lock is known to its node alone; transactions of two nodes meet at
	// commit, where those that wrote the same row are told apart, and the later one fails as a deadlock.
	engineGalera
	// engineTiDB has exclusive row locks alone and no dirty reads.
	engineTiDB
)

// askEngine finds out what answers at an address. Only variables are asked for, which even a node outside its cluster tells.
func askEngine(ctx context.Context, cfg *mysql.Config) (engine, error) {
	pool, err := mysqlPool(cfg, 1)
	if err != nil {
		return 0, err
	}
	defer func() { _ = pool.Close() }()
	rows, err := pool.QueryContext(ctx, "SHOW VARIABLES WHERE variable_name IN ('version', 'wsrep_on', 'wsrep_provider')")
	if err != nil {
		return 0, fmt.Errorf("asking what the server is: %w", err)
	}
	defer func() { _ = rows.Close() }()
	told := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return 0, fmt.Errorf("reading what the server is: %w", err)
		}
		told[strings.ToLower(name)] = value
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("reading what the server is: %w", err)
	}
	return engineOf(told)
}

// engineOf refuses a cluster of the Galera kind that is not MariaDB: what our promises need there is known of MariaDB alone.
func engineOf(told map[string]string) (engine, error) {
	provider := told["wsrep_provider"]
	isCluster := strings.EqualFold(told["wsrep_on"], "ON") && provider != "" && provider != "none"
	switch {
	case isCluster && strings.Contains(told["version"], "MariaDB"):
		return engineGalera, nil
	case isCluster:
		return 0, fmt.Errorf("the server %s is a node of a cluster that is not MariaDB Galera, which is not supported", told["version"])
	case strings.Contains(told["version"], "TiDB"):
		return engineTiDB, nil
	case strings.Contains(told["version"], "MariaDB"):
		return engineMariaDB, nil
	}
	return engineMySQL, nil
}

// settings prepare a session of an isolation level.
func (e engine) settings(isolation string) []string {
	settings := []string{"SET SESSION TRANSACTION ISOLATION LEVEL " + isolation}
	if e == engineGalera {
		// A read and the begin of a transaction wait until the node has applied what any node committed before: who got an
		// answer from one server finds its effect on every other.
		settings = append(settings, "SET SESSION wsrep_sync_wait = 1")
	}
	return settings
}

// dirtySettings prepare a session that also sees rows of open transactions, where the engine can show them. It never waits for
// other nodes, which have no open transactions to show.
func (e engine) dirtySettings() []string {
	if e == engineTiDB {
		return e.settings("READ COMMITTED")
	}
	return []string{"SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"}
}

// noWait is put before an INSERT or UPDATE so that it fails at once on a locked row.
func (e engine) noWait() string {
	if e == engineMariaDB || e == engineGalera {
		return "SET STATEMENT innodb_lock_wait_timeout=0 FOR "
	}
	return ""
}

// seesBusyByLocking reports that only a try to lock a row at once tells whether an open transaction wrote it.
func (e engine) seesBusyByLocking() bool { return e == engineTiDB }

// shareLock is the end of a query that holds its rows shared, or exclusively where the engine knows nothing else.
func (e engine) shareLock() string {
	if e == engineTiDB {
		return "FOR UPDATE"
	}
	return "LOCK IN SHARE MODE"
}

// joins reports that several statements may travel together. On Galera a transaction may end at any moment for the sake of one
// of another node. MariaDB tells so at the next statement; between statements that came together it does not always, and runs
// the rest outside any transaction, for good.
func (e engine) joins() bool { return e != engineGalera }

// readOnly begins a transaction that reads. TiDB refuses the words it does not act on; that such a transaction writes nothing
// is sure by the type that callers get.
func (e engine) readOnly() string {
	if e == engineTiDB {
		return "START TRANSACTION"
	}
	return "START TRANSACTION READ ONLY"
}
