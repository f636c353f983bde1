package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplicaNeedsMySQL(t *testing.T) {
	t.Setenv("VIENKART_DATABASE_REPLICA_URL", "mysql://app:hunter2@replica/vienkart")
	t.Setenv("VIENKART_DATABASE_URL", "")
	_, err := loadConfig()
	require.ErrorContains(t, err, "VIENKART_DATABASE_REPLICA_URL is set, but SQLite has no replicas")
	require.NotContains(t, err.Error(), "hunter2")
	t.Setenv("VIENKART_DATABASE_URL", "mysql://app:x@primary/vienkart")
	cfg, err := loadConfig()
	require.NoError(t, err)
	require.NotEmpty(t, cfg.ReplicaURL)
}
