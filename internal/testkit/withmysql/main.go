// Command withmysql runs a command with a MySQL to test on.
//
// Owns: one server for the whole command, so that the test binaries of a run
// share it instead of each starting its own.
//
// Does not own: how a server is found and ended; that is package mysqltest.
//
// Invariants: it exits with the code of the command; an interrupt ends the
// command with all its children before the server; without a MySQL the command
// runs all the same, except under CI.
//
// Usage: withmysql COMMAND [ARGUMENT...]
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// Exit codes of withmysql itself, those a shell uses for the same.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitCannotStart = 126
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(command []string) int {
	if len(command) == 0 {
		complain("usage: withmysql COMMAND [ARGUMENT...]")
		return exitUsage
	}
	server, err := mysqltest.Start(context.Background())
	switch {
	case err == nil:
		complain("withmysql: using " + server.Origin)
	case errors.Is(err, mysqltest.ErrUnavailable) && !mysqltest.UnderCI():
		complain(fmt.Sprintf("\n*** NOTHING IS TESTED ON MYSQL: %v ***\n", err))
		return execute(command, nil)
	default:
		complain(fmt.Sprintf("withmysql: %v", err))
		return exitFailed
	}
	code := execute(command, []string{mysqltest.EnvDSN + "=" + server.DSN})
	if err := server.Stop(); err != nil {
		complain(fmt.Sprintf("withmysql: %v", err))
		return max(code, exitFailed)
	}
	return code
}

func complain(line string) {
	_, _ = os.Stderr.WriteString(line + "\n")
}
