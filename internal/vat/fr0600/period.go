package fr0600

import (
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
)

// Period is a tax period: a month, a quarter or a half-year of one calendar year.
type Period struct {
	From, To date.Date
	Months   int
}

// The first period the form can be filed for (check of its script), and the years a register can hold.
const (
	firstYear = 2010
	lastYear  = 2099
)

// NewPeriod gives the period that starts with a month. Months is 1, 3 or 6. Error: validation.
func NewPeriod(year, month, months int) (Period, error) {
	switch {
	case year < firstYear || year > lastYear:
		return Period{}, apperr.Invalid("year", "must be %d to %d", firstYear, lastYear)
	case month < 1 || month > 12:
		return Period{}, apperr.Invalid("month", "must be 1 to 12")
	case months != 1 && months != 3 && months != 6:
		return Period{}, apperr.Invalid("months", "must be 1 (month), 3 (quarter) or 6 (half-year)")
	case month+months-1 > 12:
		return Period{}, apperr.Invalid("months", "must not reach into the next year: the form takes one year (start earlier)")
	}
	first := date.New(year, time.Month(month), 1)
	return Period{From: first, To: first.AddMonths(months - 1).LastOfMonth(), Months: months}, nil
}

// onCalendar reports a quarter or half-year that begins where calendar ones do.
func (p Period) onCalendar() bool { return (int(p.From.Month())-1)%p.Months == 0 }

func (p Period) String() string { return fmt.Sprintf("%s to %s", p.From, p.To) }

// hasTwelvePercent reports a period of version 03 of the form, which has box 29A: from 2026, VMI order VA-129 of 2025-12-22.
func (p Period) hasTwelvePercent() bool { return p.From.Year() >= 2026 }
