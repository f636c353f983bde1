//go:build unix

package galera_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/database"
)

// TestAnotherNodeAnswersReports: a node of the same cluster may be the replica, although it takes writes.
func TestAnotherNodeAnswersReports(t *testing.T) { //nolint:paralleltest // the cluster is as much as the machine can bear
	w := newWorld(t)
	r, err := w.engines[0].DB.OpenReplica(w.engines[2].URL, database.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	require.NoError(t, r.Check(t.Context()))
	w.cluster.Nodes[2].Isolate(t)
	w.cluster.Nodes[2].AwaitCutOff(t)
	require.Error(t, r.Check(t.Context()), "a node outside the cluster has old rows")
	w.cluster.Nodes[2].Rejoin(t)
	w.requireInOrder(t)
}
