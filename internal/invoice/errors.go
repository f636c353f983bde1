package invoice

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of what a draft says.
var (
	ErrUnknownPartner = apperr.Define("invoice.unknown_partner", apperr.Rule, "The company has no partner with this id.")
	ErrVATTerms       = apperr.Define("invoice.vat_terms", apperr.Rule,
		"The VAT code, rate and scheme of a line do not fit each other, the company or the date of supply.")
	ErrAmount = apperr.Define("invoice.amount_out_of_bounds", apperr.Rule,
		"An amount of the document is larger than the books take, or a rate is none.")
	ErrNegative = apperr.Define("invoice.negative_total", apperr.Rule,
		"The lines of one VAT code and rate come to less than nothing; that takes a credit note.")
	ErrTooLong = apperr.Define("invoice.too_long", apperr.Rule, "The lines and their texts are too long for one document.")
	ErrCash    = apperr.Define("invoice.cash_accounting", apperr.Rule,
		"Only domestic sales of a VAT payer are under cash accounting, on the days that the company's profile names.")
	ErrDates = apperr.Define("invoice.dates", apperr.Rule,
		"The due date lies before the issue date, or a date in the future or before the document it refers to.")
	ErrNotServed = apperr.Define("invoice.not_served", apperr.Rule, "This server does not do what the member asks for.")
)

// Errors of notes that adjust an issued document.
var (
	ErrUnknownInvoice = apperr.Define("invoice.unknown_invoice", apperr.Rule,
		"The note must name an issued document of the kind that it can adjust.")
	ErrNoteMismatch = apperr.Define("invoice.note_mismatch", apperr.Rule,
		"A note has the partner, currency and VAT scheme of the document it adjusts, and credits its codes and rates alone.")
	ErrOverCredited = apperr.Define("invoice.over_credited", apperr.Conflict,
		"The credit is more than what is left of the document, in total or of one VAT code and rate; details name what is left.")
)

// Errors of the state of a document.
var (
	ErrIssued        = apperr.Define("invoice.issued", apperr.Conflict, "An issued invoice never changes; credit or cancel it.")
	ErrAlreadyIssued = apperr.Define("invoice.already_issued", apperr.Duplicate, "The draft was issued before; existingId is the document.")
	ErrNotIssued     = apperr.Define("invoice.not_issued", apperr.Conflict, "The document is a draft; issue it first, or delete it.")
	ErrNoAmount      = apperr.Define("invoice.no_amount", apperr.Rule, "A document that comes to nothing is not issued.")
	ErrCancelled     = apperr.Define("invoice.cancelled", apperr.Conflict, "The document was cancelled.")
	ErrNotCancelled  = apperr.Define("invoice.not_cancellable", apperr.Conflict,
		"Something was settled, credited or adjusted on the document, or it is a credit note; adjust it by a note instead.")
	ErrNumberTaken = apperr.Define("invoice.number_taken", apperr.Duplicate,
		"Two series of one prefix reached the same full number; create a series with another prefix.")
)

// Errors of taking an advance off an invoice.
var (
	ErrNotApplicable = apperr.Define("invoice.advance_not_applicable", apperr.Rule,
		"An issued advance is taken off an issued invoice of the same partner and currency.")
	ErrAdvanceChanged = apperr.Define("invoice.advance_credited", apperr.Conflict, "The advance was credited, so it is not taken off as a whole.")
	ErrAdvanceApplied = apperr.Define("invoice.advance_already_applied", apperr.Duplicate,
		"The advance was taken off an invoice before; existingId is the invoice.")
	ErrAdvanceExceeds = apperr.Define("invoice.advance_exceeds_open", apperr.Conflict,
		"The advance is more than what is still open on the invoice; details name it.")
)
