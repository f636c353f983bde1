package database

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplicaIsJudged(t *testing.T) {
	t.Parallel()
	primary := map[string]string{"version": "10.11.6-MariaDB", "hostname": "a", "port": "3306", "datadir": "/d/", "server_id": "1", "read_only": "OFF"}
	with := func(changes map[string]string) map[string]string {
		told := maps.Clone(primary)
		maps.Copy(told, map[string]string{"hostname": "b", "server_id": "2", "read_only": "ON"})
		maps.Copy(told, changes)
		return told
	}
	for name, c := range map[string]struct {
		told map[string]string
		want string
	}{
		"Follows":            {with(nil), ""},
		"ThePrimary":         {primary, ""},
		"OnItsMachine":       {with(map[string]string{"hostname": "a", "read_only": "OFF"}), "takes writes"},
		"TakesWrites":        {with(map[string]string{"read_only": "OFF"}), "takes writes"},
		"ReadOnlyEngine":     {with(map[string]string{"read_only": "0", "innodb_read_only": "ON"}), ""},
		"WithoutOrder":       {with(map[string]string{"replica_preserve_commit_order": "OFF", "replica_parallel_workers": "4"}), "order of commits"},
		"OldWords":           {with(map[string]string{"slave_preserve_commit_order": "0", "slave_parallel_workers": "2"}), "order of commits"},
		"OneWorker":          {with(map[string]string{"replica_preserve_commit_order": "OFF", "replica_parallel_workers": "1"}), ""},
		"OrderedWorkers":     {with(map[string]string{"replica_preserve_commit_order": "ON", "replica_parallel_workers": "4"}), ""},
		"MariaDBWithWorkers": {with(map[string]string{"slave_parallel_workers": "4"}), ""},
		"TiDB":               {with(map[string]string{"version": "8.0.11-TiDB-v8.5.0"}), "TiDB"},
		"OtherCluster":       {with(map[string]string{"read_only": "OFF", "wsrep_cluster_state_uuid": "x"}), "takes writes"},
	} {
		got := unfit(primary, c.told)
		if c.want == "" {
			require.Empty(t, got, name)
		} else {
			require.Contains(t, got, c.want, name)
		}
	}
	node := with(map[string]string{"read_only": "OFF", "wsrep_cluster_state_uuid": "x"})
	require.Empty(t, unfit(with(map[string]string{"server_id": "1", "wsrep_cluster_state_uuid": "x"}), node), "nodes of one cluster have the same rows")
}

func TestReplicaIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		db            *DB
		address, want string
	}{
		"SQLite":      {&DB{dialect: SQLite}, "mysql://u:hunter2@h/db", "SQLite has none"},
		"TiDB":        {&DB{dialect: MySQL, engine: engineTiDB}, "mysql://u:hunter2@h/db", "TiDB"},
		"OtherEngine": {&DB{dialect: MySQL}, "sqlite:hunter2", "must start with mysql://"},
		"NoDatabase":  {&DB{dialect: MySQL}, "mysql://u:hunter2@h", "needs a user, a host and a database"},
	} {
		_, err := c.db.OpenReplica(c.address, Options{})
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "hunter2", "a password is never shown")
	}
}
