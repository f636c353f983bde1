package walk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// newSubscription leads to a name that never resolves: the walk tests no receiver.
func newSubscription(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/webhooks/subscriptions/create", body{"url": "https://receiver.invalid/hook", "events": []string{"purchase_invoice.*"}})
}

// newDelivery is the delivery of a test event, as soon as the server has written it.
func newDelivery(t *testing.T, c *process.Client) string {
	t.Helper()
	subscription := newSubscription(t, c)
	c.OK(t, "/v1/webhooks/subscriptions/test", body{"id": subscription}, nil)
	var page struct {
		Rows []struct {
			ID string `json:"id"`
		} `json:"rows"`
	}
	require.Eventually(t, func() bool {
		filter := []body{{"field": "subscriptionId", "op": "eq", "value": subscription}}
		c.OK(t, "/v1/webhooks/deliveries/list", body{"filter": filter}, &page)
		return len(page.Rows) > 0 // more in a company where something else has just happened
	}, 30*time.Second, 50*time.Millisecond)
	return page.Rows[0].ID
}

var webhookScenarios = map[string]scenario{
	"/v1/webhooks/subscriptions/create": fixed(body{"url": "https://receiver.invalid/hook", "events": []string{"*"}}),
	"/v1/webhooks/subscriptions/list":   fixed(body{}),
	"/v1/webhooks/subscriptions/update": func(t *testing.T, c *process.Client) body {
		return body{"id": newSubscription(t, c), "events": []string{"sale_invoice.issued"}, "isActive": false}
	},
	"/v1/webhooks/subscriptions/delete":        func(t *testing.T, c *process.Client) body { return body{"id": newSubscription(t, c)} },
	"/v1/webhooks/subscriptions/rotate-secret": func(t *testing.T, c *process.Client) body { return body{"id": newSubscription(t, c)} },
	"/v1/webhooks/subscriptions/test":          func(t *testing.T, c *process.Client) body { return body{"id": newSubscription(t, c)} },
	"/v1/webhooks/deliveries/list":             fixed(body{}),
	"/v1/webhooks/deliveries/redeliver":        func(t *testing.T, c *process.Client) body { return body{"id": newDelivery(t, c)} },
	"/v1/webhooks/event-types/list":            fixed(body{}),
}
