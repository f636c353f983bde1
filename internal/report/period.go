package report

import (
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
)

// MaxRows bounds the rows of one answer. More than that is what export jobs are for.
const MaxRows = 10_000

// batchRows is about how many rows are read at once: enough to make round trips cheap, little enough to keep memory small.
const batchRows = 5_000

// Period is the days that a report is about, both included.
type Period struct {
	FromDate date.Date `json:"fromDate" description:"First day."`
	ToDate   date.Date `json:"toDate" description:"Last day."`
}

// check refuses days in the wrong order. Error: validation.
func (p Period) check() error {
	if p.ToDate.Before(p.FromDate) {
		return apperr.Invalid("toDate", "lies before fromDate")
	}
	return nil
}

// FitsAnswer refuses what is too long for one answer. Error: report.too_large.
func FitsAnswer(rows int64) error {
	if rows <= MaxRows {
		return nil
	}
	return ErrTooLarge.New("The report has %d rows; one answer holds %d. Narrow the days, or make an export job.", rows, MaxRows).
		Detail("rows", rows)
}

// dayCount is how many rows a day has.
type dayCount struct {
	Day  date.Date
	Rows int64 `gorm:"column:row_count"`
}

func totalRows(days []dayCount) int64 {
	var n int64
	for _, d := range days {
		n += d.Rows
	}
	return n
}

// batches joins days into periods of about batchRows rows, in order. A long list is read in such periods, because a day is
// the smallest part that the indexes can seek to.
func batches(days []dayCount) []Period {
	var periods []Period
	var rows int64
	for _, d := range days {
		if len(periods) == 0 || rows+d.Rows > batchRows {
			periods = append(periods, Period{FromDate: d.Day})
			rows = 0
		}
		periods[len(periods)-1].ToDate = d.Day
		rows += d.Rows
	}
	return periods
}
