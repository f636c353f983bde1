package delivery_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/webhook"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

const (
	patience = time.Minute
	glance   = 20 * time.Millisecond
	// quiet is long enough for a dispatcher to send what it should not.
	quiet = 1500 * time.Millisecond
)

// policy is one for all tests: on MySQL they share a database, and each one's dispatcher serves the others too.
func policy(t testing.TB) delivery.Policy {
	t.Helper()
	vault, err := delivery.NewVault("a key of tests that is long enough for it")
	require.NoError(t, err)
	return delivery.Policy{Vault: vault, AllowPrivate: true}
}

// request is what a receiver got.
type request struct {
	header http.Header
	body   []byte
	event  struct {
		ID   string
		Type string
		Data struct{ ID tenant.ID }
	}
}

// receiver is a real HTTP server that remembers what it got.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	got  []request
	next func(n int, r request) int // the status for the n-th request, from 0
}

// newReceiver answers with what next says, or with 204.
func newReceiver(t testing.TB, next func(n int, r request) int) *receiver {
	t.Helper()
	v := &receiver{next: next}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.WriteHeader(v.remember(request{header: r.Header.Clone(), body: body}))
	}))
	t.Cleanup(v.Close)
	return v
}

func (v *receiver) remember(r request) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := json.Unmarshal(r.body, &r.event, json.MatchCaseInsensitiveNames(true)); err != nil {
		return http.StatusBadRequest
	}
	n := len(v.got)
	v.got = append(v.got, r)
	if v.next == nil {
		return http.StatusNoContent
	}
	return v.next(n, r)
}

func (v *receiver) requests() []request {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]request(nil), v.got...)
}

// await waits until the receiver got n requests, and no more than n.
func (v *receiver) await(t testing.TB, n int) []request {
	t.Helper()
	require.Eventually(t, func() bool { return len(v.requests()) >= n }, patience, glance, "%d of %d requests came", len(v.requests()), n)
	require.Len(t, v.requests(), n)
	return v.requests()
}

// stays makes sure that nothing more comes.
func (v *receiver) stays(t testing.TB, n int) {
	t.Helper()
	require.Never(t, func() bool { return len(v.requests()) != n }, quiet, glance)
}

// office is a company with a dispatcher at work.
type office struct {
	*testkit.Company
	policy delivery.Policy
}

func newOffice(t testing.TB, e *testkit.Engine) office {
	t.Helper()
	return office{e.Company(t), policy(t)}
}

// dispatch runs a dispatcher until the test ends, as one more server would.
func dispatch(t testing.TB, e *testkit.Engine) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	d := delivery.NewDispatcher(e.System, policy(t))
	work.Go(func() { d.Run(ctx) })
	t.Cleanup(func() { stop(); work.Wait() })
}

func (o office) subscribe(t testing.TB, url string, events ...string) (*delivery.Subscription, string) {
	t.Helper()
	var s *delivery.Subscription
	var secret string
	if len(events) == 0 {
		events = []string{"*"}
	}
	o.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		s, secret, err = delivery.Create(ctx, tx, o.policy, delivery.CreateInput{URL: url, Events: events})
		return err
	})
	return s, secret
}

func (o office) update(t testing.TB, in delivery.UpdateInput) *delivery.Subscription {
	t.Helper()
	var s *delivery.Subscription
	o.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		s, err = delivery.Update(ctx, tx, o.policy, in)
		return err
	})
	return s
}

// issue publishes that an invoice was issued.
func issue(ctx context.Context, tx tenant.Tx, invoice tenant.ID) error {
	return webhook.Publish(ctx, tx, webhook.Event{Type: "sale_invoice.issued", ObjectType: "sale_invoice", ObjectID: invoice})
}

// issue publishes an event of each object.
func (o office) issue(t testing.TB, invoices ...tenant.ID) {
	t.Helper()
	for _, invoice := range invoices {
		o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return issue(ctx, tx, invoice) })
	}
}

func (o office) subscription(t testing.TB, id tenant.ID) *delivery.Subscription {
	t.Helper()
	var s *delivery.Subscription
	o.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		s, err = tenant.Get[delivery.Subscription](ctx, r, id)
		return err
	})
	return s
}

// deliveries are the rows of the company as stored, in the order of events.
func (o office) deliveries(t testing.TB) []delivery.Delivery {
	t.Helper()
	var rows []delivery.Delivery
	o.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		rows, err = tenant.Query[delivery.Delivery](ctx, r, "SELECT * FROM webhook_deliveries WHERE company_id = @company ORDER BY event_id")
		return err
	})
	return rows
}

// awaitStatus waits until every delivery of the company, n of them, has a status.
func (o office) awaitStatus(t testing.TB, n int, status delivery.Status) []delivery.Delivery {
	t.Helper()
	var rows []delivery.Delivery
	isSo := func() bool {
		rows = o.deliveries(t)
		return len(rows) == n && !slices.ContainsFunc(rows, func(d delivery.Delivery) bool { return d.Status != status || d.Claim != nil })
	}
	for end := o.Engine.Store.Clock().Now().Add(patience); !isSo(); time.Sleep(glance) {
		require.True(t, o.Engine.Store.Clock().Now().Before(end), "not %d deliveries, all %s, but %+v", n, status, rows)
	}
	return rows
}

// awaitFailures waits until the one delivery of the company has failed so often and waits for its next attempt.
func (o office) awaitFailures(t testing.TB, n int) delivery.Delivery {
	t.Helper()
	var rows []delivery.Delivery
	for end := o.Engine.Store.Clock().Now().Add(patience); ; time.Sleep(glance) {
		if rows = o.deliveries(t); len(rows) > 0 && rows[0].Failures == n && rows[0].Claim == nil {
			return rows[0]
		}
		require.True(t, o.Engine.Store.Clock().Now().Before(end), "the first has not failed %d times: %+v", n, rows)
	}
}

// due brings the next attempts forward, as if time had passed.
func (o office) due(t testing.TB) {
	t.Helper()
	o.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "UPDATE webhook_deliveries SET next_attempt_at = @now WHERE company_id = @company AND status = 'pending'")
		return err
	})
}

func ids(n int) []tenant.ID {
	list := make([]tenant.ID, n)
	for i := range list {
		list[i] = tenant.NewID()
	}
	return list
}

func requireSame(t testing.TB, a, b request) {
	t.Helper()
	require.Equal(t, a.header.Get("webhook-id"), b.header.Get("webhook-id"))
	require.True(t, bytes.Equal(a.body, b.body), "the bytes of an event never change")
}
