//go:build unix

package galera_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

const (
	postEntry   = "/v1/ledger/journal/transactions/create"
	listEntries = "/v1/ledger/journal/transactions/list"
	lockMonth   = "/v1/ledger/periods/lock"
)

type body = map[string]any

// entry moves an amount from the owners to the bank.
func entry(date, amount string) body {
	return body{"date": date, "entries": []body{{"accountCode": "2710", "debit": amount}, {"accountCode": "3011", "credit": amount}}}
}

// world is a cluster of three nodes with a server on each of the first two.
type world struct {
	cluster *mysqltest.Cluster
	engines []*testkit.Engine // of each node
	servers []*process.Server
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{cluster: mysqltest.Galera(t, 3)}
	first, err := testkit.On(w.cluster.Nodes[0].Server(t))
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, first.DB.Close())
		require.NoError(t, first.Admin.Close())
	})
	for _, node := range w.cluster.Nodes {
		e := *first
		address, err := url.Parse(e.URL)
		require.NoError(t, err)
		address.Host = node.Address
		e.URL = address.String()
		w.engines = append(w.engines, &e)
	}
	for _, e := range w.engines[:2] {
		server := process.Start(t, e)
		w.servers = append(w.servers, server)
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(server.Log())
			}
		})
	}
	return w
}

// company is a new one, with a client on each server.
func (w *world) company(t *testing.T) []*process.Client {
	t.Helper()
	c, _ := w.servers[0].Company(t, w.engines[0])
	return []*process.Client{c, c.At(w.servers[1].URL)}
}

// requireInOrder verifies the books as every node has them.
func (w *world) requireInOrder(t *testing.T) {
	t.Helper()
	for i, e := range w.engines {
		w.cluster.Nodes[i].AwaitSynced(t)
		process.RequireVerified(t, e)
	}
}

// atOnce sends a request to each server at once.
func atOnce(send ...func() process.Answer) []process.Answer {
	answers := make([]process.Answer, len(send))
	var wait sync.WaitGroup
	for i := range send {
		wait.Go(func() { answers[i] = send[i]() })
	}
	wait.Wait()
	return answers
}

// meeting makes the transactions of two requests run side by side until both commit.
var meeting = process.Fault("hold-before-commit=250ms")

// total is how many rows a list has.
func total(t *testing.T, c *process.Client, path string) int {
	t.Helper()
	var page struct {
		Total int `json:"total"`
	}
	a := c.Insist(t, path, body{"pageSize": 1})
	require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	a.Read(t, &page)
	return page.Total
}
