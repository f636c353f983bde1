package ledger

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of the journal.
var (
	ErrInvalidPosting = apperr.Define("ledger.invalid_posting", apperr.Rule,
		"A posting needs 2 to 500 lines, each with exactly one positive side, and a date.")
	ErrUnbalanced = apperr.Define("ledger.unbalanced", apperr.Rule,
		"Debits and credits differ, in one of the currencies or in the base currency; details name the difference.")
	ErrUnknownAccount = apperr.Define("ledger.unknown_account", apperr.Rule,
		"The company's chart of accounts has no account with this code or id.")
	ErrNotPostable = apperr.Define("ledger.account_not_postable", apperr.Rule,
		"The account is a heading or was closed to new postings.")
	ErrPeriodLocked = apperr.Define("ledger.period_locked", apperr.Conflict,
		"The month is locked; an accountant can unlock it, or the document gets a date in an open month.")
	ErrAlreadyReversed = apperr.Define("ledger.already_reversed", apperr.Duplicate,
		"The transaction was reversed before; existingId is the reversing transaction.")
	ErrIsReversal = apperr.Define("ledger.is_reversal", apperr.Conflict,
		"The transaction is itself a reversal; post the corrected entry anew instead.")
	ErrBelongsToDocument = apperr.Define("ledger.belongs_to_document", apperr.Conflict,
		"The transaction was posted by a document; credit or cancel the document instead.")
)

// Errors of open items.
var (
	ErrOverSettled = apperr.Define("ledger.over_settled", apperr.Conflict,
		"The amount is more than what is still open on the document.")
	ErrOverReopened = apperr.Define("ledger.over_reopened", apperr.Conflict,
		"The amount is more than what was settled on the document.")
)

// Errors of accounts, posting rules and periods.
var (
	ErrAccountExists = apperr.Define("ledger.account_exists", apperr.Duplicate, "The company already has an account with this code.")
	ErrParentCycle   = apperr.Define("ledger.parent_cycle", apperr.Rule, "The parent lies below the account itself.")
	ErrReasonMissing = apperr.Define("ledger.reason_missing", apperr.Rule, "Unlocking a month needs a reason, which is kept in the audit log.")
)
