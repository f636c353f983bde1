package date

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Layout is the only text form of a date, ISO 8601.
const Layout = "2006-01-02"

// Years outside these bounds are typing errors in a ledger.
const (
	minYear = 1900
	maxYear = 2199
)

var errFormat = errors.New("a date must be a real day written as YYYY-MM-DD, in the years 1900 to 2199")

// Date is a civil date. Values are comparable with ==; the zero Date is no date.
type Date struct {
	year  int16
	month uint8
	day   uint8
}

// New returns the given day. A day that does not exist is a programmer error and panics.
func New(year int, month time.Month, day int) Date {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	d := Of(t)
	if d.Year() != year || d.Month() != month || d.Day() != day {
		panic(fmt.Sprintf("date: there is no day %d-%d-%d", year, int(month), day))
	}
	return d
}

// Parse reads a date written as YYYY-MM-DD. It refuses days that do not exist and years outside 1900 to 2199.
func Parse(s string) (Date, error) {
	t, err := time.Parse(Layout, s)
	if err != nil || t.Year() < minYear || t.Year() > maxYear {
		return Date{}, fmt.Errorf("%w, not %q", errFormat, shorten(s))
	}
	return Of(t), nil
}

// shorten keeps hostile input out of error messages and logs.
func shorten(s string) string {
	const limit = 40
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "..."
}

// MustParse is Parse for dates fixed in the source; it panics on anything else.
func MustParse(s string) Date {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Of returns the day of t in t's own location. The zero time gives the zero Date.
func Of(t time.Time) Date {
	if t.IsZero() {
		return Date{}
	}
	year, month, day := t.Date()
	return Date{year: int16(year), month: uint8(month), day: uint8(day)} //nolint:gosec // years fit; Parse and New bound them
}

// Year returns the year, 0 for the zero Date.
func (d Date) Year() int { return int(d.year) }

// Month returns the month, 0 for the zero Date.
func (d Date) Month() time.Month { return time.Month(d.month) }

// Day returns the day of the month, 0 for the zero Date.
func (d Date) Day() int { return int(d.day) }

// String returns YYYY-MM-DD, empty for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
}

// IsZero reports whether d is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Compare returns -1, 0 or 1 as d is before, the same as or after e. The zero Date is before every day.
func (d Date) Compare(e Date) int {
	return cmp.Or(cmp.Compare(d.year, e.year), cmp.Compare(d.month, e.month), cmp.Compare(d.day, e.day))
}

// Before reports whether d is earlier than e.
func (d Date) Before(e Date) bool { return d.Compare(e) < 0 }

// After reports whether d is later than e.
func (d Date) After(e Date) bool { return d.Compare(e) > 0 }

// AddDays returns the day n days later, or earlier when n is negative. The zero Date panics.
func (d Date) AddDays(n int) Date { return Of(d.midnight().AddDate(0, 0, n)) }

// AddMonths returns the same day n months later, or the last day of that month when it is shorter: 31 January plus one month
// is 28 or 29 February. The zero Date panics.
func (d Date) AddMonths(n int) Date {
	first := Of(d.FirstOfMonth().midnight().AddDate(0, n, 0))
	last := first.LastOfMonth()
	return New(first.Year(), first.Month(), min(d.Day(), last.Day()))
}

// FirstOfMonth returns the first day of d's month. The zero Date panics.
func (d Date) FirstOfMonth() Date {
	d.mustExist()
	return Date{year: d.year, month: d.month, day: 1}
}

// LastOfMonth returns the last day of d's month. The zero Date panics.
func (d Date) LastOfMonth() Date {
	return Of(d.FirstOfMonth().midnight().AddDate(0, 1, -1))
}

// midnight carries a date through the standard calendar arithmetic; UTC has no days of another length.
func (d Date) midnight() time.Time {
	d.mustExist()
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
}

func (d Date) mustExist() {
	if d.IsZero() {
		panic("date: calendar arithmetic on no date")
	}
}
