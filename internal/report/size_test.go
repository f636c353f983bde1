package report_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func sizeOf(t *testing.T, c *testkit.Company, year int, employees ...int) report.Size {
	t.Helper()
	in := report.SizeInput{Year: year}
	if len(employees) > 0 {
		in.AvgEmployees = &employees[0]
	}
	var out report.Size
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		out, err = report.SizeOfCompany(ctx, r, in)
		return err
	})
	return out
}

// The year 2023 ends with 1 000 000 of assets after sales of 920 000 less returns of 20 000; 2024 adds 100 000 of each.
func TestSizeOfCompany(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := empty(t, e)
		for _, p := range [][2]string{
			{"2022-06-01", "Dr 2710 100000.00 / Cr 3011 100000.00"},
			{"2023-03-01", "Dr 2410 920000.00 / Cr 5000 920000.00"},
			{"2023-03-02", "Dr 5090 20000.00 / Cr 2410 20000.00"},
			{"2023-04-01", "Dr 6000 200000.00 / Cr 4430 200000.00"},
			{"2023-12-31", "Dr 5000 900000.00 / Cr 3900 900000.00"},
			{"2023-12-31", "Dr 3900 200000.00 / Cr 6000 200000.00"},
			{"2024-01-01", "Dr 2710 100000.00 / Cr 5001 100000.00"},
			{"2024-12-31", "Dr 1240 0.05 / Cr 4430 0.05"},
		} {
			post(t, c, p[0], p[1])
		}
		old := sizeOf(t, c, 2023)
		text, err := json.Marshal(old.Criteria)
		require.NoError(t, err)
		require.JSONEq(t, `{"totalAssets": 1000000, "netTurnover": 900000, "avgEmployees": 0}`, string(text), "closing the year is no turnover")
		require.Equal(t, report.Small, old.Category, "over 350 000 and 700 000")
		require.Equal(t, report.Small, sizeOf(t, c, 2023, 1000).Category, "assets and turnover are those of a small one")
		require.Contains(t, old.Notes[0], "2013/34/EU")

		year := sizeOf(t, c, 2024, 10)
		text, err = json.Marshal(year.Criteria)
		require.NoError(t, err)
		require.JSONEq(t, `{"totalAssets": 1100000.05, "netTurnover": 100000, "avgEmployees": 10}`, string(text))
		require.Equal(t, report.Micro, year.Category, "only the assets are over")
		require.Equal(t, report.Small, sizeOf(t, c, 2024, 11).Category)
		require.Contains(t, year.Notes[0], "2023/2775")
		require.Len(t, year.Thresholds, 3)
		require.Equal(t, report.Micro, sizeOf(t, c, 2026).Category)
		require.Contains(t, sizeOf(t, c, 2026).Notes[3], "not over")
		require.Equal(t, report.Micro, sizeOf(t, empty(t, e), 2025).Category, "another company's books")
	})
}

// On a limit is within it; the third figure never decides alone.
func TestSizeAtTheLimits(t *testing.T) {
	t.Parallel()
	for table, want := range map[string]report.Category{
		"Dr 2710 450000.00 / Cr 5000 450000.00":                      report.Micro,
		"Dr 2710 900000.00 / Cr 5000 900000.00":                      report.Micro,
		"Dr 2710 900000.01 / Cr 5000 900000.01":                      report.Small,
		"Dr 2710 10000000.00 / Cr 5000 10000000.00":                  report.Small,
		"Dr 2710 10000000.01 / Cr 5000 10000000.01":                  report.Medium,
		"Dr 2710 50000000.00 / Cr 5000 50000000.00":                  report.Medium,
		"Dr 2710 50000000.01 / Cr 5000 50000000.01":                  report.Large,
		"Dr 2710 900000000.00 / Cr 3011 900000000.00":                report.Micro,
		"Dr 6000 900000000.00 / Cr 4430 900000000.00":                report.Micro,
		"Dr 5090 900000000.00 / Cr 4430 900000000.00":                report.Micro,
		"Dr 2710 900000000.00 / Cr 5400 900000000.00":                report.Micro, // a gain on an asset is no turnover
		"Dr 1210 5000000.01 / Cr 5001 5000000.01":                    report.Small,
		"Dr 2710 450000.01 / Cr 5001 450000.01":                      report.Micro,
		"Dr 2410 1089000.00 / Cr 5000 900000.00 / Cr 4492 189000.00": report.Micro,
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			c := empty(t, testkit.SQLite(t))
			post(t, c, "2025-06-01", table)
			require.Equal(t, want, sizeOf(t, c, 2025).Category)
		})
	}
}

func TestSizeRefuses(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c := empty(t, e)
	dollars := e.Company(t, func(c *tenant.Company) { c.BaseCurrency = money.MustCurrency("USD") })
	for _, refusal := range []struct {
		of   *testkit.Company
		year int
		want error
	}{{c, 2015, apperr.ErrValidation}, {dollars, 2025, report.ErrCurrency}} {
		refusal.of.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			_, err := report.SizeOfCompany(ctx, r, report.SizeInput{Year: refusal.year})
			require.ErrorIs(t, err, refusal.want)
			return nil
		})
	}
}
