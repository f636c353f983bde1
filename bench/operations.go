package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// caller is a number of clients.
type caller struct {
	http  *http.Client
	url   string
	known *acknowledged
	// first are the answers that replays must be equal to.
	first sync.Map
	// running is the key of requests that run until they are let go.
	running string
}

func (h *house) caller(connections int) *caller { return newCaller(h.server.url, h.known, connections) }

func newCaller(url string, known *acknowledged, connections int) *caller {
	transport := &http.Transport{
		MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, DisableCompression: true,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	}
	return &caller{http: &http.Client{Transport: transport, Timeout: 2 * time.Minute}, url: url, known: known}
}

// close frees the connections.
func (c *caller) close() { c.http.CloseIdleConnections() }

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

// mutate posts under a new key.
func (c *caller) mutate(ctx context.Context, to company, path, body string) ([]byte, error) {
	return c.post(ctx, to, path, tenant.NewID().String(), body, http.StatusOK)
}

// query posts without a key and drops the answer.
func (c *caller) query(ctx context.Context, to company, path, body string) error {
	_, err := c.post(ctx, to, path, "", body, http.StatusOK)
	return err
}

const (
	postPath  = "/v1/ledger/journal/transactions/create"
	entryText = "Load"
	entryBody = `{"date":"2026-03-02","description":"` + entryText + `","entries":[{"accountCode":"2410","debit":"121.00"},` +
		`{"accountCode":"5000","credit":"100.00"},{"accountCode":"4492","credit":"21.00"}]}`
)

func postEntry(ctx context.Context, c *caller, to company) error {
	answer, err := c.mutate(ctx, to, postPath, entryBody)
	if err != nil {
		return err
	}
	return c.known.once(entry, answer)
}

func createAndIssue(ctx context.Context, c *caller, to company) error {
	return c.sell(ctx, to, fmt.Sprintf(`{"partnerId":%q,"issueDate":"2026-03-02","lines":[{"description":"a","unitPriceExclVat":"10.00"},`+
		`{"description":"b","unitPriceExclVat":"20.00"},{"description":"c","unitPriceExclVat":"30.00"}]}`, to.partner))
}

// sell creates an invoice and issues it.
func (c *caller) sell(ctx context.Context, to company, body string) error {
	answer, err := c.mutate(ctx, to, "/v1/sales/invoices/create", body)
	if err != nil {
		return err
	}
	id, err := idOf(answer)
	if err != nil {
		return err
	}
	if answer, err = c.mutate(ctx, to, "/v1/sales/invoices/issue", fmt.Sprintf(`{"id":%q}`, id)); err != nil {
		return err
	}
	return c.known.once(sale, answer)
}

func createAndRegister(ctx context.Context, c *caller, to company) error {
	body := fmt.Sprintf(`{"partnerId":%q,"documentNumber":"N %s","documentDate":"2026-03-02","lines":[`+
		`{"description":"a","unitPriceExclVat":"10.00","vatRatePercent":"21"},{"description":"b","unitPriceExclVat":"20.00","vatRatePercent":"21"},`+
		`{"description":"c","unitPriceExclVat":"30.00","vatRatePercent":"21"}]}`, to.partner, tenant.NewID())
	answer, err := c.mutate(ctx, to, "/v1/purchases/invoices/create", body)
	if err != nil {
		return err
	}
	id, err := idOf(answer)
	if err != nil {
		return err
	}
	if answer, err = c.mutate(ctx, to, "/v1/purchases/invoices/register", fmt.Sprintf(`{"id":%q,"registrationDate":"2026-03-02"}`, id)); err != nil {
		return err
	}
	return c.known.once(supplierInvoice, answer)
}

const replayKey = "the key that is replayed"

func firstOfReplays(ctx context.Context, c *caller, to company) error {
	answer, err := c.post(ctx, to, postPath, replayKey, entryBody, http.StatusOK)
	if err != nil {
		return err
	}
	c.first.Store(to.id, string(answer))
	return c.known.again(entry, answer)
}

func replay(ctx context.Context, c *caller, to company) error {
	answer, err := c.post(ctx, to, postPath, replayKey, entryBody, http.StatusOK)
	if err != nil {
		return err
	}
	if first, found := c.first.Load(to.id); !found || string(answer) != first {
		return fmt.Errorf("a replay is another answer: %s", answer)
	}
	return nil
}

func reuse(ctx context.Context, c *caller, to company) error {
	_, err := c.post(ctx, to, postPath, replayKey, strings.Replace(entryBody, entryText, "Other", 1), http.StatusUnprocessableEntity)
	return err
}

func trialBalance(ctx context.Context, c *caller, to company) error {
	return c.query(ctx, to, "/v1/reports/trial-balance", `{"fromDate":"2026-01-01","toDate":"2026-12-31"}`)
}

func listInvoices(ctx context.Context, c *caller, to company) error {
	return c.query(ctx, to, "/v1/sales/invoices/list",
		`{"pageSize":50,"filter":[{"field":"status","op":"eq","value":"issued"},{"field":"issueDate","op":"gte","value":"2026-03-01"}]}`)
}
