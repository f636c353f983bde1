package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

var march = body{"fromDate": "2026-03-01", "toDate": "2026-03-31"}

func newReportJob(t *testing.T, c *process.Client) string {
	t.Helper()
	c.OK(t, "/v1/ledger/journal/transactions/create", entry(), nil)
	return made(t, c, "/v1/reports/jobs/create", body{"reportType": "general-journal", "params": march, "formats": []string{"json", "csv"}})
}

// reportScenarios want servers that make no files by themselves (VIENKART_EXPORT_WORKERS=0): what a worker writes would be counted
// as the effect of a request.
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
	"/v1/reports/size-category":        fixed(body{"year": 2025, "avgEmployees": 12}),
	"/v1/reports/jobs/create": fixed(body{
		"reportType": "trial-balance", "params": march, "formats": []string{"xlsx", "pdf"},
	}),
	"/v1/reports/jobs/cancel": func(t *testing.T, c *process.Client) body { return body{"id": newReportJob(t, c)} },
	"/v1/reports/jobs/get":    func(t *testing.T, c *process.Client) body { return body{"id": newReportJob(t, c)} },
	"/v1/reports/jobs/list":   fixed(body{}),
}
