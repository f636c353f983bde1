package walk_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// formulas are how the names of the company under test begin.
var formulas = []string{"=HYPERLINK(\"http://evil.example\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "x;=1+1", "x\t@y", "\uff1d1"}

// exportParams are parameters among which every export finds its own.
var exportParams = []body{
	{"year": 2026},
	{"fromDate": "2026-01-01", "toDate": "2026-12-31"},
	{"fromDate": "2026-01-01", "toDate": "2026-12-31", "side": "output"},
	{"fromDate": "2026-01-01", "toDate": "2026-12-31", "accountCode": "2410"},
	{"fromDate": "2026-01-01", "toDate": "2026-12-31", "category": "large"},
	{"side": "receivables"},
	{"months": 12},
	{},
	{"year": 2026, "month": 1},
}

// TestExportsHoldOneCompanyAndNoFormula makes every export in every format for two companies on one database, one of which bears names
// that are formulas. No file has anything of the other company, and nothing that a spreadsheet would run.
func TestExportsHoldOneCompanyAndNoFormula(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := process.Start(t, e, "VIENKART_EXPORT_WORKERS=2")
		ours, _ := server.Company(t, e)
		theirs, _ := server.Company(t, e)
		hostileBooks(t, ours, formulas...)
		hostileBooks(t, theirs, "SVETIMA")
		marked := 0
		for _, f := range exports(t, theirs) {
			if strings.Contains(f.text, "SVETIMA") {
				marked++
			}
		}
		require.Greater(t, marked, 10, "the mark stands in the files of its own company")
		cells, named := 0, 0
		for _, f := range exports(t, ours) {
			require.NotContains(t, f.text, "SVETIMA", "%s as %s", f.report, f.format)
			if strings.Contains(f.text, "HYPERLINK") {
				named++
			}
			switch f.format {
			case "csv":
				cells += testkit.RequireNoFormula(t, f.text)
			case "xlsx":
				require.NotContains(t, f.text, "<f>", f.report)
				require.NotContains(t, f.text, `t="str"`, f.report)
			case "xml":
				require.NoError(t, wellFormed(f.text), f.report)
			}
		}
		require.Greater(t, named, 5, "the formulas stand in the files as text")
		t.Logf("cells of CSV that might have been formulas: %d", cells)
	})
}

// hostileBooks gives a company a customer, a supplier, an invoice and an entry for each name.
func hostileBooks(t *testing.T, c *process.Client, names ...string) {
	t.Helper()
	taxpayer(t, c)
	for _, name := range names {
		partner := made(t, c, "/v1/partners/create", body{"name": name, "isCustomer": true, "isSupplier": true, "address": body{"countryCode": "LT", "city": name}})
		id := made(t, c, "/v1/sales/invoices/create", body{
			"partnerId": partner, "issueDate": "2026-01-20", "lines": []body{{"description": name, "unitPriceExclVat": "100.00"}},
		})
		c.OK(t, "/v1/sales/invoices/issue", body{"id": id}, nil)
		bill := made(t, c, "/v1/purchases/invoices/create", body{
			"partnerId": partner, "documentNumber": strings.TrimSpace(name) + " 1", "documentDate": "2026-01-21",
			"lines": []body{{"description": name, "unitPriceExclVat": "100.00", "vatRatePercent": "21"}},
		})
		c.OK(t, "/v1/purchases/invoices/register", body{"id": bill, "registrationDate": "2026-01-22"}, nil)
		c.OK(t, "/v1/ledger/journal/transactions/create", body{
			"date": "2026-01-23", "description": name,
			"entries": []body{{"accountCode": "2710", "debit": "10.00", "description": name}, {"accountCode": "3011", "credit": "10.00"}},
		}, nil)
	}
}

// exported is a file, with its text out of its archive.
type exported struct{ report, format, text string }

var exportsOffered = regexp.MustCompile(`there is ([a-z0-9, -]+)`)

// exports makes every export in every format it has. A PDF is made and not read: its text is drawn, letter by letter.
func exports(t *testing.T, c *process.Client) []exported {
	t.Helper()
	a := c.Post(t, "/v1/reports/jobs/create", body{"reportType": "nothing", "params": body{}})
	offered := exportsOffered.FindStringSubmatch(string(a.Body))
	require.NotNil(t, offered, "%s", a.Body)
	var files []exported
	for report := range strings.SplitSeq(offered[1], ", ") {
		made := 0
		for _, format := range []string{"json", "csv", "xlsx", "pdf", "xml"} {
			for _, params := range exportParams {
				a := c.Post(t, "/v1/reports/jobs/create", body{"reportType": report, "params": params, "formats": []string{format}})
				if a.Status != http.StatusOK {
					continue
				}
				files = append(files, exported{report, format, fetched(t, c, a.ID(t), format)})
				made++
				break
			}
		}
		require.Positive(t, made, "no parameters for %s", report)
	}
	require.Greater(t, len(files), 40)
	return files
}

// fetched waits for a job and gives the text of its file.
func fetched(t *testing.T, c *process.Client, job, format string) string {
	t.Helper()
	var got struct {
		Status  string `json:"status"`
		Error   any    `json:"error"`
		Outputs []struct {
			FileID string `json:"fileId"`
		} `json:"outputs"`
	}
	require.Eventually(t, func() bool {
		c.OK(t, "/v1/reports/jobs/get", body{"id": job}, &got)
		return got.Status == "completed" || got.Status == "failed"
	}, time.Minute, 20*time.Millisecond)
	require.Equal(t, "completed", got.Status, "%v", got)
	var file struct {
		Content []byte `json:"content"`
	}
	require.Len(t, got.Outputs, 1)
	c.OK(t, "/v1/files/get", body{"id": got.Outputs[0].FileID}, &file)
	if format != "xlsx" {
		return string(file.Content)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Content), int64(len(file.Content)))
	require.NoError(t, err)
	var text strings.Builder
	for _, part := range archive.File {
		r, err := part.Open()
		require.NoError(t, err)
		_, err = io.Copy(&text, r)
		require.NoError(t, err)
	}
	return text.String()
}

func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF { //nolint:errorlint // as the decoder gives it
			return nil
		} else if err != nil {
			return err //nolint:wrapcheck // the test shows it
		}
	}
}
