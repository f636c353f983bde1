//go:build unix

package replica_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/health"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

const (
	postEntry    = "/v1/ledger/journal/transactions/create"
	trialBalance = "/v1/reports/trial-balance"
)

type body = map[string]any

var january = body{"fromDate": "2026-01-01", "toDate": "2026-01-31"}

// world is a primary and its replica, with the product's database on both.
type world struct {
	*mysqltest.Replicated
	engine *testkit.Engine
}

func newWorld(t *testing.T) *world {
	t.Helper()
	slog.SetLogLoggerLevel(slog.LevelWarn) // a line per request would bury a failure
	w := &world{Replicated: mysqltest.Replicate(t)}
	w.engine = testkit.OnServer(t, w.Primary.Server)
	w.Follow(t)
	return w
}

// shifted is a clock that a test moves.
type shifted struct {
	mu sync.Mutex
	by time.Duration
}

func (c *shifted) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return clock.System{}.Now().Add(c.by)
}

func (c *shifted) move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by += by
}

// uses counts what came of reports.
type uses struct {
	mu    sync.Mutex
	count map[tenant.ReplicaUse]int
}

func (u *uses) ReadReport(use tenant.ReplicaUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count[use]++
}

// take gives the counts since it was called last.
func (u *uses) take() map[tenant.ReplicaUse]int {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.count
	u.count = map[tenant.ReplicaUse]int{}
	return taken
}

func once(use tenant.ReplicaUse) map[tenant.ReplicaUse]int { return map[tenant.ReplicaUse]int{use: 1} }

// server is one that has just started, and has not asked its replica yet.
type server struct {
	url   string
	store *tenant.Store
	clock *shifted
	uses  *uses
}

func (w *world) server(t *testing.T, replicaURL string) *server {
	t.Helper()
	db, err := database.Open(t.Context(), w.engine.URL, database.Options{})
	require.NoError(t, err)
	r, err := db.OpenReplica(replicaURL, database.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = r.Close(), db.Close() })
	s := &server{clock: &shifted{}, uses: &uses{count: map[tenant.ReplicaUse]int{}}}
	s.store = tenant.NewStore(db, s.clock)
	s.store.UseReplica(r, s.uses)
	tokens := process.Tokens(t)
	api, err := httpapi.New(httpapi.Dependencies{
		Store: s.store, Tokens: tokens, Runner: idempotency.NewRunner(s.store, idempotency.DefaultTTL), Version: "test",
		Desk: account.NewDesk(tokens, account.DeskOptions{PublicURL: "http://localhost"}), Depot: files.NewDepot(t.TempDir()),
		Ready: health.NewChecker(tenant.NewSystem(s.store)).Report,
	})
	require.NoError(t, err)
	h := httptest.NewServer(api)
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

// follower is a server on the real replica.
func (w *world) follower(t *testing.T) *server {
	t.Helper()
	return w.server(t, w.ReplicaURL(w.engine.URL))
}

// through is the address of the replica behind a proxy.
func (w *world) through(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(w.engine.URL)
	require.NoError(t, err)
	u.Host = address
	return u.String()
}

// health is the state of the replica's check, with its text.
func (s *server) health(t *testing.T) (health.State, string) {
	t.Helper()
	report := health.NewChecker(tenant.NewSystem(s.store)).Report(t.Context())
	require.True(t, report.Serves(), "a replica takes no server out of service: %v", report)
	for _, c := range report.Checks {
		if c.Name == "replica" {
			return c.State, c.Detail
		}
	}
	t.Fatal("the replica is not looked at")
	return "", ""
}

// books is a company that a caller works in, on any server.
type books struct {
	*process.Client
	company *testkit.Company
	posted  int
}

func (w *world) books(t *testing.T, s *server) *books {
	t.Helper()
	company := w.engine.Company(t, func(c *tenant.Company) {
		code, number := "900000105", "LT999000060116"
		c.Code, c.VATCode = &code, &number
	})
	b := &books{process.NewClient(s.url, process.Token(t, tenant.Grant{Company: company.Scope.Company().ID})), company, 0}
	b.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil)
	b.post(t)
	return b
}

func entry(text string) body {
	return body{"date": "2026-01-15", "description": text, "entries": []body{
		{"accountCode": "2710", "debit": "1.00"}, {"accountCode": "3011", "credit": "1.00"},
	}}
}

// post books one euro.
func (b *books) post(t *testing.T) {
	t.Helper()
	b.posted++
	b.OK(t, postEntry, entry("one euro"), nil, process.Key(fmt.Sprint("post ", b.posted)))
}

// requireReport asks a server for a report, which must have all that was posted.
func (b *books) requireReport(t *testing.T, s *server) {
	t.Helper()
	require.Equal(t, fmt.Sprintf("%d.00", b.posted), debit(t, b.At(s.url)))
}

// debit is the turnover of the bank account in January.
func debit(t testing.TB, c *process.Client) string {
	t.Helper()
	var report struct {
		Rows []struct {
			Code  string `json:"code"`
			Debit string `json:"debit"`
		} `json:"rows"`
	}
	c.OK(t, trialBalance, january, &report)
	for _, r := range report.Rows {
		if r.Code == "2710" {
			return r.Debit
		}
	}
	return "none"
}

// logged are the lines that something logs. No other test runs meanwhile.
func logged(t *testing.T, do func()) string {
	t.Helper()
	var lines bytes.Buffer
	var mu sync.Mutex
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(locked{&mu, &lines}, nil)))
	defer slog.SetDefault(before)
	do()
	mu.Lock()
	defer mu.Unlock()
	return lines.String()
}

type locked struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// read is a report of one number, which the test may disturb.
func read(s *server, b *books, disturb func()) (runs int, err error) {
	err = s.store.ReportSnapshot(context.Background(), b.company.Scope, func(ctx context.Context, r tenant.ReadTx) error {
		runs++
		if runs == 1 {
			disturb()
		}
		var n int
		_, err := tenant.QueryRow(ctx, r, "SELECT COUNT(*) FROM journal_transactions WHERE company_id = @company", nil, &n)
		return err
	})
	return runs, err
}
