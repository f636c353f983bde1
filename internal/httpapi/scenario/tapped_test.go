package scenario_test

import (
	"log/slog"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/testkit/tap"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// tapped is a server without background work whose statements to MySQL can be looked at, and a caller in a company of its own.
type tapped struct {
	*process.Client
	company *testkit.Company
	tap     *tap.Tap
}

func newTapped(t *testing.T, e *testkit.Engine) *tapped {
	t.Helper()
	slog.SetLogLoggerLevel(slog.LevelWarn) // a line per request would bury a failure
	address, err := url.Parse(e.URL)
	require.NoError(t, err)
	line := tap.Start(t, address.Host)
	address.Host = line.Address()
	db, err := database.Open(t.Context(), address.String(), database.Options{MaxConnections: 4})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	store, tokens := tenant.NewStore(db, clock.System{}), process.Tokens(t)
	vault, err := delivery.NewVault(webhookKey)
	require.NoError(t, err)
	api, err := httpapi.New(httpapi.Dependencies{
		Store: store, Tokens: tokens, Runner: idempotency.NewRunner(store, idempotency.DefaultTTL), Version: "test",
		Desk: account.NewDesk(tokens, account.DeskOptions{PublicURL: "http://localhost"}), Depot: files.NewDepot(t.TempDir()),
		Webhooks: delivery.Policy{Vault: vault}, Letters: letter.NewOffice(mail.NewLog()),
	})
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	company := e.Company(t)
	c := process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: company.Scope.Company().ID}))
	c.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil)
	return &tapped{c, company, line}
}

// webhookKey keeps the secrets of subscriptions; a server process that is to send events needs it too.
const webhookKey = "a key of webhooks of tests, which is long enough"

// statements are those of one request, which must succeed.
func (s *tapped) statements(t *testing.T, path string, request body, headers ...process.Header) []string {
	t.Helper()
	s.tap.Take()
	s.OK(t, path, request, nil, headers...)
	return s.tap.Take()
}
