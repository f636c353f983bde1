package httpapi

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/isaf"
)

// exported makes the files of a job and gives them by format; of a failed job it gives the code.
func exported(t *testing.T, b *books, report, params, formats string) (contents map[string]string, errorCode any) {
	t.Helper()
	job := b.call(t, "reports/jobs/create", `{"reportType": %q, "params": %s, "formats": %s}`, report, params, formats)
	worked, err := (&export.Worker{System: b.Engine.System, Reports: ReportExports("1.0")}).RunOnce(t.Context())
	require.NoError(t, err)
	require.True(t, worked)
	job = b.call(t, "reports/jobs/get", `{"id": %q}`, job["id"])
	if job["status"] == "failed" {
		return nil, job["errorCode"]
	}
	require.Equal(t, "completed", job["status"])
	contents = map[string]string{}
	for _, output := range as[[]any](t, job["outputs"]) {
		o := as[map[string]any](t, output)
		file := b.call(t, "files/get", `{"id": %q}`, o["fileId"])
		content, err := base64.StdEncoding.DecodeString(as[string](t, file["content"]))
		require.NoError(t, err)
		contents[as[string](t, o["format"])] = string(content)
	}
	return contents, nil
}

// TestVATFilesByJobs makes the files for the tax authority in the background: they are those of the declarations.
func TestVATFilesByJobs(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t).At(time.Date(2026, 12, 15, 9, 0, 0, 0, time.UTC)) // one queue, in which no other test works
	b := openBooks(t, e)
	b.more = slices.Concat(jobOperations(ReportExports("1.0")), storedFileOperations(files.Depot{}))
	b.month(t)

	made, _ := exported(t, b, "isaf", `{"year": 2026, "month": 1}`, `["xml"]`)
	require.Empty(t, isaf.Validate(strings.NewReader(made["xml"])))
	require.Equal(t, b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)["xml"], made["xml"])

	made, _ = exported(t, b, "fr0600", `{"year": 2026, "month": 1}`, `["json", "xml", "csv", "xlsx", "pdf"]`)
	require.Contains(t, made["xml"], `<Field Name="E36">54</Field>`)
	require.Contains(t, made["json"], `{"field":"36"`)
	require.Len(t, made, 5)

	made, _ = exported(t, b, "saft", `{"fromDate": "2026-01-01", "toDate": "2026-01-31"}`, `["xml"]`)
	requireAuditFile(t, made["xml"])
	require.Equal(t, b.call(t, "declarations/lt/saft/generate", `{"fromDate": "2026-01-01", "toDate": "2026-01-31"}`)["xml"], made["xml"])

	// A locked month gives the same bytes at another moment, though the file names the moment it was made.
	b.call(t, "ledger/periods/lock", `{"year": 2026, "month": 1}`)
	first, _ := exported(t, b, "isaf", `{"year": 2026, "month": 1}`, `["xml"]`)
	later := *b
	later.Company = &testkit.Company{Scope: b.Scope, Engine: e.At(time.Date(2026, 12, 16, 9, 0, 0, 0, time.UTC))}
	second, _ := exported(t, &later, "isaf", `{"year": 2026, "month": 1}`, `["xml"]`)
	require.Equal(t, first, second)

	// A job keeps what the books lack for its file, also when it takes the bytes of an earlier one.
	exported(t, b, "saft", `{"fromDate": "2026-01-01", "toDate": "2026-01-31"}`, `["xml"]`)
	exported(t, b, "saft", `{"fromDate": "2026-01-01", "toDate": "2026-01-31"}`, `["xml"]`)
	jobs := as[[]any](t, b.call(t, "reports/jobs/list", `{"filter": [{"field": "reportType", "op": "eq", "value": "saft"}]}`)["rows"])
	require.Len(t, jobs, 3)
	for _, job := range jobs {
		require.Contains(t, as[map[string]any](t, job)["warnings"], "The profile of the company has no city; the file says ND.")
	}

	b.customer = as[string](t, b.call(t, "partners/create", `{"name": "Kazkas"}`)["id"])
	b.sell(t, "2026-02-05", "")
	_, code := exported(t, b, "isaf", `{"year": 2026, "month": 2}`, `["xml"]`)
	require.Equal(t, "export.faulty", code, "a file that VMI must refuse is not made")
	for report, params := range map[string]string{
		"isaf": `{"year": 2026, "month": 2, "months": 3}`, "fr0600": `{"year": 2026, "month": 1, "months": 2}`,
		"saft": `{"fromDate": "2026-02-01", "toDate": "2026-01-01"}`,
	} {
		_, err := b.try(t, "reports/jobs/create", `{"reportType": %q, "params": %s, "formats": ["xml"]}`, report, params)
		require.ErrorIs(t, err, apperr.ErrValidation, report)
	}
	require.NoError(t, mayExport(b.Scope, "isaf"))
}

// A manager may make files of reports, and none for the tax authority.
func TestVATFilesTakeTheRightToFile(t *testing.T) {
	t.Parallel()
	require.True(t, tenant.RoleManager.Has(tenant.MakeExports))
	require.False(t, tenant.RoleManager.Has(tenant.FileReturns))
	e := testkit.SQLite(t)
	tokens, err := tenant.NewTokens(tenant.TokenConfig{
		Secret: "0123456789abcdef0123456789abcdef", Issuer: "vienkart", Audience: "vienkart",
	}, clock.System{})
	require.NoError(t, err)
	token, _, err := tokens.Sign(tenant.Grant{Company: e.Company(t).Scope.Company().ID, Subject: "shop", Role: tenant.RoleManager, Life: time.Hour})
	require.NoError(t, err)
	scope, err := tenant.NewVerifier(tokens, e.Store).Verify(t.Context(), tenant.Call{Authorization: "Bearer " + token})
	require.NoError(t, err)
	require.ErrorIs(t, mayExport(scope, "saft"), tenant.ErrForbidden)
	require.NoError(t, mayExport(scope, "trial-balance"))
}
