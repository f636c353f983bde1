package webhook_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/webhook"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

const (
	crashes    = 50
	webhookKey = "the webhook key of test servers, long enough"
)

// receiverLog is what a receiver got: bodies by webhook-id.
type receiverLog struct {
	mu     sync.Mutex
	bodies map[string][]string
}

func (l *receiverLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := r.Header.Get("webhook-id")
	l.bodies[id] = append(l.bodies[id], string(body))
	w.WriteHeader(http.StatusNoContent)
}

// B-170 and B-178: the server is killed fifty times between sending an event and writing that down, and starts again.
// Every event is delivered at least once, always under the same id and with the same bytes, and none is lost.
func TestKilledBetweenSendAndMark(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		received := &receiverLog{bodies: map[string][]string{}}
		endpoint := httptest.NewServer(received)
		t.Cleanup(endpoint.Close)
		c := e.Company(t)
		vault, err := delivery.NewVault(webhookKey)
		require.NoError(t, err)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, _, err := delivery.Create(ctx, tx, delivery.Policy{Vault: vault, AllowPrivate: true}, delivery.CreateInput{
				URL: endpoint.URL, Events: []string{"*"},
			})
			return err
		})
		publish := func() {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				return webhook.Publish(ctx, tx, webhook.Event{Type: "sale_invoice.issued", ObjectType: "sale_invoice", ObjectID: tenant.NewID()})
			})
		}
		environment := []string{"VIENKART_WEBHOOK_KEY=" + webhookKey, "VIENKART_WEBHOOK_ALLOW_PRIVATE=true"}
		for range crashes {
			server := process.Start(t, e, append(environment, "VIENKART_FAULT=kill-webhook-after-send:1")...)
			claimsRunOut(t, c)
			publish()
			server.WaitEnd(t)
		}
		server := process.Start(t, e, environment...)
		claimsRunOut(t, c)
		var rows []delivery.Delivery
		require.Eventually(t, func() bool {
			rows = deliveries(t, c)
			for _, d := range rows {
				if d.Status != delivery.StatusDelivered {
					return false
				}
			}
			return len(rows) == crashes
		}, 30*time.Second, 50*time.Millisecond)
		server.Stop(t)

		received.mu.Lock()
		defer received.mu.Unlock()
		sent := 0
		for _, d := range rows {
			bodies := received.bodies[d.EventID.String()]
			require.NotEmpty(t, bodies, "delivered at least once")
			require.GreaterOrEqual(t, d.Attempts, len(bodies), "the list of deliveries knows of every attempt")
			for _, body := range bodies {
				require.Equal(t, bodies[0], body)
			}
			sent += len(bodies)
		}
		require.Len(t, received.bodies, crashes, "nothing came under another id")
		require.Greater(t, sent, crashes, "what was sent and not marked was sent again")
		process.RequireVerified(t, e)
	})
}

// claimsRunOut is the time that a dead server's claims take to run out.
func claimsRunOut(t *testing.T, c *testkit.Company) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "UPDATE webhook_deliveries SET claimed_at = '2026-01-01 00:00:00.000000' WHERE company_id = @company AND claim IS NOT NULL")
		return err
	})
}

func deliveries(t *testing.T, c *testkit.Company) []delivery.Delivery {
	t.Helper()
	var rows []delivery.Delivery
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		rows, err = tenant.Find[delivery.Delivery](ctx, r, "")
		return err
	})
	return rows
}
