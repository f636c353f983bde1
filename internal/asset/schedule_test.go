package asset

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/date"
)

// amountsOf lists the months of a schedule in order.
func amountsOf(t require.TestingT, s schedule) []int64 {
	var amounts []int64
	for _, g := range s {
		for n := range g.months {
			amount, number, due := s.at(g.first + monthIndex(n))
			require.True(t, due)
			require.Equal(t, len(amounts), number)
			require.Equal(t, g.first+monthIndex(n), s.monthNumber(number))
			require.Equal(t, number, s.dueBefore(g.first+monthIndex(n)))
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

func equalMonths(n int, part, last int64) []int64 {
	amounts := make([]int64, n+1)
	for i := range amounts {
		amounts[i] = part
	}
	amounts[n] = last
	return amounts
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	start := date.MustParse("2025-01-01")
	for name, example := range map[string]struct {
		asset Asset
		want  []int64
	}{
		"B142_TheLastMonthTakesMore": {Asset{CostMinor: 30841442, UsefulLifeMonths: 12}, equalMonths(11, 2570120, 2570122)},
		"B146_TheOpeningIsNotRepeated": {
			Asset{CostMinor: 340708, UsefulLifeMonths: 36, OpeningMinor: 8910, OpeningMonths: 1}, equalMonths(34, 9480, 9478),
		},
		"B148_TheLastMonthTakesLess":      {Asset{CostMinor: 62558, UsefulLifeMonths: 36}, equalMonths(35, 1738, 1728)},
		"B152_EveryMonthButTheLastIsSame": {Asset{CostMinor: 1250979, UsefulLifeMonths: 18}, equalMonths(17, 69499, 69496)},
		"SalvageIsLeft":                   {Asset{CostMinor: 10000, SalvageMinor: 1000, UsefulLifeMonths: 3}, equalMonths(2, 3000, 3000)},
		"PartsThatRoundUpEndEarly":        {Asset{CostMinor: 3, UsefulLifeMonths: 5}, []int64{1, 1, 1, 0, 0}},
		"PartsThatRoundToNothingEndLate":  {Asset{CostMinor: 2, UsefulLifeMonths: 5}, []int64{0, 0, 0, 0, 2}},
		"HalvesRoundAwayFromZero":         {Asset{CostMinor: 5, UsefulLifeMonths: 2}, []int64{3, 2}},
		"WholeLifeBeforeLeavesNothing":    {Asset{CostMinor: 500, UsefulLifeMonths: 4, OpeningMinor: 500, OpeningMonths: 4}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			example.asset.DepreciationStartDate = start
			s := scheduleOf(example.asset, nil)
			require.Equal(t, example.want, amountsOf(t, s))
			first := monthOf(start) + monthIndex(example.asset.OpeningMonths)
			_, _, due := s.at(first - 1)
			require.False(t, due)
			_, _, due = s.at(first + monthIndex(len(example.want)))
			require.False(t, due)
		})
	}
}

func TestScheduleModernized(t *testing.T) {
	t.Parallel()
	a := Asset{DepreciationStartDate: date.MustParse("2025-01-01"), CostMinor: 12000, UsefulLifeMonths: 12}
	on := func(day string, amount int64, months int) Modernization {
		return Modernization{ModernizationDate: date.MustParse(day), AmountMinor: amount, AddedLifeMonths: months}
	}
	for name, example := range map[string]struct {
		modernizations []Modernization
		months         []int
		parts          []int64
	}{
		"CountsFromTheMonthAfter":      {[]Modernization{on("2025-03-01", 900, 0)}, []int{3, 9}, []int64{1000, 1100}},
		"SpreadsOverTheAddedLifeToo":   {[]Modernization{on("2025-03-31", 900, 9)}, []int{3, 18}, []int64{1000, 550}},
		"BeforeTheStartAddsToTheCost":  {[]Modernization{on("2024-12-10", 1200, 0)}, []int{12}, []int64{1100}},
		"TwiceInOneMonthCountTogether": {[]Modernization{on("2025-03-09", 400, 3), on("2025-03-02", 500, 6)}, []int{3, 18}, []int64{1000, 550}},
		"OrderOfEntryDoesNotCount":     {[]Modernization{on("2025-09-02", 300, 0), on("2025-03-02", 900, 0)}, []int{3, 6, 3}, []int64{1000, 1100, 1200}},
		"AfterTheEndBeginsAnew":        {[]Modernization{on("2026-06-15", 600, 6)}, []int{12, 6}, []int64{1000, 100}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scheduleOf(a, example.modernizations)
			require.True(t, s.hasRoom())
			amounts, want := amountsOf(t, s), []int64{}
			for i, n := range example.months {
				for range n {
					want = append(want, example.parts[i])
				}
			}
			require.Equal(t, want, amounts)
		})
	}
	t.Run("AfterTheEndItNeedsMonths", func(t *testing.T) {
		t.Parallel()
		require.False(t, scheduleOf(a, []Modernization{on("2025-12-31", 600, 0)}).hasRoom())
		require.True(t, scheduleOf(a, []Modernization{on("2025-11-30", 600, 0)}).hasRoom())
	})
	t.Run("MonthsAfterTheEndAreNotDueBeforeItCounts", func(t *testing.T) {
		t.Parallel()
		s := scheduleOf(a, []Modernization{on("2026-06-15", 600, 6)})
		for m, want := range map[string]bool{"2025-12-01": true, "2026-01-01": false, "2026-06-01": false, "2026-07-01": true} {
			_, _, due := s.at(monthOf(date.MustParse(m)))
			require.Equal(t, want, due, m)
		}
	})
}

// TestScheduleLaws books an asset month by month and modernises it in between, as the rules of the package allow.
func TestScheduleLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawAsset(t)
		total, life := a.CostMinor, a.UsefulLifeMonths
		var modernizations []Modernization
		booked := []int64{}
		sum := a.OpeningMinor
		last := monthOf(a.DepreciationStartDate) + monthIndex(a.OpeningMonths) - 1
		for range rapid.IntRange(0, 4).Draw(t, "modernizations") {
			s := scheduleOf(a, modernizations)
			for range rapid.IntRange(0, 30).Draw(t, "booked before") {
				if len(booked) == len(amountsOf(t, s)) {
					break
				}
				last = s.monthNumber(len(booked))
				amount, _, due := s.at(last)
				require.True(t, due)
				booked = append(booked, amount)
				sum += amount
			}
			m := Modernization{
				ModernizationDate: (last + 1 + monthIndex(rapid.IntRange(0, 20).Draw(t, "later"))).month().Last(),
				AmountMinor:       rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, 1_000_000_000_000)).Draw(t, "amount"),
				AddedLifeMonths:   rapid.IntRange(0, 24).Draw(t, "added"),
			}
			if !scheduleOf(a, append(modernizations, m)).hasRoom() {
				continue
			}
			modernizations = append(modernizations, m)
			total, life = total+m.AmountMinor, life+m.AddedLifeMonths
			require.Equal(t, booked, amountsOf(t, scheduleOf(a, modernizations))[:len(booked)], "what is booked stays as it was")
		}
		amounts := amountsOf(t, scheduleOf(a, modernizations))
		require.Len(t, amounts, life-a.OpeningMonths)
		for _, amount := range amounts[len(booked):] {
			require.GreaterOrEqual(t, amount, int64(0))
			sum += amount
		}
		require.Equal(t, total-a.SalvageMinor, sum, "the life ends at the salvage value")
	})
}

func drawAsset(t *rapid.T) Asset {
	a := Asset{
		DepreciationStartDate: date.MustParse("2000-01-15").AddMonths(rapid.IntRange(0, 600).Draw(t, "start")),
		CostMinor:             rapid.OneOf(rapid.Int64Range(1, 50), rapid.Int64Range(1, 1_000_000_000_000_000)).Draw(t, "cost"),
		UsefulLifeMonths:      rapid.IntRange(1, 120).Draw(t, "life"),
	}
	a.SalvageMinor = rapid.Int64Range(0, a.CostMinor).Draw(t, "salvage")
	a.OpeningMonths = rapid.IntRange(0, a.UsefulLifeMonths).Draw(t, "opening months")
	depreciable := a.CostMinor - a.SalvageMinor
	switch a.OpeningMonths {
	case 0:
	case a.UsefulLifeMonths:
		a.OpeningMinor = depreciable
	default:
		a.OpeningMinor = rapid.Int64Range(0, depreciable).Draw(t, "opening")
	}
	return a
}

func TestMonthIndex(t *testing.T) {
	t.Parallel()
	for _, day := range []string{"1999-12-31", "2025-01-01", "2025-12-01"} {
		d := date.MustParse(day)
		require.Equal(t, date.MonthOf(d), monthOf(d).month())
		require.Equal(t, date.MonthOf(d).Next(), (monthOf(d) + 1).month())
	}
}
