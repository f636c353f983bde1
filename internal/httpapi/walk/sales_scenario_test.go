package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

func newCustomer(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/partners/create", body{"name": unique("UAB Pirmas ")})
}

// saleTo is a draft of one line; more adds or replaces members.
func saleTo(partner string, more body) body {
	b := body{"partnerId": partner, "lines": []body{{"description": "Paslauga", "unitPriceExclVat": "100.00"}}}
	for name, value := range more {
		b[name] = value
	}
	return b
}

func newSale(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/sales/invoices/create", saleTo(newCustomer(t, c), nil))
}

func issuedSale(t *testing.T, c *process.Client, partner string, more body) string {
	t.Helper()
	id := made(t, c, "/v1/sales/invoices/create", saleTo(partner, more))
	return made(t, c, "/v1/sales/invoices/issue", body{"id": id})
}

var salesScenarios = map[string]scenario{
	"/v1/sales/invoices/create": func(t *testing.T, c *process.Client) body { return saleTo(newCustomer(t, c), nil) },
	"/v1/sales/invoices/get":    func(t *testing.T, c *process.Client) body { return body{"id": newSale(t, c)} },
	"/v1/sales/invoices/update": func(t *testing.T, c *process.Client) body { return body{"id": newSale(t, c), "notes": "Ačiū"} },
	"/v1/sales/invoices/delete": func(t *testing.T, c *process.Client) body { return body{"id": newSale(t, c)} },
	"/v1/sales/invoices/issue":  func(t *testing.T, c *process.Client) body { return body{"id": newSale(t, c)} },
	"/v1/sales/invoices/apply-advance": func(t *testing.T, c *process.Client) body {
		partner := newCustomer(t, c)
		return body{
			"advanceId": issuedSale(t, c, partner, body{"type": "advance"}), "invoiceId": issuedSale(t, c, partner, nil),
		}
	},
	"/v1/sales/invoices/cancel": func(t *testing.T, c *process.Client) body {
		return body{"id": issuedSale(t, c, newCustomer(t, c), nil), "reason": "wrong customer"}
	},
	"/v1/sales/invoices/list": fixed(body{}),
	"/v1/sales/invoices/pdf":  func(t *testing.T, c *process.Client) body { return body{"id": newSale(t, c), "locale": "en"} },
	// The mail server is busy for this address, so that nothing is written after the answer: the letter waits.
	"/v1/sales/invoices/send": func(t *testing.T, c *process.Client) body {
		return body{"id": issuedSale(t, c, newCustomer(t, c), nil), "to": mailbox.Busy + "@example.com"}
	},
}
