package saft

import (
	"slices"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
)

// DataType says which sections a file has.
type DataType string

// The data types of the schema.
const (
	Full      DataType = "F"
	Ledger    DataType = "GL"
	Sales     DataType = "SI"
	Purchases DataType = "PI"
	Payments  DataType = "PA"
	Stock     DataType = "MG"
	Assets    DataType = "AS"
)

// Enum lists the allowed values.
func (DataType) Enum() []any {
	return []any{Full, Ledger, Sales, Purchases, Payments, Stock, Assets}
}

// has reports a section that the file has: that of its own type, or any in a full one.
func (d DataType) has(sections ...DataType) bool { return d == Full || slices.Contains(sections, d) }

// Errors of audit files.
var (
	ErrNoStock = apperr.Define("saft.no_stock", apperr.Rule, "The server keeps no stock, so there is no audit file of goods.")
)

// Software names the program in the header.
type Software struct{ Company, Name, Version string }

// Options say what to make.
type Options struct {
	// From and To are the first and the last day; the years of both are the financial years that the header names.
	From, To date.Date
	// DataType is F unless given.
	DataType DataType
	// CreatedAt is the moment of creation, in the zone in which it shall be written.
	CreatedAt time.Time
	Software  Software
}

// maxMonths bounds a file: VMI asks for one financial year at most.
const maxMonths = 12

// Complete checks the options and fills in what is left out. Errors: validation, saft.no_stock.
func (o *Options) Complete() error {
	if o.DataType == "" {
		o.DataType = Full
	}
	switch {
	case o.From.IsZero() || o.To.IsZero():
		return apperr.Invalid("fromDate", "and toDate are required")
	case o.To.Before(o.From):
		return apperr.Invalid("toDate", "lies before fromDate")
	case o.From.Year() < firstYear || o.To.Year() > lastYear:
		return apperr.Invalid("fromDate", "and toDate must lie in %d to %d", firstYear, lastYear)
	case o.To.After(o.From.AddMonths(maxMonths).AddDays(-1)):
		return apperr.Invalid("toDate", "must be less than %d months after fromDate; make a file for each year", maxMonths)
	case o.DataType == Stock:
		return ErrNoStock.New("The server keeps no stock, so there is no audit file of goods; use another data type.").
			Field("dataType", "cannot be MG")
	}
	return nil
}

// The bounds of years in the schema.
const (
	firstYear = 1970
	lastYear  = 2099
)
