package walk_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

const partnersCreate = "/v1/partners/create"

func simulate(wish string) process.Header { return process.Header{"Vienkart-Simulate", wish} }

func TestSimulate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := startServer(t, e)
		sandbox := e.Company(t, func(c *tenant.Company) { c.IsSandbox = true })
		c := process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: sandbox.Scope.Company().ID}))
		request := body{"name": "UAB Vienas"}
		total := func() int {
			var page struct {
				Total int `json:"total"`
			}
			c.OK(t, "/v1/partners/list", body{}, &page)
			return page.Total
		}

		c.Post(t, partnersCreate, request, process.Key("E"), simulate("error")).RequireRefused(t, http.StatusInternalServerError, "internal")
		c.Post(t, partnersCreate, request, process.Key("P"), simulate("in-progress")).
			RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
		c.Post(t, partnersCreate, request, process.Key("X"), simulate("explode")).RequireRefused(t, http.StatusBadRequest, "validation")
		require.Zero(t, total(), "nothing was done")
		c.OK(t, partnersCreate, request, nil, process.Key("E"))
		require.Equal(t, 1, total(), "the retry does it")

		_, err := c.Try(t, partnersCreate, request, process.Key("D"), simulate("drop-response"))
		require.Error(t, err, "the connection is closed without an answer")
		require.Equal(t, 2, total(), "and the work is done")
		retry := c.OK(t, partnersCreate, request, nil, process.Key("D"))
		require.Equal(t, "true", retry.Header.Get("Idempotent-Replayed"))
		require.Equal(t, 2, total())
		_, err = c.Try(t, partnersCreate, body{"name": ""}, simulate("drop-response"))
		require.NoError(t, err, "a refusal is answered")

		start := e.Store.Clock().Now()
		c.OK(t, partnersCreate, request, nil, process.Key("S"), simulate("slow"))
		require.GreaterOrEqual(t, e.Store.Clock().Now().Sub(start), 5*time.Second)

		honest, _ := server.Company(t, e)
		a := honest.OK(t, partnersCreate, request, nil, process.Key("E"), simulate("error"))
		require.Contains(t, a.Header.Get("Vienkart-Simulate"), "ignored")
		require.Equal(t, "error", c.Post(t, partnersCreate, request, process.Key("Z"), simulate("error")).Header.Get("Vienkart-Simulate"))
	})
}
