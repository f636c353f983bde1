package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

func newAPIKey(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/account/api-keys/create", body{"name": unique("Key ")})
}

// ownCompany is the id of the caller's company.
func ownCompany(t *testing.T, c *process.Client) string {
	t.Helper()
	return c.OK(t, "/v1/account/companies/profile", "{}", nil).ID(t)
}

var accountScenarios = map[string]scenario{
	"/v1/account/me":                fixed(body{}),
	"/v1/account/companies/create":  func(*testing.T, *process.Client) body { return body{"name": unique("UAB ")} },
	"/v1/account/companies/select":  func(t *testing.T, c *process.Client) body { return body{"companyId": ownCompany(t, c)} },
	"/v1/account/companies/profile": fixed(body{}),
	"/v1/account/companies/update":  func(*testing.T, *process.Client) body { return body{"name": unique("UAB ")} },
	"/v1/account/companies/archive": func(t *testing.T, c *process.Client) body { return body{"companyId": ownCompany(t, c)} },
	"/v1/account/api-keys/create": func(*testing.T, *process.Client) body {
		return body{"name": unique("Key "), "scopes": []string{"books:read"}}
	},
	"/v1/account/api-keys/list":   fixed(body{}),
	"/v1/account/api-keys/revoke": func(t *testing.T, c *process.Client) body { return body{"id": newAPIKey(t, c)} },
	"/v1/audit/list":              fixed(body{}),
}

func newPartner(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/partners/create", body{"name": unique("Partner "), "isCustomer": true, "isSupplier": true})
}

var partnerScenarios = map[string]scenario{
	"/v1/partners/create":         func(*testing.T, *process.Client) body { return body{"name": unique("Partner ")} },
	"/v1/partners/find-or-create": func(*testing.T, *process.Client) body { return body{"name": unique("Partner ")} },
	"/v1/partners/update": func(t *testing.T, c *process.Client) body {
		return body{"id": newPartner(t, c), "name": unique("Renamed ")}
	},
	"/v1/partners/delete":       func(t *testing.T, c *process.Client) body { return body{"id": newPartner(t, c)} },
	"/v1/partners/get":          func(t *testing.T, c *process.Client) body { return body{"id": newPartner(t, c)} },
	"/v1/partners/list":         fixed(body{}),
	"/v1/partners/validate-vat": fixed(body{"vatCode": "LT999000017"}),
	"/v1/partners/credit-check": func(t *testing.T, c *process.Client) body { return body{"partnerId": newPartner(t, c)} },
}

func setRate(t *testing.T, c *process.Client) body {
	t.Helper()
	c.OK(t, "/v1/reference/exchange-rates/set", body{"currency": "USD", "date": "2026-03-02", "rate": "1.08"}, nil)
	return body{"currency": "USD", "date": "2026-03-02"}
}

var referenceScenarios = map[string]scenario{
	"/v1/reference/currencies/list":                 fixed(body{}),
	"/v1/reference/countries/list":                  fixed(body{}),
	"/v1/reference/units/list":                      fixed(body{}),
	"/v1/reference/exchange-rates/list":             fixed(body{}),
	"/v1/reference/exchange-rates/set":              fixed(body{"currency": "USD", "date": "2026-03-02", "rate": "1.08"}),
	"/v1/reference/exchange-rates/overrides/list":   fixed(body{}),
	"/v1/reference/exchange-rates/overrides/delete": func(t *testing.T, c *process.Client) body { return setRate(t, c) },
	"/v1/reference/series/create": func(*testing.T, *process.Client) body {
		return body{"documentType": "sale_invoice", "prefix": unique("T"), "year": 2026}
	},
	"/v1/reference/series/list": fixed(body{}),
}
