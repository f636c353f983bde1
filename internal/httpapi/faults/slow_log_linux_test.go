package faults_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestKilledDatabaseWithASlowLog delays each write of the database's log and kills it as soon as a twin is told of the effect.
// InnoDB shows a commit before its log is written, so the twin must be told later than it could see it, or the kill takes back
// what was acknowledged.
func TestKilledDatabaseWithASlowLog(t *testing.T) {
	t.Parallel()
	database := mysqltest.Crash(t, "")
	e := testkit.OnServer(t, database.Server)
	r := newRig(t, e, e, plain, plain)
	s := r.sender(1)
	s.isSteady = true
	r.twinOneIn = 1 << 30
	s.do(story{mark: "before"}.post(0)) // what is read once is in memory from here on
	slowDown(t, filepath.Join(database.Folder(), "server.pid"))

	d := story{mark: "slow"}.post(0)
	r.model.ask(d)
	first := make(chan struct{})
	go func() {
		defer close(first)
		_, _ = r.client.At(r.address(0)).Within(patience).Try(t, paths[d.kind], d.request, process.Key(d.key)) // its answer is lost
	}()
	isTold := func() bool {
		a, err := r.client.At(r.address(1)).Within(patience).Try(t, paths[d.kind], d.request, process.Key(d.key))
		if err != nil || a.Status != http.StatusOK {
			return false
		}
		r.model.acknowledge(d, string(a.Body))
		return true
	}
	time.Sleep(pause)
	require.Eventually(t, isTold, patience, pause)
	require.NoError(t, database.Kill())
	require.NoError(t, database.Restart(t.Context()))
	<-first
	r.injected++
	require.Equal(t, 1, count(t, r.company, facets[posted][0].query)[d.mark], "what was acknowledged is there")
	r.finish()
}

// slowDown delays what a process writes into files, until its end.
func slowDown(t *testing.T, pidFile string) {
	t.Helper()
	tracer, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("NOT TESTED WITH A SLOW LOG: delaying what the database writes needs strace")
	}
	pid, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	trace := exec.Command(tracer, "-f", "-qq", "-o", filepath.Join(t.TempDir(), "trace"),
		"-e", "trace=pwrite64,fdatasync", "-e", "inject=pwrite64,fdatasync:delay_enter=1000000", "-p", strings.TrimSpace(string(pid)))
	require.NoError(t, trace.Start())
	ended := make(chan error, 1)
	go func() { ended <- trace.Wait() }()
	t.Cleanup(func() { _ = trace.Process.Kill() })
	select {
	case err := <-ended:
		t.Skipf("NOT TESTED WITH A SLOW LOG: this machine lets nobody trace: %v", err)
	case <-time.After(time.Second):
	}
}
