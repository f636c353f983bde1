//go:build unix

package mysqltest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// replicaPatience bounds the wait for a replica to have everything.
const replicaPatience = 60 * time.Second

// Replicated is a primary and a replica that takes no writes of its own, on servers of this machine.
type Replicated struct {
	Primary, Replica *Crashing

	words words
}

// words are those of replication: MariaDB kept the old ones, and MySQL 8.4 has the new ones alone.
type words struct {
	position, progress, stop, start string
	// file and reached are the columns of progress.
	file, reached string
	from          string
}

var (
	oldWords = words{
		"SHOW MASTER STATUS", "SHOW SLAVE STATUS", "STOP SLAVE", "START SLAVE", "Relay_Master_Log_File", "Exec_Master_Log_Pos",
		"CHANGE MASTER TO MASTER_HOST='%s', MASTER_PORT=%s, MASTER_USER='%s', MASTER_PASSWORD='%s', MASTER_LOG_FILE='%s', MASTER_LOG_POS=%s, " +
			"MASTER_CONNECT_RETRY=1",
	}
	newWords = words{
		"SHOW BINARY LOG STATUS", "SHOW REPLICA STATUS", "STOP REPLICA", "START REPLICA", "Relay_Source_Log_File", "Exec_Source_Log_Pos",
		"CHANGE REPLICATION SOURCE TO SOURCE_HOST='%s', SOURCE_PORT=%s, SOURCE_USER='%s', SOURCE_PASSWORD='%s', SOURCE_LOG_FILE='%s', " +
			"SOURCE_LOG_POS=%s, SOURCE_CONNECT_RETRY=1, GET_SOURCE_PUBLIC_KEY=1",
	}
)

// Replicate starts both servers and the replication between them. It skips as Crash does.
func Replicate(t testing.TB) *Replicated {
	t.Helper()
	r := &Replicated{
		Primary: Crash(t, "", "--log-bin=log", "--binlog-format=ROW", "--server-id=1"),
		Replica: Crash(t, "", "--log-bin=log", "--binlog-format=ROW", "--server-id=2", "--read-only=ON"),
	}
	var version string
	require.NoError(t, r.Primary.root.QueryRowContext(t.Context(), "SELECT VERSION()").Scan(&version))
	r.words = newWords
	if strings.Contains(version, "MariaDB") {
		r.words = oldWords
	}
	host, port, err := net.SplitHostPort(r.Primary.Address())
	require.NoError(t, err)
	at, err := r.Primary.row(t.Context(), r.words.position)
	require.NoError(t, err)
	require.NoError(t, r.Replica.run(t.Context(),
		fmt.Sprintf(r.words.from, host, port, privateUser, r.Primary.password, at["File"], at["Position"]), r.words.start))
	return r
}

// Stop keeps the replica as it is.
func (r *Replicated) Stop(t testing.TB) {
	t.Helper()
	require.NoError(t, r.Replica.run(t.Context(), r.words.stop))
}

// Start lets the replica follow again.
func (r *Replicated) Start(t testing.TB) {
	t.Helper()
	require.NoError(t, r.Replica.run(t.Context(), r.words.start))
}

// Follow waits until the replica has everything that the primary has now.
func (r *Replicated) Follow(t testing.TB) {
	t.Helper()
	at, err := r.Primary.row(t.Context(), r.words.position)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		status, err := r.Replica.row(t.Context(), r.words.progress)
		if err != nil {
			return false
		}
		wanted, _ := strconv.ParseUint(at["Position"], 10, 64)
		reached, _ := strconv.ParseUint(status[r.words.reached], 10, 64)
		return status[r.words.file] == at["File"] && reached >= wanted
	}, replicaPatience, pollInterval, "the replica does not follow")
}

// OnReplica runs statements on the replica as a user who may do anything.
func (r *Replicated) OnReplica(t testing.TB, statements ...string) {
	t.Helper()
	require.NoError(t, r.Replica.run(t.Context(), statements...))
}

// ReplicaURL is an address of the primary with the replica in its place.
func (r *Replicated) ReplicaURL(url string) string {
	return strings.Replace(url, r.Primary.Address(), r.Replica.Address(), 1)
}

// row is the first row of an answer by its columns.
func (s *Server) row(ctx context.Context, query string) (map[string]string, error) {
	rows, err := s.root.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	if !rows.Next() {
		return nil, errors.Join(fmt.Errorf("%s: no row", query), rows.Err())
	}
	values, into := make([]*string, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	found := map[string]string{}
	for i, name := range names {
		if values[i] != nil {
			found[name] = *values[i]
		}
	}
	return found, rows.Err() //nolint:wrapcheck // nothing to add
}
