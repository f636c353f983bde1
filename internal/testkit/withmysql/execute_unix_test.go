//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// envMain makes the test binary behave as the command itself.
const envMain = "VIENKART_TEST_WITHMYSQL_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(envMain) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestWithMySQL(t *testing.T) {
	t.Parallel()
	server := mysqltest.Shared(t)

	t.Run("CommandSeesTheServer", func(t *testing.T) {
		t.Parallel()
		cmd, output := wrapped(t, server.DSN, "sh", "-c", "printf %s \"$"+mysqltest.EnvDSN+"\"")
		require.NoError(t, cmd.Run())
		require.Equal(t, server.DSN, output.String())
	})
	t.Run("InputIsPassedThrough", func(t *testing.T) {
		t.Parallel()
		cmd, output := wrapped(t, server.DSN, "cat")
		cmd.Stdin = strings.NewReader("hello")
		require.NoError(t, cmd.Run())
		require.Equal(t, "hello", output.String())
	})
	t.Run("ExitCodeIsThatOfTheCommand", func(t *testing.T) {
		t.Parallel()
		cmd, _ := wrapped(t, server.DSN, "sh", "-c", "exit 7")
		requireExit(t, 7, cmd.Run())
	})
	t.Run("MissingCommandIsRefused", func(t *testing.T) {
		t.Parallel()
		cmd, _ := wrapped(t, server.DSN)
		requireExit(t, exitUsage, cmd.Run())
	})
	t.Run("UnknownCommandIsReported", func(t *testing.T) {
		t.Parallel()
		cmd, _ := wrapped(t, server.DSN, filepath.Join(t.TempDir(), "missing"))
		requireExit(t, exitCannotStart, cmd.Run())
	})
	for name, sent := range map[string]syscall.Signal{"Interrupt": syscall.SIGINT, "Termination": syscall.SIGTERM} {
		t.Run(name+"ReachesTheChildrenOfTheCommand", func(t *testing.T) {
			t.Parallel()
			// The grandchild alone leaves the mark, and the command waits for it.
			mark := filepath.Join(t.TempDir(), "mark")
			grandchild := `trap 'echo reached > "$1"; exit 3' INT TERM; echo ready; while :; do sleep 0.05; done`
			cmd, _ := wrapped(t, server.DSN, "sh", "-c", `trap : INT TERM; sh -c "$1" grandchild "$2"; exit $?`, "command", grandchild, mark)
			cmd.Stdout = nil
			output, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = output.Read(make([]byte, len("ready\n")))
			require.NoError(t, err)
			require.NoError(t, cmd.Process.Signal(sent))
			requireExit(t, 3, cmd.Wait())
			require.FileExists(t, mark)
		})
	}
}

func wrapped(t *testing.T, dsn string, command ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], command...)
	cmd.Env = append(os.Environ(), envMain+"=1", mysqltest.EnvDSN+"="+dsn)
	output := &bytes.Buffer{}
	cmd.Stdout = output
	return cmd, output
}

func requireExit(t *testing.T, want int, err error) {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, want, exit.ExitCode())
}
