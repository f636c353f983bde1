//go:build !unix

package mysqltest

import (
	"context"
	"errors"
)

// startPrivate is missing here: the supervisor needs a POSIX shell.
func startPrivate(context.Context, installation, []string) (*Server, error) {
	return nil, errors.New("a private MySQL is started on Unix only: set " + EnvDSN)
}
