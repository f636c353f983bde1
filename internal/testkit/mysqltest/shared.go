package mysqltest

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
)

// shared is the server of this test process. Nothing stops it: the end of the
// process does.
var shared = sync.OnceValues(func() (*Server, error) { return Start(context.Background()) })

// SharedServer is Shared for code that has no test at hand. It returns
// ErrUnavailable when there is no MySQL.
func SharedServer() (*Server, error) { return shared() }

// Shared returns the one server of this test process, and starts it for the
// first caller. It skips the test under -short, and where no MySQL is to be
// found. Under CI, where a skipped engine would go unnoticed, the latter fails
// the test instead.
func Shared(t testing.TB) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("MySQL is left out by -short")
	}
	server, err := shared()
	switch {
	case err == nil:
		return server
	case errors.Is(err, ErrUnavailable) && !UnderCI():
		t.Skipf("NOT TESTED ON MYSQL: %v", err)
	default:
		t.Fatalf("starting MySQL: %v", err)
	}
	return nil
}

// UnderCI tells whether this is a build server, by the variable CI that they
// all set.
func UnderCI() bool {
	value := os.Getenv("CI")
	return value != "" && value != "false" && value != "0"
}
