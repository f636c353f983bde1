package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// reportCall sends a body through decoding and the handler of an operation of reports, jobs or files.
func reportCall(t *testing.T, c *testkit.Company, path, body string) (map[string]any, error) {
	t.Helper()
	operations := slices.Concat(trialBalanceOperations(), reportOperations(), jobOperations(ReportExports("1.0")), storedFileOperations(files.Depot{}))
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/"+path })
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

const januaryDays = `"fromDate":"2026-01-01","toDate":"2026-01-31"`

// reportParams are parameters for every report there is an export of.
var reportParams = map[string]string{
	"trial-balance": "{" + januaryDays + "}", "general-journal": "{" + januaryDays + "}", "cash-flow": "{" + januaryDays + "}",
	"gl-detail": `{"accountCode":"2410",` + januaryDays + "}", "vat-summary": "{" + januaryDays + "}",
	"vat-detail": `{"side":"sales",` + januaryDays + "}", "eu-purchases": "{" + januaryDays + "}", "partner-balances": "{}",
	"debt-aging": `{"side":"receivables"}`, "monthly-summary": `{"months":2}`, "financial-statements": `{"category":"large",` + januaryDays + "}",
	"size-category": `{"year":2026,"avgEmployees":3}`,
}

// The files of a job say what the operation answers, in every format.
func TestReportJobs(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := openSeller(t, e)
		issued := s.call(t, "create", `{"partnerId":%q,"vatCountryCode":"LT","lines":[{"description":"Paslauga","unitPriceExclVat":"100"}]}`, s.buyer)
		s.call(t, "issue", `{"id":%q}`, issued["id"])
		s.call(t, "create", `{"partnerId":%q,"vatCountryCode":"LT","lines":[{"description":"Juodraštis","unitPriceExclVat":"777.77"}]}`, s.buyer)
		reports := ReportExports("1.0")
		require.Len(t, reportParams, len(reports)-len(vatExports("1.0")), "files for the tax authority have a test of their own")
		jobs := map[string]any{}
		for name := range reportParams {
			job, err := reportCall(t, s.Company, "reports/jobs/create",
				fmt.Sprintf(`{"reportType":%q,"params":%s,"formats":["json","csv","xlsx","pdf"]}`, name, reportParams[name]))
			require.NoError(t, err, name)
			require.Equal(t, "queued", job["status"])
			jobs[name] = job["id"]
		}
		w := &export.Worker{System: s.Engine.System, Reports: reports}
		for range jobs {
			worked, err := w.RunOnce(t.Context())
			require.NoError(t, err)
			require.True(t, worked)
		}
		for name, id := range jobs {
			requireFiles(t, s.Company, name, id)
		}
	})
}

func requireFiles(t *testing.T, c *testkit.Company, name string, id any) {
	t.Helper()
	job, err := reportCall(t, c, "reports/jobs/get", fmt.Sprintf(`{"id":%q}`, id))
	require.NoError(t, err)
	require.Equal(t, "completed", job["status"], "%s: %v", name, job["error"])
	outputs, ok := job["outputs"].([]any)
	require.True(t, ok)
	require.Len(t, outputs, 4)
	contents := map[string][]byte{}
	for _, output := range outputs {
		o, ok := output.(map[string]any)
		require.True(t, ok)
		file, err := reportCall(t, c, "files/get", fmt.Sprintf(`{"id":%q}`, o["fileId"]))
		require.NoError(t, err)
		require.Equal(t, id, file["entityId"])
		text, ok := file["content"].(string)
		require.True(t, ok)
		content, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		require.EqualValues(t, len(content), file["sizeBytes"])
		format, ok := o["format"].(string)
		require.True(t, ok)
		contents[format] = content
	}
	answer, err := reportCall(t, c, "reports/"+name, reportParams[name])
	require.NoError(t, err)
	var file map[string]any
	require.NoError(t, json.Unmarshal(contents["json"], &file), name)
	for member, value := range answer {
		if member == "page" || member == "pageSize" {
			continue
		}
		require.Equal(t, value, file[member], "%s: %s", name, member)
	}
	records, err := csv.NewReader(bytes.NewReader(contents["csv"])).ReadAll()
	require.NoError(t, err, name)
	require.Greater(t, len(records), 1, name)
	require.True(t, bytes.HasPrefix(contents["pdf"], []byte("%PDF-")), name)
	require.True(t, bytes.HasPrefix(contents["xlsx"], []byte("PK")), name)
	require.NotContains(t, string(contents["json"]), "777.77", "%s: a draft is in no report", name)
}

func TestReportJobsRefuse(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	for body, field := range map[string]string{
		`{"reportType":"trial-balance"}`: "params.fromDate",
		`{"reportType":"trial-balance","params":{"fromDate":"2026-13-01","toDate":"2026-01-31"}}`:              "params.fromDate",
		`{"reportType":"trial-balance","params":{"fromDate":"2026-02-01","toDate":"2026-01-31"}}`:              "params.toDate",
		`{"reportType":"trial-balance","params":{"fromDate":"2026-01-01","toDate":"2026-01-31","surprise":1}}`: "params.surprise",
		`{"reportType":"monthly-summary","params":{"months":61}}`:                                              "params.months",
		`{"reportType":"trial-balance","params":{` + januaryDays + `},"formats":["doc"]}`:                      "formats.0",
		`{"reportType":"trial-balance","params":{` + januaryDays + `},"formats":["xml"]}`:                      "formats",
		`{"reportType":"tea-leaves"}`: "reportType",
	} {
		_, err := reportCall(t, c, "reports/jobs/create", body)
		var refusal *apperr.Error
		require.ErrorAs(t, err, &refusal, body)
		require.Contains(t, refusal.Fields(), field, body)
	}
	_, err := reportCall(t, c, "files/get", fmt.Sprintf(`{"id":%q}`, tenant.NewID()))
	require.ErrorIs(t, err, apperr.ErrNotFound)
}

// A parameter that means today is filled in when the job is made, so that every attempt is about the same day.
func TestReportJobsFixTheDay(t *testing.T) {
	t.Parallel()
	s := openSeller(t, testkit.SQLite(t))
	for name, want := range map[string]string{
		"debt-aging": `"asOf":"2026-01-31"`, "partner-balances": `"asOf":"2026-01-31"`, "monthly-summary": `"asOf":"2026-01-31"`,
	} {
		job, err := reportCall(t, s.Company, "reports/jobs/create", fmt.Sprintf(`{"reportType":%q}`, name))
		require.NoError(t, err)
		params, err := json.Marshal(job["params"])
		require.NoError(t, err)
		require.Contains(t, strings.ReplaceAll(string(params), " ", ""), want)
		require.Equal(t, []any{"json"}, job["formats"])
	}
}
