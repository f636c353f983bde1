package process

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// Secret signs the tokens of every test server.
const Secret = "a secret of test servers, long enough for HS256"

// startTimeout bounds the wait for a server that does not come up.
const startTimeout = 30 * time.Second

var build = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "vienkart-server-")
	if err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	binary := filepath.Join(folder, "server")
	command := exec.Command("go", "build", "-tags", "faults", "-o", binary, "github.com/vienkart/vienkart/cmd/server") //nolint:gosec // a folder made above
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return binary, nil
})

// Binary is the server built with faults, once per test process.
func Binary(t testing.TB) string {
	t.Helper()
	binary, err := build()
	require.NoError(t, err)
	return binary
}

// Server is a running server process.
type Server struct {
	URL     string
	command *exec.Cmd
	ended   chan struct{}
	log     *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var servingLine = regexp.MustCompile(`msg"?[=:]"?serving"?[ ,]"?address"?[=:]"?([^\s",]+)`)

// Start runs a server on the engine's database. It is killed when the test ends, if it still runs.
func Start(t testing.TB, e *testkit.Engine, environment ...string) *Server {
	t.Helper()
	return StartBinary(t, Binary(t), e, environment...)
}

// StartBinary is Start with another build of the server.
func StartBinary(t testing.TB, binary string, e *testkit.Engine, environment ...string) *Server {
	t.Helper()
	command := exec.Command(binary, "serve")
	command.Dir = t.TempDir()
	command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "VIENKART_ADDR=127.0.0.1:0",
		"VIENKART_DATABASE_URL=" + e.URL, "VIENKART_JWT_SECRET=" + Secret,
	}, environment...)
	s := &Server{command: command, ended: make(chan struct{}), log: &lockedBuffer{}}
	output, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	address := make(chan string, 1)
	go s.follow(output, address)
	t.Cleanup(func() { s.Kill() })
	select {
	case a := <-address:
		s.URL = "http://" + a
	case <-s.ended:
		t.Fatalf("the server ended at once:\n%s", s.log)
	case <-time.After(startTimeout):
		t.Fatalf("the server does not start:\n%s", s.log)
	}
	return s
}

// follow keeps the log, finds the address in it, and notices the end.
func (s *Server) follow(output io.Reader, address chan<- string) {
	lines := bufio.NewScanner(io.TeeReader(output, s.log))
	for lines.Scan() {
		if found := servingLine.FindStringSubmatch(lines.Text()); found != nil {
			address <- found[1]
		}
	}
	_ = s.command.Wait()
	close(s.ended)
}

// Kill ends the process as kill -9 does and waits for its end.
func (s *Server) Kill() {
	_ = s.command.Process.Kill()
	<-s.ended
}

// Stop asks the process to end, as an operator does, and waits.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	require.NoError(t, s.command.Process.Signal(syscall.SIGTERM))
	s.WaitEnd(t)
	require.Equal(t, 0, s.command.ProcessState.ExitCode(), "log:\n%s", s.log)
}

// WaitEnd waits for a process that a fault kills.
func (s *Server) WaitEnd(t testing.TB) {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(startTimeout):
		t.Fatalf("the server does not end:\n%s", s.log)
	}
}

// Freeze stops the process in the middle of whatever it does, until Thaw. It cannot notice.
func (s *Server) Freeze(t testing.TB) {
	t.Helper()
	require.NoError(t, s.command.Process.Signal(syscall.SIGSTOP))
}

// Thaw lets a frozen process go on.
func (s *Server) Thaw(t testing.TB) {
	t.Helper()
	require.NoError(t, s.command.Process.Signal(syscall.SIGCONT))
}

// Ended reports whether the process has ended.
func (s *Server) Ended() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// Log is what the server wrote.
func (s *Server) Log() string { return s.log.String() }

// Run runs another command of the binary on the engine's database and returns what it printed and its exit code.
func Run(t testing.TB, e *testkit.Engine, arguments ...string) (string, int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), Binary(t), arguments...) //nolint:gosec // built above
	command.Dir = t.TempDir()
	command.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "VIENKART_DATABASE_URL=" + e.URL, "VIENKART_JWT_SECRET=" + Secret,
	}
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// RequireVerified runs "server verify", which must find nothing.
func RequireVerified(t testing.TB, e *testkit.Engine) {
	t.Helper()
	out, code := Run(t, e, "verify")
	require.Equal(t, 0, code, out)
}

// Token signs a token that the test servers accept.
func Token(t testing.TB, grant tenant.Grant) string {
	t.Helper()
	tokens := Tokens(t)
	if grant.Life == 0 {
		grant.Life = time.Hour
	}
	if grant.Subject == "" {
		grant.Subject = "tester"
	}
	if grant.Role == "" {
		grant.Role = tenant.RoleAdmin
	}
	signed, _, err := tokens.Sign(grant)
	require.NoError(t, err)
	return signed
}

// Tokens are the keys of the test servers.
func Tokens(t testing.TB) *tenant.Tokens {
	t.Helper()
	tokens, err := tenant.NewTokens(tenant.TokenConfig{Secret: Secret, Issuer: "vienkart", Audience: "vienkart-api"}, clock.System{})
	require.NoError(t, err)
	return tokens
}
