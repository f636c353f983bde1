package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

func entry() body {
	return body{
		"date": "2026-03-10", "description": unique("Entry "),
		"entries": []body{{"accountCode": "2710", "debit": "10.00"}, {"accountCode": "3011", "credit": "10.00"}},
	}
}

var ledgerScenarios = map[string]scenario{
	"/v1/ledger/accounts/list": fixed(body{"pageSize": 5}),
	"/v1/ledger/accounts/create": func(*testing.T, *process.Client) body {
		return body{"code": unique("9"), "name": "Test", "type": "asset"}
	},
	"/v1/ledger/accounts/apply-template": fixed(body{}),
	"/v1/ledger/accounts/update": func(t *testing.T, c *process.Client) body {
		id := made(t, c, "/v1/ledger/accounts/create", body{"code": unique("9"), "name": "Test", "type": "asset"})
		return body{"id": id, "name": unique("Renamed ")}
	},
	"/v1/ledger/posting-rules/list": fixed(body{}),
	"/v1/ledger/posting-rules/update": func(t *testing.T, c *process.Client) body {
		code := unique("9")
		made(t, c, "/v1/ledger/accounts/create", body{"code": code, "name": "Test", "type": "income"})
		return body{"rules": []body{{"key": "sales.revenueProducts", "accountCode": code}}}
	},
	"/v1/ledger/periods/list": fixed(body{}),
	"/v1/ledger/periods/lock": fixed(body{"year": 2025, "month": 1}),
	"/v1/ledger/periods/unlock": func(t *testing.T, c *process.Client) body {
		c.OK(t, "/v1/ledger/periods/lock", body{"year": 2025, "month": 2}, nil)
		return body{"year": 2025, "month": 2, "reason": "a late document"}
	},
	"/v1/ledger/journal/transactions/create": func(*testing.T, *process.Client) body { return entry() },
	"/v1/ledger/journal/transactions/list":   fixed(body{}),
	"/v1/ledger/journal/transactions/get": func(t *testing.T, c *process.Client) body {
		return body{"id": made(t, c, "/v1/ledger/journal/transactions/create", entry())}
	},
	"/v1/ledger/journal/transactions/reverse": func(t *testing.T, c *process.Client) body {
		return body{"id": made(t, c, "/v1/ledger/journal/transactions/create", entry())}
	},
	"/v1/ledger/open-items/list": fixed(body{}),
	"/v1/reports/trial-balance":  fixed(body{"fromDate": "2026-01-01", "toDate": "2026-12-31"}),
}

// refused makes a refused duplicate and gives its id.
func refused(t *testing.T, c *process.Client) string {
	t.Helper()
	key := process.Key(unique("refused "))
	c.OK(t, "/v1/ledger/journal/transactions/create", entry(), nil, key)
	c.Post(t, "/v1/ledger/journal/transactions/create", entry(), key).RequireRefused(t, 422, "idempotency_key_reuse")
	var page struct {
		Rows []struct {
			ID string `json:"id"`
		} `json:"rows"`
	}
	c.OK(t, "/v1/idempotency/rejections/list", body{"filter": []body{{"field": "reason", "op": "eq", "value": "key_reuse"}}}, &page)
	if len(page.Rows) == 0 {
		t.Fatal("the refusal was not recorded")
	}
	return page.Rows[0].ID
}

var idempotencyScenarios = map[string]scenario{
	"/v1/idempotency/keys/get": func(t *testing.T, c *process.Client) body {
		key := unique("looked up ")
		c.OK(t, "/v1/ledger/journal/transactions/create", entry(), nil, process.Key(key))
		return body{"key": key}
	},
	"/v1/idempotency/rejections/list": fixed(body{}),
	"/v1/idempotency/rejections/get":  func(t *testing.T, c *process.Client) body { return body{"id": refused(t, c)} },
	"/v1/idempotency/rejections/review": func(t *testing.T, c *process.Client) body {
		return body{"id": refused(t, c), "decision": "client bug", "note": unique("note ")}
	},
}
