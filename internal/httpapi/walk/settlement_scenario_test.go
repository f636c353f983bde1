package walk_test

import (
	"fmt"
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

func settlementReport(t *testing.T, c *process.Client) body {
	t.Helper()
	n := unique("")
	return body{
		"bankAccountId": made(t, c, "/v1/bank/accounts/create", body{"name": unique("Bank ")}),
		"content": "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created,currency,gross,fee,net,reporting_category,charge_id\n" +
			fmt.Sprintf("po_%s,2026-03-05,txn_%s,2026-03-02,eur,100.00,3.20,96.80,charge,ch_%s\n", n, n, n),
	}
}

// newSettlement imports a settlement of one line and gives the ids of both.
func newSettlement(t *testing.T, c *process.Client) (settlement, line string) {
	t.Helper()
	var imported struct {
		Batches []struct {
			ID string `json:"id"`
		} `json:"batches"`
	}
	c.OK(t, "/v1/bank/settlements/import", settlementReport(t, c), &imported)
	var read struct {
		Lines []struct {
			ID string `json:"id"`
		} `json:"lines"`
	}
	c.OK(t, "/v1/bank/settlements/get", body{"id": imported.Batches[0].ID}, &read)
	return imported.Batches[0].ID, read.Lines[0].ID
}

var settlementScenarios = map[string]scenario{
	"/v1/bank/settlements/import": settlementReport,
	"/v1/bank/settlements/list":   fixed(body{}),
	"/v1/bank/settlements/get": func(t *testing.T, c *process.Client) body {
		id, _ := newSettlement(t, c)
		return body{"id": id}
	},
	"/v1/bank/settlements/match": func(t *testing.T, c *process.Client) body {
		_, line := newSettlement(t, c)
		return body{"lineId": line}
	},
	"/v1/bank/settlements/post": func(t *testing.T, c *process.Client) body {
		id, _ := newSettlement(t, c)
		return body{"id": id, "date": "2026-03-06"}
	},
}
