package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// taxpayer gives the company what declarations bear in their headers, and one sale of this month.
func taxpayer(t *testing.T, c *process.Client) {
	t.Helper()
	c.OK(t, "/v1/account/companies/update", body{"code": "900000105", "vatCode": "LT999000060116"}, nil)
	partner := made(t, c, "/v1/partners/create", body{"name": unique("UAB Antras "), "address": body{"countryCode": "LT"}})
	issuedSale(t, c, partner, body{"issueDate": "2026-01-15"})
}

// declared is a scenario of January 2026 with a sale in it.
func declared(more body) scenario {
	return func(t *testing.T, c *process.Client) body {
		taxpayer(t, c)
		b := body{"year": 2026, "month": 1}
		for name, value := range more {
			b[name] = value
		}
		return b
	}
}

var declarationScenarios = map[string]scenario{
	"/v1/declarations/lt/fr0600/compute": declared(body{"documentsOf": "29", "withFile": true}),
	"/v1/declarations/lt/isaf/generate":  declared(body{"dataType": "S"}),
	"/v1/declarations/vat/tie-out":       declared(nil),
	"/v1/declarations/lt/saft/generate": func(t *testing.T, c *process.Client) body {
		taxpayer(t, c)
		return body{"fromDate": "2026-01-01", "toDate": "2026-01-31"}
	},
}
