package date

import (
	"cmp"
	"fmt"
	"time"
)

// Month is a calendar month, the usual accounting period. Values are comparable with ==.
type Month struct {
	Year  int
	Month time.Month
}

// MonthOf returns the month d lies in.
func MonthOf(d Date) Month { return Month{Year: d.Year(), Month: d.Month()} }

// First returns the first day of the month.
func (m Month) First() Date { return New(m.Year, m.Month, 1) }

// Last returns the last day of the month.
func (m Month) Last() Date { return m.First().LastOfMonth() }

// Next returns the month after m.
func (m Month) Next() Month { return MonthOf(m.First().AddMonths(1)) }

// Prev returns the month before m.
func (m Month) Prev() Month { return MonthOf(m.First().AddMonths(-1)) }

// Compare returns -1, 0 or 1 as m is before, the same as or after n.
func (m Month) Compare(n Month) int {
	return cmp.Or(cmp.Compare(m.Year, n.Year), cmp.Compare(m.Month, n.Month))
}

// String returns YYYY-MM.
func (m Month) String() string { return fmt.Sprintf("%04d-%02d", m.Year, int(m.Month)) }
