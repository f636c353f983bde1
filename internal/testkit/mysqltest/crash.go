//go:build unix

package mysqltest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// durable are the settings of a server that keeps what it acknowledged, as the deployed one does: the others trade that
// for speed, which only a test can afford that never kills the database.
var durable = []string{
	"--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=1",
	// Small, so that a test of a full disk has little to fill. Each kind knows its own name for the size of the log.
	"--loose-innodb-log-file-size=16M", "--loose-innodb-redo-log-capacity=16M", "--innodb-buffer-pool-size=32M",
}

// Crashing is a private server with durable settings that a test may kill and start again, on the same port and the
// same data.
type Crashing struct {
	*Server
	binaries installation
	folder   string
	port     int
	password string
	flags    []string
	// keeper removes the folder when this process ends, in whatever way; life is the server that runs.
	keeper, life *supervised
}

// Crash starts one whose folder is made in parent, or in the folder of temporary files if that is empty. It skips as
// Shared does, and where the machine has no binary of a server. Flags win over those of all tests.
func Crash(t testing.TB, parent string, flags ...string) *Crashing {
	t.Helper()
	if testing.Short() {
		t.Skip("MySQL is left out by -short")
	}
	binaries, found := findInstallation()
	if !found {
		if UnderCI() {
			t.Fatal("killing the database needs a mariadbd or mysqld of this machine")
		}
		t.Skip("NOT TESTED ON MYSQL: killing the database needs a mariadbd or mysqld of this machine")
	}
	c, err := newCrashing(t.Context(), binaries, parent, flags)
	if err != nil {
		t.Fatalf("starting MySQL: %v", err)
	}
	t.Cleanup(func() {
		_ = c.root.Close()
		_ = c.life.end() // it may have been killed
		_ = c.keeper.end()
	})
	return c
}

func newCrashing(ctx context.Context, binaries installation, parent string, flags []string) (*Crashing, error) {
	folder, err := os.MkdirTemp(parent, "vienkart-mysql-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	c := &Crashing{binaries: binaries, folder: folder, password: rand.Text(), flags: append(slices.Clone(durable), flags...)}
	if err := prepare(ctx, binaries, folder, c.password); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if c.keeper, err = supervise(folder, []string{"sleep", "1000000"}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if c.port, err = freePort(ctx); err != nil {
		return nil, errors.Join(err, c.keeper.end())
	}
	if err := c.Restart(ctx); err != nil {
		return nil, errors.Join(err, c.keeper.end())
	}
	return c, nil
}

// Folder holds all files of the server.
func (c *Crashing) Folder() string { return c.folder }

// Address is where the server listens, host and port.
func (c *Crashing) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

// Kill ends the server as kill -9 does and waits for its end.
func (c *Crashing) Kill() error { return c.life.end() }

// Revive is Restart for a server that ended by itself, or is about to; it reports whether it had.
func (c *Crashing) Revive(ctx context.Context) (bool, error) {
	if c.root.PingContext(ctx) == nil {
		return false, nil
	}
	select {
	case <-c.life.ended:
	case <-time.After(startTimeout):
		return false, errors.New("the server answers nothing, and does not end")
	}
	return true, errors.Join(c.Kill(), c.Restart(ctx))
}

// Restart starts the server on what the one before left, and waits until it answers.
func (c *Crashing) Restart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	life, err := os.MkdirTemp("", "vienkart-mysql-life-") // goes with this process; the data stays
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	if c.life, err = supervise(life, serverCommand(c.binaries, c.folder, c.port, c.flags)); err != nil {
		return errors.Join(err, os.RemoveAll(life))
	}
	server, err := connect(ctx, tcpDSN(privateUser, c.password, c.Address(), ""), c.life.ended)
	if err != nil {
		return errors.Join(fmt.Errorf("%w; the end of its log:\n%s", err, lastLines(logFile(life))), c.life.end())
	}
	if c.Server != nil {
		_ = c.root.Close()
	}
	c.Server = server
	server.Origin, server.stop = "private "+c.binaries.server+" on "+c.Address(), c.life.end
	return nil
}
