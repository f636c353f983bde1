//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// execute runs the command in a process group of its own and passes interrupts
// to the whole group: "go test" alone would leave its test binaries behind.
func execute(command, environment []string) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)

	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // Running the given command is the purpose.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), environment...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		complain(fmt.Sprintf("withmysql: starting the command: %v", err))
		return exitCannotStart
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case received := <-signals:
			if number, isNumber := received.(syscall.Signal); isNumber {
				_ = syscall.Kill(-cmd.Process.Pid, number)
			}
		case err := <-ended:
			return exitCode(err)
		}
	}
}

// exitCode is the code of the command, or 128 and the signal that ended it, as
// a shell reports it.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		complain(fmt.Sprintf("withmysql: running the command: %v", err))
		return exitFailed
	}
	if status, isStatus := exit.Sys().(syscall.WaitStatus); isStatus && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}
