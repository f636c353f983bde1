package rates

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// states are the 27 in the order of their codes.
var states = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT",
	"RO", "SE", "SI", "SK",
}

// Every state has one standard rate on every day from the first of the table on, and each sort of rate lies where the VAT
// Directive has it.
func TestTable(t *testing.T) {
	t.Parallel()
	for d := firstDay; d.Before(date.MustParse("2027-01-01")); d = d.AddDays(1) {
		standard := map[string]int{}
		for _, r := range table {
			if r.holdsOn(d) && r.Category == Standard {
				standard[r.Country]++
			}
		}
		require.Len(t, standard, len(states), d)
		for _, state := range states {
			require.Equal(t, 1, standard[state], "%s on %s", state, d)
		}
	}
	bounds := map[Category][2]string{Standard: {"15", "27"}, Reduced: {"5", "19"}, SuperReduced: {"1", "4.9"}, Parking: {"12", "14"}}
	for _, r := range table {
		require.True(t, identifier.IsEU(r.Country), r.Country)
		least, most := money.MustDecimal(bounds[r.Category][0]), money.MustDecimal(bounds[r.Category][1])
		require.True(t, r.Percent.Cmp(least) >= 0 && r.Percent.Cmp(most) <= 0, "%+v", r)
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, example := range []struct{ country, day, percents string }{
		{"AT", "2026-06-30", "20 10 13 13"},
		{"AT", "2026-07-01", "20 10 13 4.9 13"},
		{"EE", "2025-06-30", "22 9 13"},
		{"EE", "2025-07-01", "24 9 13"},
		{"FI", "2025-12-31", "25.5 10 14"},
		{"FI", "2026-01-01", "25.5 10 13.5"},
		{"RO", "2025-07-31", "19 5 9"},
		{"RO", "2025-08-01", "21 11"},
		{"SK", "2025-01-01", "23 5 19"},
		{"LT", "2025-12-31", "21 5 9"},
		{"LT", "2026-01-01", "21 5 12"},
		{"IE", "2026-01-01", "23 9 13.5 4.8 13.5"},
		{"DK", "2026-01-01", "25"},
	} {
		require.Equal(t, example.percents, listed(t, testkit.SQLite(t).Company(t), example.country, example.day), example)
	}
}

func listed(t *testing.T, c *testkit.Company, country, day string) (percents string) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		list, err := On(ctx, r, country, date.MustParse(day))
		for _, l := range list {
			if percents != "" {
				percents += " "
			}
			percents += l.Percent.String()
		}
		return err
	})
	return percents
}

func TestSetOverrides(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		set := func(country string, own ...Own) error {
			return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return SetOverrides(ctx, tx, country, own) })
		}
		rate := func(category Category, percent string) Own { return Own{category, money.MustDecimal(percent)} }
		require.NoError(t, set("DE", rate(Standard, "16"), rate(Reduced, "5")))
		require.Equal(t, "16 5", listed(t, c, "DE", "2026-01-01"))
		require.Equal(t, "19 7", listed(t, other, "DE", "2026-01-01"), "another company sees nothing of it")
		require.NoError(t, set("DE", rate(Standard, "20")))
		require.Equal(t, "20", listed(t, c, "DE", "2026-01-01"))
		require.NoError(t, set("DE"))
		require.Equal(t, "19 7", listed(t, c, "DE", "2026-01-01"))

		require.ErrorIs(t, set("NO", rate(Standard, "25")), ErrUnknownState)
		for name, own := range map[string][]Own{
			"StandardIsMissing": {rate(Reduced, "5")},
			"TwoStandardRates":  {rate(Standard, "20"), rate(Standard, "21")},
			"SameRateTwice":     {rate(Standard, "20"), rate(Reduced, "5"), rate(Reduced, "5.0")},
			"Negative":          {rate(Standard, "-1")},
			"AboveHundred":      {rate(Standard, "100.1")},
		} {
			require.ErrorIs(t, set("DE", own...), apperr.ErrValidation, name)
		}
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			_, err := On(ctx, r, "", date.MustParse("2023-12-31"))
			require.ErrorIs(t, err, apperr.ErrValidation, "the table does not go back that far")
			return nil
		})
	})
}
