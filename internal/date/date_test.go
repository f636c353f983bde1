package date_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/date"
)

func TestParse(t *testing.T) {
	t.Parallel()

	t.Run("RealDaysAreKept", func(t *testing.T) {
		t.Parallel()
		for _, s := range []string{"1900-01-01", "2024-02-29", "2026-01-05", "2199-12-31"} {
			d, err := date.Parse(s)
			require.NoError(t, err)
			require.Equal(t, s, d.String())
		}
	})

	t.Run("EverythingElseIsRefused", func(t *testing.T) {
		t.Parallel()
		for _, s := range []string{
			"", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-5", "26-01-05", "1899-12-31", "2200-01-01",
			"2026-01-05T00:00:00Z", " 2026-01-05", "05.01.2026", "0000-00-00", "2026/01/05",
		} {
			_, err := date.Parse(s)
			require.ErrorContains(t, err, "written as YYYY-MM-DD", s)
		}
	})
}

func TestNew(t *testing.T) {
	t.Parallel()
	d := date.New(2024, time.February, 29)
	require.Equal(t, 2024, d.Year())
	require.Equal(t, time.February, d.Month())
	require.Equal(t, 29, d.Day())
	require.Panics(t, func() { date.New(2026, time.February, 29) })
	require.Panics(t, func() { date.New(2026, 13, 1) })
}

func TestOf(t *testing.T) {
	t.Parallel()
	late := time.Date(2026, time.January, 5, 23, 30, 0, 0, time.UTC)
	vilnius := time.FixedZone("EET", 2*60*60)
	require.Equal(t, "2026-01-05", date.Of(late).String())
	require.Equal(t, "2026-01-06", date.Of(late.In(vilnius)).String())
	require.True(t, date.Of(time.Time{}).IsZero())
}

func TestArithmetic(t *testing.T) {
	t.Parallel()
	day := date.MustParse
	require.Equal(t, day("2026-03-01"), day("2026-02-28").AddDays(1))
	require.Equal(t, day("2023-12-31"), day("2024-01-01").AddDays(-1))
	require.Equal(t, day("2026-02-28"), day("2026-01-31").AddMonths(1))
	require.Equal(t, day("2024-02-29"), day("2024-01-31").AddMonths(1))
	require.Equal(t, day("2025-11-30"), day("2026-01-30").AddMonths(-2))
	require.Equal(t, day("2025-12-31"), day("2026-12-31").AddMonths(-12))
	require.Equal(t, day("2028-02-01"), day("2028-02-29").FirstOfMonth())
	require.Equal(t, day("2028-02-29"), day("2028-02-01").LastOfMonth())
	require.Panics(t, func() { date.Date{}.AddDays(1) })
	require.Panics(t, func() { date.Date{}.AddMonths(1) })
}

func TestOrder(t *testing.T) {
	t.Parallel()
	days := []date.Date{
		{},
		date.MustParse("1999-12-31"), date.MustParse("2026-01-05"), date.MustParse("2026-01-06"), date.MustParse("2026-02-01"),
		date.MustParse("2027-01-01"),
	}
	for i, a := range days {
		for j, b := range days {
			require.Equal(t, i < j, a.Before(b))
			require.Equal(t, i > j, a.After(b))
			require.Equal(t, i == j, a.Compare(b) == 0)
		}
	}
}

func TestEncoding(t *testing.T) {
	t.Parallel()
	day := date.MustParse("2026-01-05")

	t.Run("JSONIsText", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal(day)
		require.NoError(t, err)
		require.Equal(t, `"2026-01-05"`, string(text))
		var back date.Date
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, day, back)
		require.Error(t, json.Unmarshal([]byte(`""`), &back))
		require.Error(t, json.Unmarshal([]byte(`20260105`), &back))
	})

	t.Run("EveryFormOfADriverIsRead", func(t *testing.T) {
		t.Parallel()
		for _, src := range []any{
			"2026-01-05", []byte("2026-01-05"), "2026-01-05T00:00:00Z", "2026-01-05 00:00:00", []byte("2026-01-05 00:00:00"),
			"2026-01-05 00:00:00+00:00", time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC),
		} {
			var d date.Date
			require.NoError(t, d.Scan(src))
			require.Equal(t, day, d)
		}
	})

	t.Run("ATimeOfDayIsRefused", func(t *testing.T) {
		t.Parallel()
		d := day
		require.Error(t, d.Scan("2026-01-06 13:00:00"))
		require.Error(t, d.Scan(int64(20260106)))
		require.Equal(t, day, d)
	})

	t.Run("NoDateIsNull", func(t *testing.T) {
		t.Parallel()
		v, err := date.Date{}.Value()
		require.NoError(t, err)
		require.Nil(t, v)
		d := day
		require.NoError(t, d.Scan(nil))
		require.True(t, d.IsZero())
		v, err = day.Value()
		require.NoError(t, err)
		require.Equal(t, "2026-01-05", v)
	})
}

func TestMonth(t *testing.T) {
	t.Parallel()
	january := date.MonthOf(date.MustParse("2026-01-15"))
	require.Equal(t, date.Month{Year: 2026, Month: time.January}, january)
	require.Equal(t, "2026-01", january.String())
	require.Equal(t, "2026-01-01", january.First().String())
	require.Equal(t, "2026-01-31", january.Last().String())
	require.Equal(t, "2025-12", january.Prev().String())
	require.Equal(t, "2025-12", january.Prev().Prev().Next().String())
	require.Equal(t, "2026-02-28", january.Next().Last().String())
	require.Equal(t, -1, january.Compare(january.Next()))
	require.Equal(t, 1, january.Compare(january.Prev()))
	require.Equal(t, 0, january.Compare(january.Next().Prev()))
}

func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := date.MustParse("1950-01-01").AddDays(rapid.IntRange(0, 80_000).Draw(t, "day"))
		n := rapid.IntRange(-500, 500).Draw(t, "n")

		parsed, err := date.Parse(d.String())
		require.NoError(t, err)
		require.Equal(t, d, parsed)
		require.Equal(t, d, d.AddDays(n).AddDays(-n))
		require.Equal(t, n > 0, d.AddDays(n).After(d))

		moved := d.AddMonths(n)
		require.Equal(t, d.Year()*12+int(d.Month())+n, moved.Year()*12+int(moved.Month()))
		require.True(t, moved.Day() == d.Day() || (moved.Day() < d.Day() && moved == moved.LastOfMonth()))
		require.NotEqual(t, d.LastOfMonth().Month(), d.LastOfMonth().AddDays(1).Month())
	})
}
