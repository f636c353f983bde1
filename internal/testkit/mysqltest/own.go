package mysqltest

import (
	"context"
	"os"
	"testing"
)

// Own starts a server for one test alone, for those that change what all users of a server share. It is never the one of
// EnvDSN; flags win over those of tests. It skips as Shared does, and stops the server when the test ends.
func Own(t testing.TB, flags ...string) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("MySQL is left out by -short")
	}
	var server *Server
	var err error
	if installation, found := findInstallation(); found && os.Getenv(EnvContainer) == "" {
		server, err = startPrivate(context.Background(), installation, flags)
	} else {
		server, err = startContainer(context.Background(), flags)
	}
	if err != nil && !UnderCI() {
		t.Skipf("NOT TESTED ON MYSQL: %v", err)
	}
	if err != nil {
		t.Fatalf("starting MySQL: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("stopping MySQL: %v", err)
		}
	})
	return server
}
