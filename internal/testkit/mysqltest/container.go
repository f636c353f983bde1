package mysqltest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"
)

const (
	image = "mysql"
	tag   = "8.4"
	// containerSeconds is how long a container may live when the process that
	// started it dies without stopping it: longer than any test run.
	containerSeconds = 3600
	mysqlPort        = "3306/tcp"
)

func startContainer(ctx context.Context, flags []string) (*Server, error) {
	pool, err := dockertest.NewPool("")
	if err != nil {
		return nil, errors.Join(ErrUnavailable, err)
	}
	if err := pool.Client.PingWithContext(ctx); err != nil {
		return nil, errors.Join(ErrUnavailable, err)
	}
	password := rand.Text()
	container, err := pool.RunWithOptions(&dockertest.RunOptions{
		Repository:   image,
		Tag:          tag,
		Env:          []string{"MYSQL_ROOT_PASSWORD=" + password},
		Cmd:          serverFlags(flags...),
		PortBindings: map[docker.Port][]docker.PortBinding{mysqlPort: {{HostIP: "127.0.0.1"}}},
	}, func(host *docker.HostConfig) { host.AutoRemove = true })
	if err != nil {
		return nil, fmt.Errorf("starting a %s:%s container: %w", image, tag, err)
	}
	remove := func() error { return pool.Purge(container) }
	if err := container.Expire(containerSeconds); err != nil {
		return nil, errors.Join(fmt.Errorf("limiting the life of the container: %w", err), remove())
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	address := container.GetHostPort(mysqlPort)
	server, err := connect(ctx, tcpDSN("root", password, address, ""), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting a %s:%s container: %w", image, tag, err), remove())
	}
	server.Origin = "container " + image + ":" + tag + " on " + address
	server.stop = remove
	return server, nil
}
