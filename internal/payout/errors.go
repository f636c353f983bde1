package payout

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of this package.
var (
	ErrUnreadable = apperr.Define("settlement.unreadable", apperr.Validation,
		"The file cannot be read; the details name the line and the column at fault. Nothing was imported.")
	ErrMismatch = apperr.Define("settlement.sums_differ", apperr.Rule,
		"The lines of a payout do not come to what its own row says; the details have both sums. Nothing was imported.")
	ErrLineElsewhere = apperr.Define("settlement.line_exists", apperr.Duplicate,
		"A movement of the file is in another settlement already; existingId is that settlement. Nothing was imported.")
	ErrPosted = apperr.Define("settlement.posted", apperr.Conflict,
		"The settlement is posted; its lines do not change any more.")
	ErrAlreadyPosted = apperr.Define("settlement.already_posted", apperr.Duplicate,
		"The settlement was posted before; existingId is the journal transaction.")
	ErrUnknownInvoice = apperr.Define("settlement.unknown_invoice", apperr.Rule,
		"The company has no issued sales document with this id on which something is or was owed.")
	ErrCurrency = apperr.Define("settlement.currency_mismatch", apperr.Rule,
		"The invoice is in another currency than the payout.")
)
