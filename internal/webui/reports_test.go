package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReportsSayWhatTheAPISays looks for figures of a small month in each report.
func TestReportsSayWhatTheAPISays(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.issued(t)
	v := s.visit(t, s.token)
	for at, figures := range map[string][]string{
		"/ui/trial-balance":                                         {"2410", "121.00", "4492"},
		"/ui/reports/general-journal":                               {"2410", "121.00", "21.00", "Total"},
		"/ui/reports/gl-detail?accountCode=2410":                    {"Opening", "121.00"},
		"/ui/reports/financial-statements":                          {"Total assets", "121.00", "Gross profit", "100.00"},
		"/ui/reports/financial-statements?category=large":           {"Changes in equity", "Cash before"},
		"/ui/reports/cash-flow":                                     {"Cash after", "No money moved in these days."},
		"/ui/reports/monthly-summary?months=3":                      {s.month(t), "100.00"},
		"/ui/reports/partner-balances":                              {"UAB Pirkėjas", "121.00"},
		"/ui/reports/debt-aging":                                    {"Over 90 days", "121.00"},
		"/ui/reports/debt-aging?side=payables":                      {"Nothing was owed on this day"},
		"/ui/reports/vat-summary":                                   {"21", "100.00", "21.00"},
		"/ui/reports/vat-detail":                                    {"UAB Pirkėjas", "121.00"},
		"/ui/reports/vat-detail?side=purchases":                     {"No VAT was recorded in these days"},
		"/ui/reports/eu-purchases":                                  {"Nothing was bought from VAT payers"},
		"/ui/reports/gl-detail":                                     {"Choose an account above"},
		"/ui/reports/general-journal?from=2020-01-01&to=2020-01-31": {"Nothing was posted yet"},
	} {
		p := v.open(t, at)
		for _, figure := range figures {
			require.Contains(t, p.words(), figure, at)
		}
	}
	t.Run("DaysInTheWrongOrderAreTold", func(t *testing.T) {
		t.Parallel()
		p := v.get(t, "/ui/reports/cash-flow?from=2026-02-01&to=2026-01-01")
		require.Equal(t, http.StatusBadRequest, p.status)
		require.Contains(t, p.words(), "lies before fromDate")
		require.Contains(t, p.text, `name="from"`, "the days can be mended")
	})
	t.Run("UnknownAccountIsTold", func(t *testing.T) {
		t.Parallel()
		require.GreaterOrEqual(t, v.get(t, "/ui/reports/gl-detail?accountCode=nope").status, http.StatusBadRequest)
		require.Equal(t, "/ui/reports/gl-detail?accountCode=2410&from=2026-01-01", v.get(t, "/ui/accounts/2410?from=2026-01-01").location)
	})
	t.Run("AllAreListed", func(t *testing.T) {
		t.Parallel()
		index := v.open(t, "/ui/reports").text
		for _, at := range pages {
			if strings.HasPrefix(at, "/ui/reports/") && !strings.Contains(at, "?") {
				require.Contains(t, index, `href="`+at+`"`)
			}
		}
		require.Contains(t, v.open(t, "/ui/").text, `href="/ui/reports"`)
	})
}

func TestGeneralJournalHasPages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for range 51 {
		s.call(t, "/v1/ledger/journal/transactions/create", map[string]any{"date": s.month(t) + "-01", "description": "Cash", "entries": []any{
			map[string]any{"accountCode": "2710", "debit": "1"}, map[string]any{"accountCode": "3011", "credit": "1"},
		}})
	}
	v := s.visit(t, s.token)
	first := v.open(t, "/ui/reports/general-journal")
	require.Contains(t, first.words(), "Page 1 of 2 · 51 entries")
	require.Contains(t, first.words(), "This page 50.00 50.00")
	require.Contains(t, v.open(t, "/ui/reports/general-journal?page=2").words(), "This page 1.00 1.00")
	require.Equal(t, 103, strings.Count(v.get(t, "/ui/reports/general-journal?format=csv").text, "\n"), "the file has all pages")
	require.Contains(t, v.open(t, "/ui/reports/general-journal?sort=-debit").words(), "Total 51.00 51.00", "what is sorted is all of it")
}

// TestFilesOfReports makes a file of each report by its form, with the parameters of the page.
func TestFilesOfReports(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.issued(t)
	v := s.visit(t, s.token)
	for _, at := range pages {
		if !strings.HasPrefix(at, "/ui/reports/") && at != "/ui/trial-balance" || at == "/ui/reports/gl-detail" {
			continue
		}
		made := v.post(t, "/ui/exports", v.open(t, at).form(t, "/ui/exports", "format", "pdf"))
		require.Equal(t, http.StatusSeeOther, made.status, "%s: %s", at, made.words())
		waiting := v.open(t, made.location)
		require.Contains(t, waiting.words(), "The file is being made", at)
		require.Len(t, waiting.all("progress"), 1, at)
		require.Contains(t, waiting.text, `http-equiv="refresh"`, at)
		s.works(t)
		done := v.open(t, made.location)
		require.NotContains(t, done.text, `http-equiv="refresh"`, at)
		file, back := "", ""
		for _, a := range elements(done.all("main")[0], "a") {
			switch to := attribute(a, "href"); {
			case strings.HasPrefix(to, "/ui/files/"):
				file = to
			case to != "/ui/exports":
				back = to
			}
		}
		require.True(t, strings.HasPrefix(v.get(t, file).text, "%PDF-"), at)
		same, again := v.open(t, at).form(t, "/ui/exports"), v.open(t, back).form(t, "/ui/exports")
		same.Del("_key")
		again.Del("_key")
		require.Equal(t, same, again, "the report behind the file has the same parameters")
	}
	list := v.open(t, "/ui/exports").words()
	require.Contains(t, list, "Cash flow")
	require.Contains(t, v.open(t, "/ui/exports?status=running").words(), "Nothing fits the filter")
}

func TestFileIsStopped(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	made := v.post(t, "/ui/exports", v.open(t, "/ui/reports/cash-flow").form(t, "/ui/exports"))
	stop := v.open(t, made.location).form(t, made.location+"/cancel")
	require.Equal(t, http.StatusSeeOther, v.post(t, made.location+"/cancel", stop).status)
	p := v.open(t, made.location)
	require.Contains(t, p.words(), "Failed")
	require.NotContains(t, p.text, "/cancel")
}

func TestUnknownReportIsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	f := v.open(t, "/ui/reports/cash-flow").form(t, "/ui/exports", "reportType", "no-such")
	p := v.post(t, "/ui/exports", f)
	require.Equal(t, http.StatusUnprocessableEntity, p.status)
	require.Equal(t, f.Get("params.fromDate"), p.form(t, "/ui/exports").Get("params.fromDate"))
}

// TestLateChanges sends the file of a month, issues another invoice, is warned, and corrects the file.
func TestLateChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.taxpayer(t)
	s.issued(t)
	v := s.visit(t, s.token)
	vat := "/ui/vat?month=" + s.month(t)
	keep := v.open(t, vat).form(t, "/ui/vat/submissions")
	require.Equal(t, vat+"&outcome=done", v.post(t, "/ui/vat/submissions", keep).location)
	at := ""
	for _, a := range v.open(t, vat).all("a") {
		if to := attribute(a, "href"); strings.HasPrefix(to, "/ui/vat/submissions/") && !strings.Contains(to, "#") {
			at = to
		}
	}
	mark := v.open(t, at).form(t, at+"/mark", "status", "submitted", "externalRef", "VMI-17")
	require.Equal(t, at+"?outcome=done", v.post(t, at+"/mark", mark).location)
	quiet := v.open(t, at)
	require.Contains(t, quiet.words(), "Nothing came into the month after this file was made")
	require.Contains(t, quiet.words(), "VMI-17")
	late := member(t, s.call(t, "/v1/sales/invoices/get", map[string]any{"id": s.issued(t)}), "fullNumber")
	require.Contains(t, v.open(t, vat).words(), "1 row is missing")
	require.Contains(t, v.open(t, "/ui/").words(), "i.SAF of "+s.month(t)+" lacks 1 row")
	changed := v.open(t, at)
	require.Contains(t, changed.words(), late+" Sales")
	correct := changed.form(t, "/ui/vat/submissions")
	require.Equal(t, "F", correct.Get("dataType"))
	require.Equal(t, http.StatusSeeOther, v.post(t, "/ui/vat/submissions", correct).status)
	require.Contains(t, v.open(t, vat).words(), "Made")
	t.Run("WrongStatusIsToldOnItsPage", func(t *testing.T) {
		accepted := v.open(t, at).form(t, at+"/mark", "status", "accepted")
		require.Equal(t, http.StatusSeeOther, v.post(t, at+"/mark", accepted).status)
		back := v.open(t, at).form(t, at+"/mark", "status", "submitted")
		p := v.post(t, at+"/mark", back)
		require.GreaterOrEqual(t, p.status, http.StatusBadRequest)
		require.Contains(t, p.words(), late)
	})
}
