package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// webhookCall sends a body through decoding and the handler of a webhook operation, and gives the answer with the one
// that a replay shows, as JSON reads them.
func webhookCall(t *testing.T, c *testkit.Company, p delivery.Policy, path, body string) (answer, replay map[string]any, err error) {
	t.Helper()
	operations := webhookOperations(p)
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/webhooks/"+path })
	require.NotEqual(t, -1, at, path)
	o := operations[at]
	require.Equal(t, tenant.ManageKeys, o.Permission)
	in, err := o.decode([]byte(body))
	if err != nil {
		return nil, nil, err
	}
	var out any
	if o.Mutation {
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
			out, err = o.mutate(ctx, tx, in)
			return err
		})
	} else {
		err = c.Engine.Store.Snapshot(t.Context(), c.Scope, func(ctx context.Context, r tenant.ReadTx) (err error) {
			out, err = o.query(ctx, r, in)
			return err
		})
	}
	if err != nil {
		return nil, nil, err
	}
	stored, err := o.answer(out)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(stored.Body, &answer))
	if stored.Masked != nil {
		require.NoError(t, json.Unmarshal(stored.Masked, &replay))
	}
	return answer, replay, nil
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	vault, err := delivery.NewVault("a key of tests that is long enough for it")
	require.NoError(t, err)
	policy := delivery.Policy{Vault: vault, AllowPrivate: true}
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
		t.Cleanup(endpoint.Close)
		ctx, stop := context.WithCancel(context.Background())
		var work sync.WaitGroup
		work.Go(func() { delivery.NewDispatcher(e.System, policy).Run(ctx) })
		t.Cleanup(func() { stop(); work.Wait() })
		c := e.Company(t)
		call := func(path, format string, args ...any) map[string]any {
			answer, _, err := webhookCall(t, c, policy, path, fmt.Sprintf(format, args...))
			require.NoError(t, err, path)
			return answer
		}
		created, replay, err := webhookCall(t, c, policy, "subscriptions/create", fmt.Sprintf(`{"url":%q,"events":["sale_invoice.*"]}`, endpoint.URL))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(created["secret"].(string), "whsec_"))
		require.Contains(t, replay["secret"], "shown only in the first answer")
		id := created["id"]
		delete(created, "secret")
		require.Equal(t, map[string]any{
			"id": id, "url": endpoint.URL, "events": []any{"sale_invoice.*"}, "isActive": true, "createdAt": created["createdAt"], "state": "active",
		}, created)
		require.Equal(t, []any{created}, call("subscriptions/list", `{"filter":[{"field":"isActive","op":"eq","value":true}]}`)["rows"])
		require.Empty(t, call("subscriptions/list", `{"filter":[{"field":"isActive","op":"eq","value":false}]}`)["rows"])

		_, replay, err = webhookCall(t, c, policy, "subscriptions/rotate-secret", fmt.Sprintf(`{"id":%q}`, id))
		require.NoError(t, err)
		require.Contains(t, replay["secret"], "shown only in the first answer")
		require.NotEmpty(t, replay["previousSecretUntil"])

		call("subscriptions/test", `{"id":%q}`, id)
		var row map[string]any
		require.Eventually(t, func() bool {
			rows, _ := call("deliveries/list", `{"filter":[{"field":"status","op":"eq","value":"pending"}]}`)["rows"].([]any)
			if len(rows) == 1 {
				row = rows[0].(map[string]any)
			}
			return row["lastError"] != nil
		}, 20*time.Second, 20*time.Millisecond)
		require.Equal(t, "the receiver answered 418", row["lastError"])
		require.Equal(t, "webhook_subscription.tested", row["eventType"])
		require.Equal(t, id, row["subscriptionId"])
		require.InDelta(t, 1, row["attempts"], 0)
		require.NotEmpty(t, row["nextAttemptAt"])
		require.Equal(t, map[string]any{"id": row["id"], "status": "pending"}, call("deliveries/redeliver", `{"id":%q}`, row["id"]))

		updated := call("subscriptions/update", `{"id":%q,"events":["*"],"isActive":false}`, id)
		require.Equal(t, []any{"*"}, updated["events"])
		require.Equal(t, false, updated["isActive"])
		require.Equal(t, "off", updated["state"])
		require.Equal(t, map[string]any{"id": id}, call("subscriptions/delete", `{"id":%q}`, id))
		require.Empty(t, call("subscriptions/list", `{}`)["rows"])
		failed := call("deliveries/list", `{"filter":[{"field":"status","op":"eq","value":"failed"}]}`)["rows"].([]any)
		require.Len(t, failed, 1)
		require.Equal(t, "subscription deleted", failed[0].(map[string]any)["lastError"])

		for body, code := range map[string]error{
			`{"url":"https://example.lt"}`:                           apperr.ErrValidation,
			`{"url":"https://example.lt","events":[]}`:               apperr.ErrValidation,
			`{"url":"https://example.lt","events":["cake.eaten"]}`:   apperr.ErrValidation,
			`{"url":"gopher://example.lt","events":["*"]}`:           apperr.ErrValidation,
			`{"url":"https://a.lt","events":["*"],"secret":"short"}`: apperr.ErrValidation,
		} {
			_, _, err := webhookCall(t, c, policy, "subscriptions/create", body)
			require.ErrorIs(t, err, code, body)
		}
		_, _, err = webhookCall(t, c, delivery.Policy{Vault: vault}, "subscriptions/create", fmt.Sprintf(`{"url":%q,"events":["*"]}`, endpoint.URL))
		require.ErrorIs(t, err, apperr.ErrValidation, "plain HTTP to this machine needs the operator's leave")
	})
}

func TestEventTypes(t *testing.T) {
	t.Parallel()
	out, err := listEventTypes(t.Context(), tenant.ReadTx{}, emptyRequest{})
	require.NoError(t, err)
	body, err := encode(out)
	require.NoError(t, err)
	require.Contains(t, string(body), `"type":"sale_invoice.issued","object":"sale_invoice"`)
	require.Contains(t, string(body), `"$schema":"https://json-schema.org/draft/2020-12/schema"`)
}
