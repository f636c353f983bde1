package database

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEngineOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told map[string]string
		want engine
	}{
		"MySQL":              {map[string]string{"version": "8.4.3"}, engineMySQL},
		"MariaDB":            {map[string]string{"version": "10.11.19-MariaDB", "wsrep_on": "OFF", "wsrep_provider": "none"}, engineMariaDB},
		"ProviderOff":        {map[string]string{"version": "10.11.19-MariaDB", "wsrep_on": "OFF", "wsrep_provider": "/usr/lib/x.so"}, engineMariaDB},
		"NoProvider":         {map[string]string{"version": "10.11.19-MariaDB", "wsrep_on": "ON", "wsrep_provider": "none"}, engineMariaDB},
		"Galera":             {map[string]string{"version": "10.11.19-MariaDB", "wsrep_on": "ON", "wsrep_provider": "/usr/lib/x.so"}, engineGalera},
		"TiDB":               {map[string]string{"version": "8.0.11-TiDB-v8.5.0"}, engineTiDB},
		"NothingToldIsMySQL": {map[string]string{}, engineMySQL},
	} {
		got, err := engineOf(c.told)
		require.NoError(t, err)
		require.Equal(t, c.want, got, name)
	}
	_, err := engineOf(map[string]string{"version": "8.0.36", "wsrep_on": "ON", "wsrep_provider": "/usr/lib/x.so"})
	require.ErrorContains(t, err, "8.0.36 is a node of a cluster that is not MariaDB Galera")
}

// What each engine is asked in its own words; a word that an engine ignores would break a promise in silence.
func TestWordsOfEngines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		engine                   engine
		share, readOnly          string
		joins, stay, busyLocking bool
		waits, dirty             bool
	}{
		"MySQL":   {engineMySQL, "LOCK IN SHARE MODE", "START TRANSACTION READ ONLY", true, false, false, true, true},
		"MariaDB": {engineMariaDB, "LOCK IN SHARE MODE", "START TRANSACTION READ ONLY", true, false, false, false, true},
		"Galera":  {engineGalera, "LOCK IN SHARE MODE", "START TRANSACTION READ ONLY", false, true, false, false, true},
		"TiDB":    {engineTiDB, "FOR UPDATE", "START TRANSACTION", true, false, true, true, false},
	} {
		db := &DB{dialect: MySQL, engine: c.engine}
		_, share := db.LockWords()
		require.Equal(t, c.share, share, name)
		require.Equal(t, c.readOnly, c.engine.readOnly(), name)
		require.Equal(t, c.joins, c.engine.joins(), name)
		require.Equal(t, c.stay, db.LocksStayOnNode(), name)
		require.Equal(t, c.busyLocking, db.SeesBusyByLocking(), name)
		require.Equal(t, c.waits, db.InsertWaits(), name)
		require.Equal(t, c.dirty, c.engine.dirtySettings()[0] == "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", name)
	}
}
