package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// load is one operation measured: a client repeats once until the time is up.
type load struct {
	name string
	// mutations is how many mutations one repetition is, for the ratio.
	mutations int
	// status is what every answer must have.
	status  int
	prepare func(context.Context, *caller, company) error
	once    func(context.Context, *caller, company) error
}

var loads = []load{
	{name: "post a journal transaction of three entries", mutations: 1, once: postEntry},
	{name: "create and issue an invoice", mutations: 2, once: createAndIssue},
	{name: "create and register a supplier invoice", mutations: 2, once: createAndRegister},
	{name: "replay", mutations: 1, prepare: firstOfReplays, once: replay},
	{name: "reuse refused (422)", mutations: 1, prepare: firstOfReplays, once: reuse},
	{name: "trial balance", mutations: 1, once: trialBalance},
	{name: "list of invoices, filtered", mutations: 1, once: listInvoices},
}

// caller is one client.
type caller struct {
	http *http.Client
	url  string
	// posted counts the journal transactions that the server acknowledged.
	posted *atomic.Int64
}

func newCaller(h *house, connections int) *caller {
	transport := &http.Transport{
		MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, DisableCompression: true,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	}
	return &caller{http: &http.Client{Transport: transport, Timeout: time.Minute}, url: h.url, posted: &h.posted}
}

func (c *caller) post(ctx context.Context, to company, path, key, body string, want int) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+to.token)
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Body.Close() }()
	answer, err := io.ReadAll(w.Body)
	if err != nil {
		return nil, err
	}
	if w.StatusCode != want {
		return nil, fmt.Errorf("%s answered %d: %s", path, w.StatusCode, bytes.TrimSpace(answer))
	}
	return answer, nil
}

const entryBody = `{"date":"2026-03-02","description":"Load","entries":[{"accountCode":"2410","debit":"121.00"},` +
	`{"accountCode":"5000","credit":"100.00"},{"accountCode":"4492","credit":"21.00"}]}`

const postPath = "/v1/ledger/journal/transactions/create"

func postEntry(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, postPath, tenant.NewID().String(), entryBody, http.StatusOK)
	if err == nil {
		c.posted.Add(1)
	}
	return err
}

func createAndIssue(ctx context.Context, c *caller, to company) error {
	body := fmt.Sprintf(`{"partnerId":%q,"issueDate":"2026-03-02","lines":[{"description":"a","unitPriceExclVat":"10.00"},`+
		`{"description":"b","unitPriceExclVat":"20.00"},{"description":"c","unitPriceExclVat":"30.00"}]}`, to.partner)
	answer, err := c.post(ctx, to, "/v1/sales/invoices/create", tenant.NewID().String(), body, http.StatusOK)
	if err != nil {
		return err
	}
	id, err := draftID(answer)
	if err != nil {
		return err
	}
	_, err = c.post(ctx, to, "/v1/sales/invoices/issue", tenant.NewID().String(), fmt.Sprintf(`{"id":%q}`, id), http.StatusOK)
	return err
}

func draftID(answer []byte) (string, error) {
	var draft struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer, &draft); err != nil {
		return "", fmt.Errorf("reading the draft: %w", err)
	}
	return draft.ID, nil
}

func createAndRegister(ctx context.Context, c *caller, to company) error {
	body := fmt.Sprintf(`{"partnerId":%q,"documentNumber":"N %s","documentDate":"2026-03-02","lines":[`+
		`{"description":"a","unitPriceExclVat":"10.00","vatRatePercent":"21"},{"description":"b","unitPriceExclVat":"20.00","vatRatePercent":"21"},`+
		`{"description":"c","unitPriceExclVat":"30.00","vatRatePercent":"21"}]}`, to.partner, tenant.NewID())
	answer, err := c.post(ctx, to, "/v1/purchases/invoices/create", tenant.NewID().String(), body, http.StatusOK)
	if err != nil {
		return err
	}
	id, err := draftID(answer)
	if err != nil {
		return err
	}
	_, err = c.post(ctx, to, "/v1/purchases/invoices/register", tenant.NewID().String(),
		fmt.Sprintf(`{"id":%q,"registrationDate":"2026-03-02"}`, id), http.StatusOK)
	return err
}

const replayKey = "the key that is replayed"

func firstOfReplays(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, postPath, replayKey, entryBody, http.StatusOK)
	return err
}

func replay(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, postPath, replayKey, entryBody, http.StatusOK)
	return err
}

func reuse(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, postPath, replayKey, strings.Replace(entryBody, "Load", "Other", 1), http.StatusUnprocessableEntity)
	return err
}

func trialBalance(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, "/v1/reports/trial-balance", "", `{"fromDate":"2026-01-01","toDate":"2026-12-31"}`, http.StatusOK)
	return err
}

func listInvoices(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, "/v1/sales/invoices/list", "",
		`{"pageSize":50,"filter":[{"field":"status","op":"eq","value":"issued"},{"field":"issueDate","op":"gte","value":"2026-03-01"}]}`, http.StatusOK)
	return err
}

// measureLoad measures one operation at every number of clients.
func measureLoad(ctx context.Context, h *house, s settings, l load, tenants int, limit row, t *table) error {
	if s.only != "" && !strings.Contains(l.name, s.only) {
		return nil
	}
	for _, clients := range s.clients {
		c := newCaller(h, clients)
		if l.prepare != nil {
			for _, to := range h.companies[:tenants] {
				if err := l.prepare(ctx, c, to); err != nil {
					return err
				}
			}
		}
		r, err := loadRun(ctx, h, c, s.duration, l, tenants, clients)
		c.http.CloseIdleConnections()
		if err != nil {
			return err
		}
		t.add(r.finish(limit, l.mutations))
	}
	return nil
}

func loadRun(ctx context.Context, h *house, c *caller, duration time.Duration, l load, tenants, clients int) (row, error) {
	before := h.cpu()
	samples := make([][]time.Duration, clients)
	failed := make([]error, clients)
	var wait sync.WaitGroup
	start := now()
	// The time ends the loop, never a request: each one is acknowledged or failed, so that they can be counted afterwards.
	for i := range clients {
		wait.Go(func() {
			for n := 0; now().Sub(start) < duration; n++ {
				began := now()
				if failed[i] = l.once(ctx, c, h.companies[(i+n*clients)%tenants]); failed[i] != nil {
					return
				}
				samples[i] = append(samples[i], now().Sub(began))
			}
		})
	}
	wait.Wait()
	r := summarise(l.name, samples, now().Sub(start))
	r.tenants, r.clients = tenants, clients
	for _, err := range failed {
		if err != nil {
			return row{}, err
		}
	}
	r.cpu = h.cpu().minus(before)
	return r, nil
}
