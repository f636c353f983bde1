package mysqltest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-sql-driver/mysql"
)

// EnvDSN names the variable with the DSN of a server to use instead of
// starting one. The form is that of go-sql-driver/mysql, and its user must be
// allowed to create databases and users and to grant.
const EnvDSN = "VIENKART_TEST_MYSQL_DSN"

// EnvContainer names the variable that asks for a MySQL in a container even where a local binary is to be found.
const EnvContainer = "VIENKART_TEST_MYSQL_CONTAINER"

// ErrUnavailable means that this machine has no MySQL in any of the three
// places. A server that was found and did not start is another error.
var ErrUnavailable = errors.New("no MySQL for tests: set " + EnvDSN +
	", install mariadb-server or mysql-server, or start a Docker engine")

const (
	// startTimeout bounds the wait for a started server to accept
	// connections; a cold one on a busy two-core machine takes ten seconds.
	startTimeout = 90 * time.Second
	// pollInterval is how often a starting server is asked.
	pollInterval = 50 * time.Millisecond
)

// Server is a running MySQL. It is safe for concurrent use.
type Server struct {
	// DSN connects as a user that may create databases and users. It names
	// no database.
	DSN string
	// Origin says where the server came from, for the log of a test run.
	Origin string

	root *sql.DB
	stop func() error
}

// Start finds a MySQL in this order: the server named by EnvDSN, a private one
// of a local mariadbd or mysqld (the one of EnvServer if that is set), a mysql:8.4 container. It returns
// ErrUnavailable when there is none. The caller calls Stop; a process that dies
// without doing so leaves no private server behind either.
func Start(ctx context.Context) (*Server, error) { return StartWith(ctx) }

// StartWith is Start for a private server or container with flags of the caller, which win over those of tests.
func StartWith(ctx context.Context, flags ...string) (*Server, error) {
	if dsn := os.Getenv(EnvDSN); dsn != "" {
		return named(ctx, dsn)
	}
	if installation, found := findInstallation(); found && os.Getenv(EnvContainer) == "" {
		return startPrivate(ctx, installation, flags)
	}
	return startContainer(ctx, flags)
}

// Stop ends a server that Start started, and leaves one named by EnvDSN alone.
func (s *Server) Stop() error {
	return errors.Join(s.root.Close(), s.stop())
}

func named(ctx context.Context, dsn string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	server, err := connect(ctx, dsn, nil)
	if err != nil {
		return nil, fmt.Errorf("using the server of %s: %w", EnvDSN, err)
	}
	server.Origin = EnvDSN
	server.stop = func() error { return nil }
	return server, nil
}

// connect waits until the server answers, until ctx ends, or until ended is
// closed because the server process is gone.
func connect(ctx context.Context, dsn string, ended <-chan struct{}) (*Server, error) {
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("reading the DSN: %w", err)
	}
	// The refusals of a starting server are expected, and are reported by the
	// error below when they do not end.
	config.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, fmt.Errorf("reading the DSN: %w", err)
	}
	root := sql.OpenDB(connector)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		err := root.PingContext(ctx)
		if err == nil {
			return &Server{DSN: dsn, root: root}, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("waiting for MySQL to answer: %w", err), root.Close())
		case <-ended:
			return nil, errors.Join(errServerEnded, root.Close())
		case <-tick.C:
		}
	}
}

var errServerEnded = errors.New("the server process ended while it was starting")

func tcpDSN(user, password, address, database string) string {
	config := mysql.NewConfig()
	config.User = user
	config.Passwd = password
	config.Net = "tcp"
	config.Addr = address
	config.DBName = database
	config.ParseTime = true
	config.Loc = time.UTC
	config.InterpolateParams = true
	return config.FormatDSN()
}
