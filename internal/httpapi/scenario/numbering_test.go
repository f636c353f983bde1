package scenario_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// issues is how many invoices are issued at once in one series; every fifth is made to fail.
const issues = 200

// TestNumbersHaveNoGaps issues many invoices at once, a fifth of which fails: the numbers are 1 to n, each once.
func TestNumbersHaveNoGaps(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := process.Start(t, e)
		c, _ := server.Company(t, e)
		partner := c.OK(t, "/v1/partners/create", body{"name": "Buyer"}, nil).ID(t)
		c.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 1}, nil)
		drafts := make([]string, issues)
		for i := range drafts {
			day := "2026-02-10"
			if i%5 == 0 {
				day = "2026-01-10" // a locked month: the whole transaction rolls back
			}
			drafts[i] = c.OK(t, "/v1/sales/invoices/create", body{
				"partnerId": partner, "issueDate": day, "lines": []body{{"description": "x", "unitPriceExclVat": "10.00"}},
			}, nil).ID(t)
		}
		numbers := make([]int, issues)
		var wait sync.WaitGroup
		for i, id := range drafts {
			wait.Go(func() {
				var d struct {
					Number int `json:"number"`
				}
				a := c.Insist(t, "/v1/sales/invoices/issue", body{"id": id}, process.Key(fmt.Sprint("issue ", i)))
				if a.Status != http.StatusOK {
					a.RequireRefused(t, http.StatusConflict, "ledger.period_locked")
					return
				}
				a.Read(t, &d)
				numbers[i] = d.Number
			})
		}
		wait.Wait()
		slices.Sort(numbers)
		want := make([]int, issues)
		for i := range want {
			want[i] = max(0, i+1-issues/5)
		}
		require.Equal(t, want, numbers)
		process.RequireVerified(t, e)
	})
}
