package submission

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of submissions.
var (
	ErrDuplicate = apperr.Define("submission.duplicate", apperr.Duplicate,
		"The same content was made for the period before; details.existingId is that submission.")
	ErrState = apperr.Define("submission.state", apperr.Conflict,
		"The submission cannot get this status from the one it has.")
	ErrDivision = apperr.Define("submission.division", apperr.Conflict,
		"The period was sent in another division, whole or by register; sent both ways its invoices would count twice.")
	ErrTooLarge = apperr.Define("submission.too_large", apperr.Rule,
		"The period needs more than one file; make the parts by declarations/lt/isaf/generate.")
	ErrFaulty = apperr.Define("submission.faulty", apperr.Rule,
		"The file would be refused by the tax authority; the message and details.errors say what to correct first.")
)
