//go:build unix

package mysqltest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// EnvGalera names the variable that asks for tests on a Galera cluster: three servers are more than every run should pay for.
const EnvGalera = "VIENKART_TEST_GALERA"

// galeraLibraries are where distributions put the provider.
var galeraLibraries = []string{
	"/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so", "/usr/lib/libgalera_smm.so",
}

const (
	// galeraAccount is the user that the servers run as when the tests run as root: rsync as root would change to nobody and
	// could not write what a new node gets.
	galeraAccount = "mysql"
	// galeraPatience bounds the wait for a node to join; it gets a copy of everything, on a busy machine.
	galeraPatience = 3 * time.Minute
	galeraPoll     = 200 * time.Millisecond
)

// Cluster is a Galera cluster of this machine. Its nodes listen on loopback.
type Cluster struct {
	Nodes []*Node

	folder   string
	password string
	library  string
	binaries installation
}

// Node is one server of a cluster. Its address stays the same when it is started again.
type Node struct {
	Address string // host and port for clients

	cluster *Cluster
	name    string
	port    int
	group   int // port of the group communication
	resume  int // port that gets missed transactions
	copying int // port that gets a copy of everything
	running *supervised
	starts  int
	root    *sql.DB
}

// Galera starts a cluster and stops it when the test ends. It skips, and says how not to, unless EnvGalera is set.
func Galera(t testing.TB, nodes int) *Cluster {
	t.Helper()
	if os.Getenv(EnvGalera) == "" || testing.Short() {
		t.Skip("NOT TESTED ON GALERA: run make test-galera")
	}
	c := &Cluster{password: rand.Text()}
	var found bool
	c.binaries, found = findInstallation()
	require.True(t, found && c.binaries.installer != "", "a MariaDB is needed: apt-get install mariadb-server galera-4 rsync")
	for _, path := range galeraLibraries {
		if _, err := os.Stat(path); err == nil && c.library == "" {
			c.library = path
		}
	}
	require.NotEmpty(t, c.library, "the Galera provider is needed: apt-get install mariadb-server galera-4 rsync")
	var err error
	c.folder, err = os.MkdirTemp("", "vienkart-galera-")
	require.NoError(t, err)
	// It does nothing but end with this process and take the folder along.
	keeper, err := supervise(c.folder, []string{"sleep", "infinity"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, keeper.end()) })
	require.NoError(t, c.own(c.folder))
	for i := range nodes {
		require.NoError(t, c.add(t.Context(), i+1))
	}
	t.Cleanup(func() {
		for _, n := range c.Nodes {
			n.Kill(t)
		}
	})
	require.NoError(t, prepare(t.Context(), c.binaries, c.folder, c.password))
	require.NoError(t, os.Rename(dataFolder(c.folder), dataFolder(c.Nodes[0].folder())))
	require.NoError(t, c.own(dataFolder(c.Nodes[0].folder())))
	require.NoError(t, c.own(initFile(c.folder)))
	for i, n := range c.Nodes {
		if i == 0 {
			n.start(t, "--wsrep-new-cluster", "--init-file="+initFile(c.folder))
		} else {
			n.Start(t)
		}
		n.AwaitSynced(t)
	}
	return c
}

// own gives a folder and what is in it to the account that the servers run as.
func (c *Cluster) own(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	account, err := user.Lookup(galeraAccount)
	if err != nil {
		return fmt.Errorf("looking up the account of the servers: %w", err)
	}
	return exec.Command("chown", "-R", account.Uid+":"+account.Gid, path).Run() //nolint:gosec // a folder of ours
}

func (c *Cluster) add(ctx context.Context, number int) error {
	n := &Node{cluster: c, name: "node" + strconv.Itoa(number)}
	for _, port := range []*int{&n.port, &n.group, &n.resume, &n.copying} {
		var err error
		if *port, err = freePort(ctx); err != nil {
			return err
		}
	}
	n.Address = loopback(n.port)
	c.Nodes = append(c.Nodes, n)
	if err := os.MkdirAll(n.folder(), 0o750); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	if number > 1 {
		if err := os.MkdirAll(dataFolder(n.folder()), 0o750); err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
	}
	var err error
	n.root, err = sql.Open("mysql", tcpDSN(privateUser, c.password, n.Address, ""))
	return errors.Join(err, c.own(n.folder()))
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func (n *Node) folder() string { return filepath.Join(n.cluster.folder, n.name) }

// Server is the node as a server whose databases are those of the cluster.
func (n *Node) Server(t testing.TB) *Server {
	t.Helper()
	server, err := connect(t.Context(), tcpDSN(privateUser, n.cluster.password, n.Address, ""), nil)
	require.NoError(t, err)
	server.Origin, server.stop = "node of Galera on "+n.Address, func() error { return nil }
	return server
}

// command is what runs the node, with its files and without where it begins.
func (n *Node) command(more ...string) []string {
	flags := []string{
		n.cluster.binaries.server, "--no-defaults", "--datadir=" + dataFolder(n.folder()), "--tmpdir=" + n.folder(),
		"--socket=" + filepath.Join(n.folder(), "s"), "--pid-file=" + n.pidFile(),
		"--bind-address=127.0.0.1", "--port=" + strconv.Itoa(n.port),
	}
	if os.Geteuid() == 0 {
		flags = append(flags, "--user="+galeraAccount)
	}
	others := make([]string, 0, len(n.cluster.Nodes))
	for _, other := range n.cluster.Nodes {
		if other != n {
			others = append(others, loopback(other.group))
		}
	}
	return append(flags, serverFlags(append([]string{
		"--innodb-buffer-pool-size=64M", "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2",
		"--wsrep-on=ON", "--wsrep-provider=" + n.cluster.library, "--wsrep-cluster-name=" + filepath.Base(n.cluster.folder),
		"--wsrep-cluster-address=gcomm://" + strings.Join(others, ","),
		"--wsrep-node-name=" + n.name, "--wsrep-node-address=" + loopback(n.group),
		"--wsrep-sst-method=rsync", "--wsrep-sst-receive-address=" + loopback(n.copying),
		"--wsrep-provider-options=" + fmt.Sprintf("base_port=%d;gmcast.listen_addr=tcp://%s;ist.recv_addr=%s;gcache.size=64M",
			n.group, loopback(n.group), loopback(n.resume)),
	}, more...)...)...)
}

func (n *Node) pidFile() string { return filepath.Join(n.folder(), "server.pid") }

var recovered = regexp.MustCompile(`Recovered position:?\s*([0-9a-f-]{36}:-?\d+)`)

// Start starts a node that is new or was killed. As the service of a distribution does, it first asks the data how far they
// are, so that the node gets what it missed instead of a copy of everything.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	if n.starts == 0 {
		n.start(t)
		return
	}
	asked := n.command("--wsrep-recover")
	told, err := exec.CommandContext(t.Context(), asked[0], asked[1:]...).CombinedOutput() //nolint:gosec // made above
	require.NoError(t, err, "%s", told)
	if position := recovered.FindSubmatch(told); position != nil {
		n.start(t, "--wsrep-start-position="+string(position[1]))
		return
	}
	n.start(t)
}

func (n *Node) start(t testing.TB, more ...string) {
	t.Helper()
	n.starts++
	run := filepath.Join(n.folder(), fmt.Sprint("run", n.starts))
	require.NoError(t, os.MkdirAll(run, 0o750))
	var err error
	n.running, err = supervise(run, n.command(more...))
	require.NoError(t, err)
}

// Kill ends the node as kill -9 does. A node that is down stays so.
func (n *Node) Kill(t testing.TB) {
	t.Helper()
	if n.running == nil {
		return
	}
	require.NoError(t, n.running.end())
	n.running = nil
}

// Freeze stops the node from doing anything, as a machine that swaps or a virtual one that is moved, and Thaw lets it go on.
func (n *Node) Freeze(t testing.TB) { n.signal(t, syscall.SIGSTOP) }

// Thaw ends Freeze.
func (n *Node) Thaw(t testing.TB) { n.signal(t, syscall.SIGCONT) }

func (n *Node) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	text, err := os.ReadFile(n.pidFile())
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, s))
}

// Isolate cuts the node off from the others, which go on without it; Rejoin ends that.
func (n *Node) Isolate(t testing.TB) { n.isolate(t, 1) }

// Rejoin ends Isolate.
func (n *Node) Rejoin(t testing.TB) { n.isolate(t, 0) }

func (n *Node) isolate(t testing.TB, how int) {
	t.Helper()
	_, err := n.root.ExecContext(t.Context(), fmt.Sprintf("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=%d'", how))
	require.NoError(t, err)
}

// AwaitSynced waits until the node serves as a member of the whole cluster.
func (n *Node) AwaitSynced(t testing.TB) {
	t.Helper()
	n.await(t, "Synced", func(state, primary string) bool { return state == "Synced" && primary == "Primary" })
}

// AwaitCutOff waits until the node knows that it may not serve.
func (n *Node) AwaitCutOff(t testing.TB) {
	t.Helper()
	n.await(t, "cut off", func(_, primary string) bool { return primary != "Primary" })
}

func (n *Node) await(t testing.TB, what string, isSo func(state, primary string) bool) {
	t.Helper()
	var state, primary string
	for range int(galeraPatience / galeraPoll) {
		select {
		case <-n.running.ended:
			t.Fatalf("%s ended:\n%s", n.name, n.log())
		default:
		}
		if n.status(t, "wsrep_local_state_comment", &state) && n.status(t, "wsrep_cluster_status", &primary) && isSo(state, primary) {
			return
		}
		time.Sleep(galeraPoll)
	}
	t.Fatalf("%s is not %s (%s, %s):\n%s", n.name, what, state, primary, n.log())
}

func (n *Node) status(t testing.TB, name string, value *string) bool {
	t.Helper()
	return n.root.QueryRowContext(t.Context(), "SHOW GLOBAL STATUS LIKE '"+name+"'").Scan(&name, value) == nil
}

func (n *Node) log() string {
	return lastLines(logFile(filepath.Join(n.folder(), fmt.Sprint("run", n.starts))))
}
