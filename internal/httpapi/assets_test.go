package httpapi

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// assetCall sends a body through decoding and the handler of an asset operation, and gives the answer as JSON reads it.
func assetCall(t *testing.T, c *testkit.Company, path, body string) (map[string]any, error) {
	t.Helper()
	operations := assetOperations()
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/assets/"+path })
	require.NotEqual(t, -1, at, path)
	o := operations[at]
	in, err := o.decode([]byte(body))
	if err != nil {
		return nil, err
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
		return nil, err
	}
	text, err := json.Marshal(out)
	require.NoError(t, err)
	var answer map[string]any
	require.NoError(t, json.Unmarshal(text, &answer))
	return answer, nil
}

func TestAssets(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := ledger.ApplyTemplate(ctx, tx)
			return err
		})
		call := func(path, format string, args ...any) map[string]any {
			answer, err := assetCall(t, c, path, fmt.Sprintf(format, args...))
			require.NoError(t, err, path)
			return answer
		}
		group := call("groups/create", `{"code":"M","name":"Machines","assetAccountCode":"1220","depreciationAccountCode":"1227"}`)
		require.Equal(t, "6310", group["expenseAccountCode"])
		require.NotContains(t, group, "defaultUsefulLifeMonths")
		require.Equal(t, []any{group}, call("groups/list", "")["rows"])

		created := call("assets/create", `{"groupId":%q,"code":"B-146","name":"Press","acquisitionDate":"2024-11-05",
			"depreciationStartDate":"2024-12-01","acquisitionCost":"3407.08","usefulLifeMonths":36,
			"openingAccumulatedDepreciation":"89.10","openingDepreciatedMonths":1}`, group["id"])
		require.Equal(t, map[string]any{
			"id": created["id"], "groupId": group["id"], "code": "B-146", "name": "Press", "acquisitionDate": "2024-11-05",
			"depreciationStartDate": "2024-12-01", "acquisitionCost": "3407.08", "salvageValue": "0.00", "usefulLifeMonths": float64(36),
			"totalCost": "3407.08", "accumulatedDepreciation": "89.10", "netBookValue": "3317.98", "depreciatedMonths": float64(1),
			"totalLifeMonths": float64(36), "status": "active", "createdAt": created["createdAt"],
			"openingAccumulatedDepreciation": "89.10", "openingDepreciatedMonths": float64(1),
		}, created)
		require.Equal(t, created, call("assets/get", `{"id":%q}`, created["id"]))
		require.Equal(t, []any{created}, call("assets/list", "")["rows"])

		require.Equal(t, map[string]any{"total": "94.80", "rows": []any{map[string]any{
			"assetId": created["id"], "code": "B-146", "name": "Press", "amount": "94.80", "alreadyPosted": false,
		}}}, call("depreciation/preview", `{"year":2025,"month":1}`))
		posted := call("depreciation/post", `{"year":2025,"month":1}`)
		require.Equal(t, map[string]any{
			"posted": float64(1), "skipped": float64(0), "total": "94.80", "id": posted["id"], "journalTransactionId": posted["journalTransactionId"],
		}, posted)
		require.Equal(t, map[string]any{"posted": float64(0), "skipped": float64(1), "total": "0.00"},
			call("depreciation/post", `{"year":2025,"month":1}`))

		modernized := call("assets/modernize", `{"id":%q,"date":"2025-02-03","amount":"10","addedLifeMonths":1,"notes":"Motor"}`, created["id"])
		require.Equal(t, "3417.08", modernized["totalCost"])
		disposed := call("assets/dispose", `{"id":%q,"date":"2025-02-28","reason":"Sold"}`, created["id"])
		require.Equal(t, "disposed", disposed["status"])
		require.Equal(t, "278.70", disposed["accumulatedDepreciation"])
		require.Equal(t, "0.00", disposed["netBookValue"])
		require.Contains(t, disposed, "journalTransactionId")
		c.RequireBalanced(t)
	})
}

func TestAssetsRefuse(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	for name, example := range map[string]struct {
		path, body string
		code       *apperr.Code
	}{
		"AmountHasTooManyDecimals": {"assets/modernize", `{"id":"0198c0de-0000-7000-8000-000000000000","date":"2025-01-01","amount":"1.001"}`, apperr.ErrValidation},
		"CostIsMissing":            {"assets/create", `{"groupId":"0198c0de-0000-7000-8000-000000000000","code":"A","name":"A","acquisitionDate":"2025-01-01"}`, apperr.ErrValidation},
		"MonthIsNone":              {"depreciation/post", `{"year":2025,"month":13}`, apperr.ErrValidation},
		"ReasonIsMissing":          {"assets/dispose", `{"id":"0198c0de-0000-7000-8000-000000000000","date":"2025-01-01"}`, apperr.ErrValidation},
		"GroupIsUnknown": {
			"assets/create", `{"groupId":"0198c0de-0000-7000-8000-000000000000","code":"A","name":"A","acquisitionDate":"2025-01-01","acquisitionCost":1,"usefulLifeMonths":1}`,
			asset.ErrUnknownGroup,
		},
		"AssetIsUnknown": {"assets/get", `{"id":"0198c0de-0000-7000-8000-000000000000"}`, apperr.ErrNotFound},
	} {
		_, err := assetCall(t, c, example.path, example.body)
		require.ErrorIs(t, err, example.code, name)
	}
}
