package httpapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// ledgerCall sends a body through decoding and the handler of a ledger operation, and gives the answer as JSON reads it.
func ledgerCall(t *testing.T, c *testkit.Company, path, body string) (map[string]any, error) {
	t.Helper()
	operations := ledgerOperations()
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == path })
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

func ledgerAnswer(t *testing.T, c *testkit.Company, path, body string) map[string]any {
	t.Helper()
	answer, err := ledgerCall(t, c, path, body)
	require.NoError(t, err)
	return answer
}

// ledgerRefusal demands a refusal with a code that names a field.
func ledgerRefusal(t *testing.T, c *testkit.Company, path, body string, code *apperr.Code, field string) {
	t.Helper()
	_, err := ledgerCall(t, c, path, body)
	require.ErrorIs(t, err, code, body)
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	if field != "" {
		require.Contains(t, refusal.Fields(), field, body)
	}
}

// ledgerAs reads a member of an answer as the type it must have.
func ledgerAs[T any](t *testing.T, member any) T {
	t.Helper()
	value, ok := member.(T)
	require.True(t, ok, "unexpected %T", member)
	return value
}

// ledgerBooks opens a company with the accounts of the template, on 10 March 2026.
func ledgerBooks(t *testing.T) *testkit.Company {
	t.Helper()
	c := testkit.SQLite(t).At(time.Date(2026, time.March, 10, 9, 0, 0, 0, time.UTC)).Company(t)
	answer := ledgerAnswer(t, c, "/v1/ledger/accounts/apply-template", "")
	require.EqualValues(t, len(ledger.Template()), answer["accounts"])
	return c
}

const (
	journalCreate  = "/v1/ledger/journal/transactions/create"
	journalGet     = "/v1/ledger/journal/transactions/get"
	journalReverse = "/v1/ledger/journal/transactions/reverse"
	journalSale    = `{"date":"2026-01-15","description":"Sale","entries":[{"accountCode":"2410","debit":"121.00"},
		{"accountCode":"5000","credit":"100"},{"accountCode":"4492","credit":"21.00","description":"VAT"}]}`
)

func TestJournalOperations(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	created := ledgerAnswer(t, c, journalCreate, journalSale)
	require.Equal(t, "posted", created["status"])
	require.Equal(t, "2026-01-15", created["date"])
	require.Equal(t, "2026-03-10T09:00:00Z", created["createdAt"])
	require.Equal(t, created["createdAt"], created["postedAt"])
	require.NotContains(t, created, "documentType")

	byID := fmt.Sprintf(`{"id":%q}`, created["id"])
	shown := ledgerAnswer(t, c, journalGet, byID)
	lines := ledgerAs[[]any](t, shown["entries"])
	require.Len(t, lines, 3)
	last := ledgerAs[map[string]any](t, lines[2])
	require.Equal(t, []any{"4492", "0.00", "21.00", "VAT"}, []any{last["accountCode"], last["debit"], last["credit"], last["description"]})
	require.NotContains(t, last, "currency")

	reversed := ledgerAnswer(t, c, journalReverse, byID)
	require.Equal(t, created["id"], reversed["reversesId"])
	require.Equal(t, "Reversal: Sale", reversed["description"])
	require.Equal(t, reversed["id"], ledgerAnswer(t, c, journalGet, byID)["reversedById"])
	_, err := ledgerCall(t, c, journalReverse, byID)
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	require.Equal(t, "ledger.already_reversed", refusal.Code().Name())
	require.Equal(t, reversed["id"], fmt.Sprint(refusal.Details()["existingId"]))

	list := ledgerAnswer(t, c, "/v1/ledger/journal/transactions/list", `{"filter":[{"field":"date","op":"eq","value":"2026-01-15"}],"pageSize":1}`)
	require.EqualValues(t, 2, list["total"])
	require.Len(t, list["rows"], 1)
}

func TestJournalOperationsRefuse(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	entries := func(lines string) string { return `{"date":"2026-01-15","entries":[` + lines + `]}` }
	for name, test := range map[string]struct {
		body  string
		code  *apperr.Code
		field string
	}{
		"OneCentOff": {
			entries(`{"accountCode":"6300","debit":"0.1"},{"accountCode":"6301","debit":"0.2"},{"accountCode":"2710","credit":"0.31"}`),
			ledger.ErrUnbalanced, "entries",
		},
		"ExtraDecimals": {
			entries(`{"accountCode":"6300","debit":"0.105"},{"accountCode":"2710","credit":"0.105"}`), apperr.ErrValidation, "entries.0.debit",
		},
		"Negative": {
			entries(`{"accountCode":"6300","debit":"-1"},{"accountCode":"2710","credit":"-1"}`), apperr.ErrValidation, "entries.1.credit",
		},
		"BothSides": {
			entries(`{"accountCode":"6300","debit":"1"},{"accountCode":"2710","debit":"1","credit":"1"}`), ledger.ErrInvalidPosting, "entries.1",
		},
		"NoSide": {
			entries(`{"accountCode":"6300","debit":"1"},{"accountCode":"2710"},{"accountCode":"2710","credit":"1"}`),
			ledger.ErrInvalidPosting, "entries.1.debit",
		},
		"OneEntry": {entries(`{"accountCode":"6300","debit":"1"}`), apperr.ErrValidation, "entries"},
		"UnknownAccount": {
			entries(`{"accountCode":"6300","debit":"1"},{"accountCode":"9999","credit":"1"}`), ledger.ErrUnknownAccount, "entries.1.accountCode",
		},
		"Heading": {
			entries(`{"accountCode":"63","debit":"1"},{"accountCode":"2710","credit":"1"}`), ledger.ErrNotPostable, "entries.0.accountCode",
		},
		"CostCenter": {
			entries(`{"accountCode":"6300","costCenterId":"x","debit":"1"},{"accountCode":"2710","credit":"1"}`),
			errCostCenters, "entries.0.costCenterId",
		},
		"NoDate":    {`{"entries":[{"accountCode":"6300","debit":"1"},{"accountCode":"2710","credit":"1"}]}`, apperr.ErrValidation, "date"},
		"NoEntries": {`{"date":"2026-01-15"}`, apperr.ErrValidation, "entries"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledgerRefusal(t, c, journalCreate, test.body, test.code, test.field)
		})
	}
}

func TestPeriodOperations(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	const month = `{"year":2026,"month":1}`
	locked := ledgerAnswer(t, c, "/v1/ledger/periods/lock", month)
	require.Equal(t, "locked", locked["status"])
	require.Equal(t, locked, ledgerAnswer(t, c, "/v1/ledger/periods/lock", month))
	ledgerRefusal(t, c, journalCreate, journalSale, ledger.ErrPeriodLocked, "")

	ledgerRefusal(t, c, "/v1/ledger/periods/unlock", month, ledger.ErrReasonMissing, "reason")
	require.Equal(t, apperr.Rule, ledger.ErrReasonMissing.Kind())
	open := ledgerAnswer(t, c, "/v1/ledger/periods/unlock", `{"year":2026,"month":1,"reason":"A bill came late."}`)
	require.Equal(t, "open", open["status"])
	ledgerAnswer(t, c, journalCreate, journalSale)
	require.EqualValues(t, 1, ledgerAnswer(t, c, "/v1/ledger/periods/list", `{}`)["total"])

	ledgerRefusal(t, c, "/v1/ledger/periods/lock", `{"year":2026,"month":13}`, apperr.ErrValidation, "month")
	ledgerRefusal(t, c, "/v1/ledger/periods/lock", `{"month":1}`, apperr.ErrValidation, "year")
}

func TestAccountOperations(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	created := ledgerAnswer(t, c, "/v1/ledger/accounts/create", `{"code":"2711","name":"Swedbank","type":"asset"}`)
	require.Equal(t, true, created["isPostable"])
	require.NotContains(t, created, "parentId")
	closed := ledgerAnswer(t, c, "/v1/ledger/accounts/update", fmt.Sprintf(`{"id":%q,"isPostable":false}`, created["id"]))
	require.Equal(t, []any{"Swedbank", false}, []any{closed["name"], closed["isPostable"]})
	heading := ledgerAnswer(t, c, "/v1/ledger/accounts/create",
		fmt.Sprintf(`{"code":"2712","name":"Banks","type":"asset","isPostable":false,"parentId":%q}`, created["id"]))
	require.Equal(t, []any{false, created["id"]}, []any{heading["isPostable"], heading["parentId"]})
	list := ledgerAnswer(t, c, "/v1/ledger/accounts/list", `{"filter":[{"field":"code","op":"in","value":["2711","2712"]}]}`)
	require.Len(t, list["rows"], 2)

	ledgerRefusal(t, c, "/v1/ledger/accounts/create", `{"code":"2711","name":"Again","type":"asset"}`, ledger.ErrAccountExists, "code")
	ledgerRefusal(t, c, "/v1/ledger/accounts/create", `{"code":"27 11","name":"Blank","type":"asset"}`, apperr.ErrValidation, "code")
	ledgerRefusal(t, c, "/v1/ledger/accounts/create", `{"code":"2713","name":"Bank","type":"bank"}`, apperr.ErrValidation, "type")
	ledgerRefusal(t, c, "/v1/ledger/accounts/update", fmt.Sprintf(`{"id":%q,"name":" "}`, created["id"]), apperr.ErrValidation, "name")
	ledgerRefusal(t, c, "/v1/ledger/accounts/update", fmt.Sprintf(`{"id":%q,"parentId":%[1]q}`, created["id"]), ledger.ErrParentCycle, "parentId")
}

func TestPostingRuleOperations(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	rows := ledgerAs[[]any](t, ledgerAnswer(t, c, "/v1/ledger/posting-rules/list", `{}`)["rows"])
	require.Equal(t, "sales.receivable", ledgerAs[map[string]any](t, rows[0])["key"])
	changed := ledgerAnswer(t, c, "/v1/ledger/posting-rules/update", `{"rules":[{"key":"sales.receivable","accountCode":"2480"}]}`)
	first := ledgerAs[map[string]any](t, ledgerAs[[]any](t, changed["rows"])[0])
	require.Equal(t, []any{"2410", "2480", true}, []any{first["defaultCode"], first["accountCode"], first["overridden"]})
	require.Equal(t, rows, ledgerAnswer(t, c, "/v1/ledger/posting-rules/update", `{"rules":[{"key":"sales.receivable"}]}`)["rows"])
	ledgerRefusal(t, c, "/v1/ledger/posting-rules/update", `{"rules":[{"key":"sales.unheardOf"}]}`, apperr.ErrValidation, "rules.0.key")
}

func TestTrialBalanceOperation(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	ledgerAnswer(t, c, journalCreate, journalSale)
	answer := ledgerAnswer(t, c, "/v1/reports/trial-balance", `{"fromDate":"2026-01-01","toDate":"2026-01-31"}`)
	require.Equal(t, map[string]any{"debit": "121.00", "credit": "121.00"}, answer["totals"])
	first := ledgerAs[map[string]any](t, ledgerAs[[]any](t, answer["rows"])[0])
	require.Equal(t, []any{"2410", "asset", "0.00", "121.00", "0.00", "121.00"},
		[]any{first["code"], first["type"], first["opening"], first["debit"], first["credit"], first["closing"]})
	empty := ledgerAnswer(t, c, "/v1/reports/trial-balance", `{"fromDate":"2025-01-01","toDate":"2025-01-31"}`)
	require.Equal(t, map[string]any{"debit": "0.00", "credit": "0.00"}, empty["totals"])
	require.Empty(t, empty["rows"])
	ledgerRefusal(t, c, "/v1/reports/trial-balance", `{"fromDate":"2026-02-01","toDate":"2026-01-31"}`, apperr.ErrValidation, "toDate")
}

func TestOpenItemOperation(t *testing.T) {
	t.Parallel()
	c := ledgerBooks(t)
	answer := ledgerAnswer(t, c, "/v1/ledger/open-items/list", `{"filter":[{"field":"settled","op":"eq","value":false}]}`)
	require.Equal(t, map[string]any{"rows": []any{}, "page": 1.0, "pageSize": 50.0, "total": 0.0}, answer)
}
