package asset

import (
	"slices"
	"time"

	"github.com/vienkart/vienkart/internal/date"
)

// monthIndex counts calendar months, so that they can be added and compared as numbers.
type monthIndex int

const monthsPerYear = 12

func indexOf(m date.Month) monthIndex { return monthIndex(m.Year*monthsPerYear + int(m.Month) - 1) }

func monthOf(d date.Date) monthIndex { return indexOf(date.MonthOf(d)) }

func (i monthIndex) month() date.Month {
	return date.Month{Year: int(i) / monthsPerYear, Month: time.Month(int(i)%monthsPerYear + 1)}
}

// segment is a run of equal months: amount spread over spread months, of which the first months count; a modernisation
// ends a segment early.
type segment struct {
	first  monthIndex
	spread int
	months int
	amount int64
}

// part is what one month takes: the amount divided by its months, rounded half away from zero.
func (s segment) part() int64 {
	n := int64(s.spread)
	return (s.amount + n/2) / n
}

// before is what the first n months take together. The part was rounded, so it may use the amount up early; the last
// month takes whatever is left.
func (s segment) before(n int) int64 {
	if n >= s.spread {
		return s.amount
	}
	return min(s.part()*int64(n), s.amount)
}

// schedule is the depreciation of an asset that is to be booked here, in the order of months. Amounts are minor units.
type schedule []segment

// scheduleOf computes the schedule. A modernisation counts from the month after its date: what is left then, and its
// amount, are spread over the months that are left and those it adds.
func scheduleOf(a Asset, modernizations []Modernization) schedule {
	now := segment{
		first:  monthOf(a.DepreciationStartDate) + monthIndex(a.OpeningMonths),
		spread: a.UsefulLifeMonths - a.OpeningMonths,
		amount: a.CostMinor - a.SalvageMinor - a.OpeningMinor,
	}
	var done schedule
	byDate := slices.SortedStableFunc(slices.Values(modernizations), func(x, y Modernization) int {
		return x.ModernizationDate.Compare(y.ModernizationDate)
	})
	for _, m := range byDate {
		from := monthOf(m.ModernizationDate) + 1
		elapsed := min(max(int(from-now.first), 0), now.spread)
		left := now.amount
		if elapsed > 0 {
			left -= now.before(elapsed)
			now.months = elapsed
			done = append(done, now)
		}
		now = segment{first: max(from, now.first), spread: now.spread - elapsed + m.AddedLifeMonths, amount: left + m.AmountMinor}
	}
	now.months = now.spread
	return append(done, now)
}

// hasRoom reports that the last segment has months for its amount.
func (s schedule) hasRoom() bool {
	last := s[len(s)-1]
	return last.spread > 0 || last.amount == 0
}

// at gives what a month takes and the number of the month in the schedule, from 0; due is false outside the schedule.
func (s schedule) at(m monthIndex) (amount int64, number int, due bool) {
	for _, g := range s {
		if n := int(m - g.first); n >= 0 && n < g.months {
			return g.before(n+1) - g.before(n), number + n, true
		}
		number += g.months
	}
	return 0, 0, false
}

// dueBefore counts the months of the schedule that lie before a month.
func (s schedule) dueBefore(m monthIndex) int {
	count := 0
	for _, g := range s {
		count += min(max(int(m-g.first), 0), g.months)
	}
	return count
}

// monthNumber is the calendar month of a number in the schedule, which must be below the number of its months.
func (s schedule) monthNumber(number int) monthIndex {
	for _, g := range s {
		if number < g.months {
			return g.first + monthIndex(number)
		}
		number -= g.months
	}
	panic("asset: the schedule has fewer months than are booked")
}
