//go:build unix

package galera_test

import (
	"context"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// TestMigrate starts two servers with a new database on two nodes: one migrates, and neither fails.
func TestMigrate(t *testing.T) { //nolint:paralleltest // the cluster is as much as the machine can bear
	cluster := mysqltest.Galera(t, 2)
	fresh := cluster.Nodes[0].Server(t).FreshDatabase(t)
	applied, errs := make([]int, 2), make([]error, 2)
	var wait sync.WaitGroup
	for i, node := range cluster.Nodes {
		address, err := url.Parse(fresh.AdminURL)
		require.NoError(t, err)
		address.Host = node.Address
		db, err := database.Open(t.Context(), address.String(), database.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		wait.Go(func() { applied[i], errs[i] = db.Migrate(context.Background()) })
	}
	wait.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.NotEqual(t, applied[0] == 0, applied[1] == 0, "one migrates: %v", applied)
}
