package isaf

import (
	"regexp"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// DataType says which registers a file has. Version 1.0 of the schema had S and P the other way round.
type DataType string

// The data types.
const (
	Full     DataType = "F"
	Issued   DataType = "S"
	Received DataType = "P"
)

// Enum lists the allowed values.
func (DataType) Enum() []any { return []any{Full, Issued, Received} }

// Sides are the registers of a data type, in the order of the file.
func (d DataType) Sides() []register.Direction {
	switch d {
	case Issued:
		return []register.Direction{register.Sales}
	case Received:
		return []register.Direction{register.Purchases}
	case Full:
	}
	return []register.Direction{register.Purchases, register.Sales}
}

// Period is a month, or the half-year of a payer who has half-years.
type Period struct{ From, To date.Date }

// The periods that the schema can express: i.SAF began with October 2016.
var (
	firstPeriod = date.MustParse("2016-10-01")
	lastYear    = 2099
)

// NewPeriod gives the period that starts with a month; months is 1, or 6 from January or July. Error: validation.
func NewPeriod(year, month, months int) (Period, error) {
	switch {
	case year < firstPeriod.Year() || year > lastYear:
		return Period{}, apperr.Invalid("year", "must be %d to %d", firstPeriod.Year(), lastYear)
	case month < 1 || month > 12:
		return Period{}, apperr.Invalid("month", "must be 1 to 12")
	case months != 1 && months != 6:
		return Period{}, apperr.Invalid("months", "must be 1 or 6: i.SAF stays monthly when the return is quarterly")
	case months == 6 && month != 1 && month != 7:
		return Period{}, apperr.Invalid("month", "must be 1 or 7 for a half-year")
	}
	first := date.New(year, time.Month(month), 1)
	if first.Before(firstPeriod) {
		return Period{}, apperr.Invalid("month", "must be October 2016 or later, when i.SAF began")
	}
	return Period{From: first, To: first.AddMonths(months - 1).LastOfMonth()}, nil
}

func (p Period) contains(d date.Date) bool { return !d.Before(p.From) && !d.After(p.To) }

// Software names the program in the header.
type Software struct{ Company, Name, Version string }

// Limits of a part, unless the options say less.
const (
	// MaxInvoices bounds the parties that are held in memory; the schema takes 500000 of each side.
	MaxInvoices = 100_000
	// MaxBytes is half of what VMI takes for a file today (1 GB), which it may change.
	MaxBytes = 512 << 20
)

// Options say what to make.
type Options struct {
	Period   Period
	DataType DataType
	// CreatedAt is the moment of creation, in the zone in which it shall be written. Its day is today for the checks.
	CreatedAt time.Time
	Software  Software
	// PartNumber is by default the data type; a correction must bear that of the file it corrects. Parts after the first add _2, _3.
	PartNumber string
	// FiledParts is how many parts were filed before: when there are fewer now, the rest is emptied by files with a header alone.
	FiledParts int
	// NumbersAsStored leaves document numbers as they are printed; otherwise they are normalised as VMI compares them.
	NumbersAsStored bool
	// MaxInvoices and MaxBytes lower the limits of a part; 0 leaves them.
	MaxInvoices int
	MaxBytes    int64
}

// longestSuffix is that of part 1000 and more: _9999.
const (
	longestSuffix = 5
	maxParts      = 9999
	// maxPartNumber is the schema's.
	maxPartNumber = 20
)

var partNumber = regexp.MustCompile(`^[A-Z0-9_]{1,15}$`)

// complete checks the options and fills in what is left out. Error: validation.
func (o *Options) complete() error {
	if o.DataType == "" {
		o.DataType = Full
	}
	if o.PartNumber == "" {
		o.PartNumber = string(o.DataType)
	}
	if o.MaxInvoices == 0 || o.MaxInvoices > MaxInvoices {
		o.MaxInvoices = MaxInvoices
	}
	if o.MaxBytes == 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	switch {
	case o.Period == Period{}:
		return apperr.Invalid("month", "is required")
	case !partNumber.MatchString(o.PartNumber):
		return apperr.Invalid("partNumber", "must be 1 to %d capital letters A to Z, digits and underscores", maxPartNumber-longestSuffix)
	case o.MaxInvoices < 1 || o.MaxBytes < 0:
		return apperr.Invalid("maxInvoices", "must be 1 or more")
	case o.FiledParts < 0 || o.FiledParts > maxParts:
		return apperr.Invalid("filedParts", "must be 0 to %d", maxParts)
	}
	return nil
}
