package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const secret = "the secret of a benchmark, long enough for HS256"

// server is one process of the product.
type server struct {
	command *exec.Cmd
	ended   chan error
	url     string
	metrics string // empty when they are not served
}

// build makes the binary as a release has it.
func build(ctx context.Context, folder string) (binary string, err error) {
	binary = filepath.Join(folder, "server")
	command := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/vienkart/vienkart/cmd/server")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return binary, nil
}

// environment is the configuration of every server here; further settings win.
func environment(address string, further ...string) []string {
	return append(append(os.Environ(), "VIENKART_ADDR=127.0.0.1:0", "VIENKART_DATABASE_URL="+address, "VIENKART_JWT_SECRET="+secret,
		"VIENKART_LOG_LEVEL=info", "VIENKART_WEBHOOK_ALLOW_PRIVATE=true"), further...)
}

// serve runs the binary as a user would, and returns when it listens.
func serve(binary, address string, further ...string) (*server, error) {
	s := &server{command: exec.Command(binary, "serve"), ended: make(chan error, 1)}
	s.command.Env = environment(address, further...)
	output, err := s.command.StderrPipe()
	if err != nil {
		return nil, fmt.Errorf("reading the server's log: %w", err)
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	serving := make(chan struct{})
	go func() {
		s.listen(output, serving)
		s.ended <- s.command.Wait()
	}()
	select {
	case <-serving:
		return s, nil
	case err := <-s.ended:
		return nil, fmt.Errorf("the server ended at once: %w", err)
	case <-time.After(30 * time.Second):
		return nil, errors.Join(errors.New("the server does not start"), s.command.Process.Kill())
	}
}

// listen reads the log for the addresses, and its rest so that the server never waits for a reader.
func (s *server) listen(log io.Reader, serving chan<- struct{}) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if _, rest, found := strings.Cut(lines.Text(), "metricsAddress="); found {
			s.metrics, _, _ = strings.Cut(rest, " ")
		}
		if _, rest, found := strings.Cut(lines.Text(), "msg=serving address="); found {
			address, _, _ := strings.Cut(rest, " ")
			s.url = "http://" + address
			close(serving)
			break
		}
	}
	_, _ = io.Copy(io.Discard, log)
}

// stop ends the server as an operator would.
func (s *server) stop() error {
	if s == nil {
		return nil
	}
	err := s.command.Process.Signal(syscall.SIGTERM)
	select {
	case ended := <-s.ended:
		return errors.Join(err, ended)
	case <-time.After(40 * time.Second):
		return errors.Join(err, s.command.Process.Kill())
	}
}

func (s *server) pid() string { return strconv.Itoa(s.command.Process.Pid) }

// memory reads a line of /proc in bytes; zero where there is none.
func (s *server) memory(field string) int64 {
	status, err := os.ReadFile("/proc/" + s.pid() + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		if value, found := strings.CutPrefix(line, field+":"); found {
			kilobytes, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// Fields of memory: what is held now, what of it is no file, and the most that ever was held.
const (
	resident = "VmRSS"
	private  = "RssAnon"
	peak     = "VmHWM"
)

// metric reads a number that the server counts.
func (s *server) metric(ctx context.Context, name string) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.metrics+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("reading metrics: %w", err)
	}
	defer func() { _ = w.Body.Close() }()
	lines := bufio.NewScanner(w.Body)
	for lines.Scan() {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("the server has no metric %s", name)
}

// clockTicks is the unit of /proc/PID/stat on Linux.
const clockTicks = 100

// processTime reads user and system time from /proc; zero where there is none.
func processTime(pid string) time.Duration {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / clockTicks
}
