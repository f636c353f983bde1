package date_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
)

// FuzzParse: a text is a real day in the one spelling, or is refused in few words.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"2026-02-28", "2024-02-29", "2023-02-29", "1900-01-01", "2199-12-31", "2200-01-01", "0000-00-00", "2026-1-5", "20260105",
		"2026-01-05T00:00:00Z", " 2026-01-05", "２０２６-01-05", "9999999999-01-01", "2026-01-05\x00", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := date.Parse(s)
		if err != nil {
			require.Less(t, len(err.Error()), 400)
			require.True(t, d.IsZero())
			return
		}
		require.Equal(t, s, d.String(), "there is one spelling")
		require.Equal(t, d, date.New(d.Year(), d.Month(), d.Day()))
		var stored date.Date
		require.NoError(t, stored.Scan(s+" 00:00:00"))
		require.Equal(t, d, stored)
		require.NoError(t, stored.Scan(time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)))
		require.Equal(t, d, stored)
		last := d.LastOfMonth()
		require.Equal(t, date.MonthOf(d).Next(), date.MonthOf(last.AddDays(1)))
		require.False(t, d.After(last))
	})
}
