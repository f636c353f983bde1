package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/vienkart/vienkart/internal/database"
)

// house is everything that runs for a measurement: database, server, tenants.
type house struct {
	engine    *engine
	address   string // of the database, for the server
	admin     *database.DB
	binary    string
	server    *server
	companies []company
	known     *acknowledged
	folder    string
}

// open starts an engine with companies and a server on it.
func open(ctx context.Context, engineName string, tenants int) (h *house, err error) {
	h = &house{known: newAcknowledged()}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close())
		}
	}()
	if h.folder, err = os.MkdirTemp("", "vienkart-bench-"); err != nil {
		return h, fmt.Errorf("making a folder: %w", err)
	}
	if h.binary, err = build(ctx, h.folder); err != nil {
		return h, err
	}
	if h.engine, err = startEngine(ctx, engineName, h.folder); err != nil {
		return h, err
	}
	if h.address, h.admin, err = h.engine.database(ctx); err != nil {
		return h, err
	}
	for i := range tenants {
		c, err := h.found(ctx, fmt.Sprintf("UAB %d", i))
		if err != nil {
			return h, err
		}
		h.companies = append(h.companies, c)
	}
	return h, h.start()
}

// start runs the server on the database.
func (h *house) start() (err error) {
	h.server, err = serve(h.binary, h.address, "VIENKART_METRICS_ADDR=127.0.0.1:0")
	return err
}

// restart begins with a fresh server.
func (h *house) restart() error {
	if err := h.server.stop(); err != nil {
		return err
	}
	return h.start()
}

// counted is what server and database have done so far.
type counted struct {
	server, database time.Duration // of the processors
	allocations      float64
	lockWaits        int64
}

func (h *house) counted(ctx context.Context) (counted, error) {
	c := counted{server: processTime(h.server.pid()), database: processTime(h.engine.pid)}
	var err, counting error
	c.allocations, err = h.server.metric(ctx, "go_memstats_mallocs_total")
	c.lockWaits, counting = h.engine.status(ctx, h.admin.Reader(), "Innodb_row_lock_waits")
	return c, errors.Join(err, counting)
}

func (c counted) minus(o counted) counted {
	return counted{c.server - o.server, c.database - o.database, c.allocations - o.allocations, c.lockWaits - o.lockWaits}
}

// check ends a measurement: the books of every company must be right, and hold what was acknowledged and nothing else. A fast wrong
// answer fails the run.
func (h *house) check(ctx context.Context) error {
	if err := h.known.check(ctx, h.admin.Reader()); err != nil {
		return fmt.Errorf("a fast wrong answer: %w", err)
	}
	began := now()
	command := exec.CommandContext(ctx, h.binary, "verify")
	command.Env = environment(h.address)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("a fast wrong answer: %w\n%s", err, out)
	}
	fmt.Fprintf(os.Stderr, "verified in %s\n", now().Sub(began).Round(time.Millisecond))
	return nil
}

func (h *house) close() error {
	errs := []error{h.server.stop()}
	if h.admin != nil {
		errs = append(errs, h.admin.Close())
	}
	return errors.Join(append(errs, h.engine.stop(), os.RemoveAll(h.folder))...)
}

// with opens a house for a measurement and the check that ends it.
func with(ctx context.Context, engineName string, tenants int, measure func(*house) error) (err error) {
	h, err := open(ctx, engineName, tenants)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if err := measure(h); err != nil {
		return err
	}
	return h.check(ctx)
}
