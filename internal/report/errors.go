package report

import "github.com/vienkart/vienkart/internal/apperr"

// ErrTooLarge refuses an answer that is too long for one request.
var ErrTooLarge = apperr.Define("report.too_large", apperr.Rule,
	"The report has more rows than one answer holds; narrow the days or make an export job.")
