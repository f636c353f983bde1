package report

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of reports.
var (
	ErrTooLarge = apperr.Define("report.too_large", apperr.Rule,
		"The report has more rows than one answer holds; narrow the days or make an export job.")
	ErrCurrency = apperr.Define("report.currency", apperr.Rule,
		"The report compares with limits in euro; the books are in another currency.")
)
