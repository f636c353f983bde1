package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

func order() body {
	return body{
		"channel": "shop", "externalRef": unique("W-"), "partner": body{"name": unique("Buyer ")},
		"lines": []body{{"description": "Book", "quantity": "2", "unitPriceExclVat": "10.00"}},
	}
}

func newOrder(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/ecommerce/orders/create", order())
}

var orderScenarios = map[string]scenario{
	"/v1/ecommerce/orders/create":  func(*testing.T, *process.Client) body { return order() },
	"/v1/ecommerce/orders/get":     func(t *testing.T, c *process.Client) body { return body{"id": newOrder(t, c)} },
	"/v1/ecommerce/orders/list":    fixed(body{}),
	"/v1/ecommerce/orders/reserve": func(t *testing.T, c *process.Client) body { return body{"id": newOrder(t, c)} },
	"/v1/ecommerce/orders/fulfill": func(t *testing.T, c *process.Client) body { return body{"id": newOrder(t, c)} },
	"/v1/ecommerce/orders/cancel":  func(t *testing.T, c *process.Client) body { return body{"id": newOrder(t, c)} },
	"/v1/ecommerce/orders/confirm-payment": func(t *testing.T, c *process.Client) body {
		return body{"orderId": newOrder(t, c), "amount": "24.20", "currency": "EUR"}
	},
}
