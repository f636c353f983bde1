package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// Operations that the cases use most.
const (
	postEntry      = "/v1/ledger/journal/transactions/create"
	reverseEntry   = "/v1/ledger/journal/transactions/reverse"
	getEntry       = "/v1/ledger/journal/transactions/get"
	listEntries    = "/v1/ledger/journal/transactions/list"
	newSale        = "/v1/sales/invoices/create"
	issueSale      = "/v1/sales/invoices/issue"
	cancelSale     = "/v1/sales/invoices/cancel"
	listSales      = "/v1/sales/invoices/list"
	newPurchase    = "/v1/purchases/invoices/create"
	createPartner  = "/v1/partners/create"
	lookUpKey      = "/v1/idempotency/keys/get"
	listRejections = "/v1/idempotency/rejections/list"
	getRejection   = "/v1/idempotency/rejections/get"
)

// day is the date of most documents of the cases.
const day = "2026-02-10"

// world is an engine and the server process that the cases of a test share, each in companies of its own.
type world struct {
	engine *testkit.Engine
	server *process.Server
}

func (w *world) company(t *testing.T) (*process.Client, *testkit.Company) {
	t.Helper()
	return w.server.Company(t, w.engine)
}

// runCases runs the cases on every engine; afterwards all books must be in order.
func runCases(t *testing.T, cases map[string]func(*testing.T, *world)) {
	t.Helper()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		w := &world{engine: e, server: process.Start(t, e)}
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			t.Run(name, func(t *testing.T) { cases[name](t, w) })
		}
		process.RequireVerified(t, e)
	})
}

// entry moves an amount from the owners to the bank.
func entry(amount string) body {
	return body{"date": day, "entries": []body{{"accountCode": "2710", "debit": amount}, {"accountCode": "3011", "credit": amount}}}
}

func newBuyer(t *testing.T, c *process.Client, name string) string {
	t.Helper()
	return c.OK(t, createPartner, body{"name": name}, nil).ID(t)
}

// sale is a draft of one line; more adds or replaces members.
func sale(partner, price string, more body) body {
	b := body{"partnerId": partner, "issueDate": day, "lines": []body{{"description": "x", "unitPriceExclVat": price}}}
	maps.Copy(b, more)
	return b
}

func draftSale(t *testing.T, c *process.Client, partner, price string, more body) string {
	t.Helper()
	return c.OK(t, newSale, sale(partner, price, more), nil).ID(t)
}

func issuedSale(t *testing.T, c *process.Client, partner, price string, more body) document {
	t.Helper()
	var d document
	c.OK(t, issueSale, body{"id": draftSale(t, c, partner, price, more)}, &d)
	return d
}

// supplierInvoice is a supplier's document of one line.
func supplierInvoice(partner, number, price string) body {
	return body{
		"partnerId": partner, "documentNumber": number, "documentDate": day,
		"lines": []body{{"description": "x", "unitPriceExclVat": price, "vatRatePercent": "21"}},
	}
}

// owed is what is open on a document.
func owed(t *testing.T, c *process.Client, document string) string {
	t.Helper()
	var page struct {
		Rows []struct {
			DocumentID string `json:"documentId"`
			Open       string `json:"open"`
		} `json:"rows"`
	}
	c.OK(t, "/v1/ledger/open-items/list", body{"pageSize": 200}, &page)
	for _, row := range page.Rows {
		if row.DocumentID == document {
			return row.Open
		}
	}
	t.Fatalf("nothing was ever owed on %s", document)
	return ""
}

// balances are the closing balances of the company's accounts by code; the books must balance.
func balances(t *testing.T, c *process.Client) map[string]string {
	t.Helper()
	var report struct {
		Rows []struct {
			Code    string `json:"code"`
			Closing string `json:"closing"`
		} `json:"rows"`
		Totals struct {
			Debit  string `json:"debit"`
			Credit string `json:"credit"`
		} `json:"totals"`
	}
	c.OK(t, "/v1/reports/trial-balance", body{"fromDate": "2020-01-01", "toDate": "2199-12-31"}, &report)
	require.Equal(t, report.Totals.Debit, report.Totals.Credit)
	closing := map[string]string{}
	for _, row := range report.Rows {
		closing[row.Code] = row.Closing
	}
	return closing
}

// total is how many rows a list has.
func total(t *testing.T, c *process.Client, path string, filter ...body) int {
	t.Helper()
	request := body{"pageSize": 1}
	if len(filter) > 0 {
		request["filter"] = filter
	}
	var page struct {
		Total int `json:"total"`
	}
	c.OK(t, path, request, &page)
	return page.Total
}

func where(field string, value any) body { return body{"field": field, "op": "eq", "value": value} }

// together sends n requests at once.
func together(n int, send func(i int) process.Answer) []process.Answer {
	answers := make([]process.Answer, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { answers[i] = send(i) })
	}
	wait.Wait()
	return answers
}

// spread sends n requests through a few callers at a time.
func spread(n, callers int, send func(i int)) {
	next := make(chan int)
	var wait sync.WaitGroup
	for range callers {
		wait.Go(func() {
			for i := range next {
				send(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

// statuses counts answers by status.
func statuses(answers []process.Answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.Status]++
	}
	return counts
}

// requireReplayed checks that an answer is the stored one of the first.
func requireReplayed(t *testing.T, first, again process.Answer) {
	t.Helper()
	require.Equal(t, http.StatusOK, again.Status, "%s", again.Body)
	require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
	require.Equal(t, string(first.Body), string(again.Body))
}

// requireRan checks that an answer is the first one under its key.
func requireRan(t *testing.T, a process.Answer) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	require.Empty(t, a.Header.Get("Idempotent-Replayed"))
}

// held sends a request that stays a while before its commit, and returns when it is there.
func held(t *testing.T, c *process.Client, path string, request body, key string, wait time.Duration) <-chan process.Answer {
	t.Helper()
	done := make(chan process.Answer, 1)
	go func() {
		a, err := c.Try(t, path, request, process.Key(key), process.Fault(fmt.Sprint("hold-before-commit=", wait)))
		if err == nil {
			done <- a
		}
		close(done)
	}()
	await(t, "the request does not run", func() bool { return keyState(t, c, key) == "running" })
	return done
}

// await asks until it is so.
func await(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for end := time.After(waitLimit); !isSo(); time.Sleep(poll) {
		select {
		case <-end:
			t.Fatal(what)
		default:
		}
	}
}

// keyState is what the server says about a key: running, done, failed, or nothing for a free one.
func keyState(t *testing.T, c *process.Client, key string) string {
	t.Helper()
	a := c.Post(t, lookUpKey, body{"key": key})
	if a.Status == http.StatusNotFound {
		return ""
	}
	var found struct {
		State string `json:"state"`
	}
	a.Read(t, &found)
	return found.State
}
