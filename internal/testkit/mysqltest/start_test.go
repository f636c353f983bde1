//go:build unix

package mysqltest_test

import (
	"bufio"
	"context"
	"database/sql"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// envChild makes TestMain start a server and wait to be killed, so that a test
// can look at what the death of a process leaves.
const envChild = "VIENKART_TEST_MYSQL_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(envChild) == "" {
		os.Exit(m.Run())
	}
	startAndWait()
}

func startAndWait() {
	server, err := mysqltest.Start(context.Background())
	if err != nil {
		_, _ = os.Stdout.WriteString("error " + err.Error() + "\n")
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(server.DSN + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}

func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("MySQL is left out by -short")
	}
	t.Run("UnreachableNamedServerIsAnError", func(t *testing.T) {
		t.Setenv(mysqltest.EnvDSN, "root@tcp(127.0.0.1:1")
		_, err := mysqltest.Start(t.Context())
		require.ErrorContains(t, err, mysqltest.EnvDSN)
		require.NotErrorIs(t, err, mysqltest.ErrUnavailable, "a named server that fails is not a missing one")
	})
	t.Run("NamedServerIsUsedAndLeftRunning", func(t *testing.T) {
		shared := mysqltest.Shared(t)
		t.Setenv(mysqltest.EnvDSN, shared.DSN)
		server, err := mysqltest.Start(t.Context())
		require.NoError(t, err)
		require.Equal(t, shared.DSN, server.DSN)
		require.NoError(t, server.Stop())
		open(t, shared.DSN)
	})
	t.Run("StoppedServerLeavesNothing", func(t *testing.T) {
		requireLocalServer(t)
		folder := temporaryFolder(t)
		t.Setenv(mysqltest.EnvDSN, "")
		t.Setenv("TMPDIR", folder)
		server, err := mysqltest.Start(t.Context())
		require.NoError(t, err)
		require.NoError(t, server.Stop())
		requireGone(t, server.DSN, folder)
	})
}

func TestKilledProcessLeavesNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("MySQL is left out by -short")
	}
	requireLocalServer(t)
	folder := temporaryFolder(t)
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), envChild+"=1", mysqltest.EnvDSN+"=", "TMPDIR="+folder)
	_, err := child.StdinPipe()
	require.NoError(t, err)
	output, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	dsn := strings.TrimSpace(line)
	open(t, dsn)

	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())
	requireGone(t, dsn, folder)
}

// requireLocalServer skips where a container would be started: its files are
// not on this machine.
func requireLocalServer(t *testing.T) {
	t.Helper()
	for _, name := range []string{os.Getenv(mysqltest.EnvServer), "mariadbd", "mysqld", "/usr/sbin/mariadbd", "/usr/sbin/mysqld"} {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	t.Skip("no local MySQL server")
}

// temporaryFolder is short, unlike t.TempDir: a socket's path has 107
// characters at most.
func temporaryFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "vk")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	return folder
}

func requireGone(t *testing.T, dsn, folder string) {
	t.Helper()
	require.Eventually(t, func() bool {
		left, err := os.ReadDir(folder)
		return err == nil && len(left) == 0
	}, 30*time.Second, 20*time.Millisecond, "the folder of the server must be removed")
	db, err := sql.Open("mysql", dsn)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	require.Error(t, db.PingContext(t.Context()), "the server must be gone")
}
