//go:build !unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// execute runs the command; the console passes interrupts to it by itself.
func execute(command, environment []string) int {
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // Running the given command is the purpose.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), environment...)
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		complain(fmt.Sprintf("withmysql: starting the command: %v", err))
		return exitCannotStart
	}
	return 0
}
