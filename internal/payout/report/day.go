package report

import (
	"regexp"

	"github.com/vienkart/vienkart/internal/date"
)

// timeOfDay is what may follow a day: nothing, or a time with or without its zone.
var timeOfDay = regexp.MustCompile(`^(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?$`)

// day reads the first of the named cells that is not empty; the zero Date when all are.
func (r row) day(names ...string) (date.Date, error) {
	cell := r.get(names...)
	if cell == "" {
		return date.Date{}, nil
	}
	if len(cell) >= len(date.Layout) && timeOfDay.MatchString(cell[len(date.Layout):]) {
		if d, err := date.Parse(cell[:len(date.Layout)]); err == nil {
			return d, nil
		}
	}
	return date.Date{}, r.fault(names[0], "%q is no day; days are written as 2026-03-31, or with a time as 2026-03-31 14:05:00", shorten(cell))
}
