package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// durable are the settings of a server that loses nothing: the figures of a faster one would promise too much.
var durable = []string{
	"--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=1", "--log-bin=binlog", "--server-id=1", "--sync-binlog=1",
	"--binlog-format=ROW", "--innodb-buffer-pool-size=2G", "--innodb-log-file-size=1G",
}

const secret = "the secret of a benchmark, long enough for HS256"

// company is a tenant of the load.
type company struct {
	id      tenant.ID
	token   string
	partner tenant.ID
}

// house is everything that runs: database, server, tenants.
type house struct {
	mysql     *mysqltest.Server
	admin     *database.DB
	raw       *sql.DB // a pool on a database of its own for the raw limit
	rawConfig *mysql.Config
	server    *exec.Cmd
	ended     chan error
	url       string
	appURL    string
	companies []company
	posted    atomic.Int64
	folder    string
}

func open(ctx context.Context, tenants int) (*house, error) {
	h := &house{ended: make(chan error, 1)}
	var err error
	if h.folder, err = os.MkdirTemp("", "vienkart-bench-"); err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	if h.mysql, err = mysqltest.StartWith(ctx, durable...); err != nil {
		return nil, fmt.Errorf("starting the database: %w", err)
	}
	fresh, err := h.mysql.LastingDatabase(ctx)
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	if h.admin, err = database.Open(ctx, fresh.AdminURL, database.Options{}); err != nil {
		return nil, errors.Join(err, h.close())
	}
	if _, err = h.admin.Migrate(ctx); err != nil {
		return nil, errors.Join(err, h.close())
	}
	if err = h.admin.Grant(ctx, fresh.AppUser); err != nil {
		return nil, errors.Join(err, h.close())
	}
	h.appURL = fresh.AppURL
	if err = h.found(ctx, tenants); err != nil {
		return nil, errors.Join(err, h.close())
	}
	if err = h.openRaw(ctx); err != nil {
		return nil, errors.Join(err, h.close())
	}
	if err = h.start(ctx, fresh.AppURL); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// found makes the companies, each with a chart of accounts and a customer.
func (h *house) found(ctx context.Context, tenants int) error {
	store := tenant.NewStore(h.admin, clock.System{})
	system := tenant.NewSystem(store)
	tokens, err := tenant.NewTokens(tenant.TokenConfig{Secret: secret, Issuer: "vienkart", Audience: "vienkart-api"}, clock.System{})
	if err != nil {
		return err
	}
	now := clock.At(clock.System{}.Now())
	for i := range tenants {
		c := company{id: tenant.NewID()}
		row := tenant.Company{
			ID: c.id, Name: fmt.Sprintf("UAB %d", i), IsVATPayer: true, CountryCode: "LT", TimeZone: "Europe/Vilnius",
			BaseCurrency: money.EUR, DefaultInvoiceCurrency: money.EUR, Status: tenant.CompanyActive, CreatedAt: now, UpdatedAt: now,
		}
		_, err := system.CreateCompany(ctx, row, "bench", func(ctx context.Context, tx tenant.Tx) error {
			if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
				return err
			}
			name, sells := "Customer and supplier", true
			p, err := partner.Create(ctx, tx, partner.Fields{Name: &name, IsSupplier: &sells})
			if err != nil {
				return err
			}
			c.partner = p.ID
			return nil
		})
		if err != nil {
			return fmt.Errorf("founding a company: %w", err)
		}
		if c.token, _, err = tokens.Sign(tenant.Grant{Company: c.id, Subject: "bench", Role: tenant.RoleAdmin, Life: 24 * time.Hour}); err != nil {
			return err
		}
		h.companies = append(h.companies, c)
	}
	return nil
}

// start builds the server and runs it as a user would.
func (h *house) start(ctx context.Context, url string) error {
	binary := filepath.Join(h.folder, "server")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/vienkart/vienkart/cmd/server")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the server: %w\n%s", err, out)
	}
	h.server = exec.Command(binary, "serve")
	h.server.Env = append(os.Environ(), "VIENKART_ADDR=127.0.0.1:0", "VIENKART_DATABASE_URL="+url, "VIENKART_JWT_SECRET="+secret, "VIENKART_LOG_LEVEL=info")
	output, err := h.server.StderrPipe()
	if err != nil {
		return fmt.Errorf("reading the server's log: %w", err)
	}
	if err := h.server.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(output)
		for lines.Scan() {
			if _, rest, found := strings.Cut(lines.Text(), "msg=serving address="); found {
				before, _, _ := strings.Cut(rest, " ")
				address <- before
				break
			}
		}
		_, _ = io.Copy(io.Discard, output)
		h.ended <- h.server.Wait()
	}()
	select {
	case a := <-address:
		h.url = "http://" + a
		return nil
	case err := <-h.ended:
		return fmt.Errorf("the server ended at once: %w", err)
	case <-time.After(30 * time.Second):
		return errors.New("the server does not start")
	}
}

// check looks whether the books of every company are right.
func (h *house) check(ctx context.Context) error {
	breaches, err := tenant.Verify(ctx, tenant.NewSystem(tenant.NewStore(h.admin, clock.System{})), ledger.Invariants)
	if err != nil {
		return fmt.Errorf("verifying the books: %w", err)
	}
	if len(breaches) > 0 {
		return fmt.Errorf("%d breaches, the first: %v", len(breaches), breaches[0])
	}
	// Each company also has the one transaction of its replays, under a key of its own.
	const query = `SELECT COUNT(*) - (SELECT COUNT(*) FROM idempotency_keys WHERE idempotency_key = ?)
		FROM journal_transactions WHERE description = 'Load'`
	var there int64
	if err := h.admin.Reader().QueryRowContext(ctx, query, []byte(replayKey)).Scan(&there); err != nil {
		return fmt.Errorf("counting what was posted: %w", err)
	}
	if there != h.posted.Load() {
		return fmt.Errorf("%d transactions were acknowledged and %d are there", h.posted.Load(), there)
	}
	return nil
}

// stop ends the server, if it runs.
func (h *house) stop() error {
	if h.server == nil || h.server.Process == nil {
		return nil
	}
	err := h.server.Process.Signal(syscall.SIGTERM)
	select {
	case ended := <-h.ended:
		return errors.Join(err, ended)
	case <-time.After(40 * time.Second):
		return errors.Join(err, h.server.Process.Kill())
	}
}

func (h *house) close() error {
	errs := []error{h.stop()}
	if h.raw != nil {
		errs = append(errs, h.raw.Close())
	}
	if h.admin != nil {
		errs = append(errs, h.admin.Close())
	}
	if h.mysql != nil {
		errs = append(errs, h.mysql.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(h.folder))...)
}
