package httpapi

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// settlementCall sends a body through decoding and the handler of a settlement operation, and gives the answer as JSON reads it.
func settlementCall(t *testing.T, c *testkit.Company, path, body string) (map[string]any, error) {
	t.Helper()
	operations := settlementOperations()
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/bank/settlements/"+path })
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

// settlementBooks is a company with a chart of accounts and a bank account.
func settlementBooks(t *testing.T, e *testkit.Engine) (c *testkit.Company, account tenant.ID) {
	t.Helper()
	c = e.Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		require.NoError(t, err)
		a, err := bank.CreateAccount(ctx, tx, bank.CreateAccountInput{Name: "Main"})
		require.NoError(t, err)
		account = a.ID
		return nil
	})
	return c, account
}

const settlementReport = "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created,currency,gross,fee,net,reporting_category,source_id,description,charge_id,payment_intent_id\n" +
	"po_1,2026-03-05,txn_1,2026-03-02,eur,100.00,3.20,96.80,charge,ch_1,Order,ch_1,pi_1\n" +
	"po_1,2026-03-05,txn_2,2026-03-03,eur,-1.00,0.00,-1.00,fee,,,,\n"

func TestSettlements(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, account := settlementBooks(t, e)
		call := func(path, format string, args ...any) map[string]any {
			answer, err := settlementCall(t, c, path, fmt.Sprintf(format, args...))
			require.NoError(t, err, path)
			return answer
		}
		imported := call("import", `{"bankAccountId":%q,"provider":"stripe","content":%q}`, account, settlementReport)
		batches, ok := imported["batches"].([]any)
		require.True(t, ok)
		batch, ok := batches[0].(map[string]any)
		require.True(t, ok)
		require.Equal(t, map[string]any{
			"format": "payout_reconciliation", "imported": float64(1), "updated": float64(0), "skipped": float64(0), "skippedUnassigned": float64(0),
			"skippedPayoutRows": float64(0), "skippedNotSettled": float64(0), "batches": batches,
		}, imported)
		require.Equal(t, map[string]any{
			"id": batch["id"], "bankAccountId": account.String(), "provider": "stripe", "payoutId": "po_1", "payoutDate": "2026-03-05", "currency": "EUR",
			"grossTotal": "99.00", "feeTotal": "3.20", "netTotal": "95.80", "status": "imported", "lineCount": float64(2), "matchedCount": float64(0),
			"unmatchedCount": float64(2), "createdAt": batch["createdAt"], "updatedAt": batch["updatedAt"],
		}, batch)
		again := call("import", `{"bankAccountId":%q,"content":%q}`, account, base64.StdEncoding.EncodeToString([]byte(settlementReport)))
		require.EqualValues(t, 1, again["updated"])
		require.Equal(t, batch["id"], call("list", "")["rows"].([]any)[0].(map[string]any)["id"])
		require.Empty(t, call("list", `{"filter":[{"field":"status","op":"eq","value":"posted"}]}`)["rows"])

		read := call("get", `{"id":%q}`, batch["id"])
		lines, ok := read["lines"].([]any)
		require.True(t, ok)
		line, ok := lines[0].(map[string]any)
		require.True(t, ok)
		require.Equal(t, map[string]any{
			"id": line["id"], "externalId": "txn_1", "category": "charge", "date": "2026-03-02", "gross": "100.00", "fee": "3.20", "net": "96.80",
			"description": "Order", "sourceId": "ch_1", "chargeId": "ch_1", "reference": "pi_1", "matchStatus": "unmatched",
		}, line)
		require.Equal(t, line, call("match", `{"lineId":%q}`, line["id"]))

		posted := call("post", `{"id":%q,"date":"2026-03-06","commissionPercent":"10"}`, batch["id"])
		require.Equal(t, "posted", posted["status"])
		require.Contains(t, posted, "journalTransactionId")
		require.Equal(t, []any{}, posted["warnings"])
		require.Equal(t, map[string]any{
			"receivableApplied": "0.00", "commissionAmount": "10.00", "sellerAmount": "90.00", "feeAmount": "4.20", "suspenseAmount": "0.00",
		}, posted["summary"])
		_, err := settlementCall(t, c, "post", fmt.Sprintf(`{"id":%q}`, batch["id"]))
		require.ErrorIs(t, err, payout.ErrAlreadyPosted)
		require.Equal(t, posted["id"], call("list", `{"filter":[{"field":"status","op":"eq","value":"posted"}],"sort":[{"field":"payoutDate","dir":"desc"}]}`)["rows"].([]any)[0].(map[string]any)["id"])
		c.RequireBalanced(t)
	})
}

func TestSettlementsRefuse(t *testing.T) {
	t.Parallel()
	c, account := settlementBooks(t, testkit.SQLite(t))
	const nobody = "0198c0de-0000-7000-8000-000000000000"
	for name, example := range map[string]struct {
		path, body string
		code       *apperr.Code
	}{
		"BankAccountIsUnknown": {"import", fmt.Sprintf(`{"bankAccountId":%q,"content":%q}`, nobody, settlementReport), bank.ErrUnknownAccount},
		"OtherProvider":        {"import", fmt.Sprintf(`{"bankAccountId":%q,"provider":"paypal","content":"x"}`, account), apperr.ErrValidation},
		"ContentIsMissing":     {"import", fmt.Sprintf(`{"bankAccountId":%q}`, account), apperr.ErrValidation},
		"ContentIsNoReport":    {"import", fmt.Sprintf(`{"bankAccountId":%q,"content":"a,b\n1,2\n"}`, account), payout.ErrUnreadable},
		"SettlementIsUnknown":  {"get", fmt.Sprintf(`{"id":%q}`, nobody), apperr.ErrNotFound},
		"LineIsUnknown":        {"match", fmt.Sprintf(`{"lineId":%q}`, nobody), apperr.ErrNotFound},
		"PercentIsTooMuch":     {"post", fmt.Sprintf(`{"id":%q,"commissionPercent":101}`, nobody), apperr.ErrValidation},
	} {
		_, err := settlementCall(t, c, example.path, example.body)
		require.ErrorIs(t, err, example.code, name)
	}
}
