//go:build unix

package mysqltest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// supervisor runs the server as its child and ends it, folder and all, when
// its standard input ends. The other end of that pipe is held by this process
// alone, so the kernel closes it when this process ends, in whatever way.
// Descriptor 3 is held by the server alone, so that its end can be seen here.
// The child is not waited for before the kill, so its number cannot have gone
// to another process.
const supervisor = `folder=$1; shift
"$@" &
server=$!
exec 3>&-
read -r _
kill -KILL "$server" 2>/dev/null
wait "$server" 2>/dev/null
rm -rf "$folder"`

// portAttempts bounds the starts: another process may take the free port
// between its choice and the server's start.
const portAttempts = 3

const privateUser = "vienkart_test"

func startPrivate(ctx context.Context, binaries installation, flags []string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	var failed error
	for range portAttempts {
		server, err := startOnce(ctx, binaries, flags)
		if err == nil {
			return server, nil
		}
		failed = err
		if !errors.Is(err, errServerEnded) {
			break
		}
	}
	return nil, fmt.Errorf("starting a private %s: %w", filepath.Base(binaries.server), failed)
}

func startOnce(ctx context.Context, binaries installation, flags []string) (*Server, error) {
	folder, err := os.MkdirTemp("", "vienkart-mysql-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	password := rand.Text()
	if err := prepare(ctx, binaries, folder, password); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	port, err := freePort(ctx)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	process, err := supervise(folder, serverCommand(binaries, folder, port, flags))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	server, err := connect(ctx, tcpDSN(privateUser, password, address, ""), process.ended)
	if err != nil {
		err = fmt.Errorf("%w; the end of its log:\n%s", err, lastLines(logFile(folder)))
		return nil, errors.Join(err, process.end())
	}
	server.Origin = "private " + binaries.server + " on " + address
	server.stop = process.end
	return server, nil
}

// prepare makes the data folder and the statements that the server runs when
// it starts.
func prepare(ctx context.Context, binaries installation, folder, password string) error {
	command := binaries.initialise(dataFolder(folder))
	output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput() //nolint:gosec // The command is found by findInstallation, or named by who runs the tests.
	if err != nil {
		return fmt.Errorf("initialising a data folder: %w\n%s", err, output)
	}
	statements := fmt.Sprintf("CREATE USER IF NOT EXISTS '%[1]s'@'%%' IDENTIFIED BY '%[2]s';\nGRANT ALL ON *.* TO '%[1]s'@'%%' WITH GRANT OPTION;\n", privateUser, password)
	if err := os.WriteFile(initFile(folder), []byte(statements), 0o600); err != nil {
		return fmt.Errorf("writing the init file: %w", err)
	}
	return nil
}

func serverCommand(binaries installation, folder string, port int, flags []string) []string {
	command := []string{
		binaries.server, "--no-defaults",
		"--datadir=" + dataFolder(folder),
		"--tmpdir=" + folder,
		"--socket=" + filepath.Join(folder, "server.sock"),
		"--pid-file=" + filepath.Join(folder, "server.pid"),
		"--bind-address=127.0.0.1",
		"--port=" + strconv.Itoa(port),
		"--init-file=" + initFile(folder),
	}
	if binaries.installer == "" {
		// Reading and writing files by statements needs a folder that only an installed package makes.
		command = append(command, "--mysqlx=OFF", "--secure-file-priv=NULL")
	}
	return append(append(command, asRoot()...), serverFlags(flags...)...)
}

type supervised struct {
	command  *exec.Cmd
	lifeline io.Closer
	ended    <-chan struct{}
}

func supervise(folder string, command []string) (*supervised, error) {
	log, err := os.Create(logFile(folder))
	if err != nil {
		return nil, fmt.Errorf("creating the log: %w", err)
	}
	defer log.Close() //nolint:errcheck // The child has its own descriptor; nothing is written through this one.
	alive, held, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("opening a pipe: %w", err)
	}
	cmd := exec.Command("/bin/sh", append([]string{"-c", supervisor, "supervisor", folder}, command...)...) //nolint:gosec // See prepare.
	// Both outputs go to a file: a grandchild that held the test binary's own
	// would make "go test" wait for it.
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{held}
	// A group of its own: Ctrl-C must reach the tests first and the server
	// only after them.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lifeline, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err = errors.Join(err, held.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the server: %w", err), alive.Close())
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, alive)
		_ = alive.Close()
	}()
	return &supervised{command: cmd, lifeline: lifeline, ended: ended}, nil
}

// end closes the lifeline, which is all that the death of this process does
// too, and waits until the server and its folder are gone.
func (s *supervised) end() error {
	if err := s.lifeline.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("stopping the private server: %w", err)
	}
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("stopping the private server: %w", err)
	}
	return nil
}

func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	address, isTCP := listener.Addr().(*net.TCPAddr)
	if err := listener.Close(); err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	if !isTCP {
		return 0, errors.New("finding a free port: the listener is not TCP")
	}
	return address.Port, nil
}

func lastLines(path string) string {
	const kept = 20
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(lines[max(0, len(lines)-kept):], "\n")
}

func dataFolder(folder string) string { return filepath.Join(folder, "data") }
func initFile(folder string) string   { return filepath.Join(folder, "init.sql") }
func logFile(folder string) string    { return filepath.Join(folder, "server.log") }
