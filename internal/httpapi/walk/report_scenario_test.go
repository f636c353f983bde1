package walk_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// engines are the engines of the walked servers, by address. Those servers make no files by themselves: what a worker writes would
// be counted as the effect of a request.
var engines sync.Map

// makeFiles works on the jobs that wait.
func makeFiles(t *testing.T, c *process.Client) {
	t.Helper()
	found, ok := engines.Load(c.URL)
	require.True(t, ok, "the walk tells the engine of its server")
	e, ok := found.(*testkit.Engine)
	require.True(t, ok)
	w := &export.Worker{System: e.System, Reports: httpapi.ReportExports()}
	for {
		worked, err := w.RunOnce(t.Context())
		require.NoError(t, err)
		if !worked {
			return
		}
	}
}

var march = body{"fromDate": "2026-03-01", "toDate": "2026-03-31"}

func newReportJob(t *testing.T, c *process.Client) string {
	t.Helper()
	c.OK(t, "/v1/ledger/journal/transactions/create", entry(), nil)
	return made(t, c, "/v1/reports/jobs/create", body{"reportType": "general-journal", "params": march, "formats": []string{"json", "csv"}})
}

// finishedFile makes a file and gives its id.
func finishedFile(t *testing.T, c *process.Client) string {
	t.Helper()
	id := newReportJob(t, c)
	makeFiles(t, c)
	var job struct {
		Outputs []struct {
			FileID string `json:"fileId"`
		} `json:"outputs"`
	}
	c.OK(t, "/v1/reports/jobs/get", body{"id": id}, &job)
	require.Len(t, job.Outputs, 2)
	return job.Outputs[0].FileID
}

var reportScenarios = map[string]scenario{
	"/v1/reports/general-journal":      fixed(march),
	"/v1/reports/gl-detail":            fixed(body{"accountCode": "2710", "fromDate": "2026-03-01", "toDate": "2026-03-31"}),
	"/v1/reports/vat-summary":          fixed(march),
	"/v1/reports/vat-detail":           fixed(march),
	"/v1/reports/eu-purchases":         fixed(march),
	"/v1/reports/partner-balances":     fixed(body{}),
	"/v1/reports/debt-aging":           fixed(body{"side": "payables"}),
	"/v1/reports/monthly-summary":      fixed(body{"months": 3}),
	"/v1/reports/financial-statements": fixed(body{"fromDate": "2026-03-01", "toDate": "2026-03-31", "category": "large"}),
	"/v1/reports/cash-flow":            fixed(march),
	"/v1/reports/jobs/create": fixed(body{
		"reportType": "trial-balance", "params": march, "formats": []string{"xlsx", "pdf"},
	}),
	"/v1/reports/jobs/cancel": func(t *testing.T, c *process.Client) body { return body{"id": newReportJob(t, c)} },
	"/v1/reports/jobs/get":    func(t *testing.T, c *process.Client) body { return body{"id": newReportJob(t, c)} },
	"/v1/reports/jobs/list":   fixed(body{}),
	"/v1/files/get":           func(t *testing.T, c *process.Client) body { return body{"id": finishedFile(t, c)} },
}
