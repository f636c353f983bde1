package purchase

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of the number a supplier gave.
var (
	ErrDuplicate = apperr.Define("purchase.duplicate", apperr.Duplicate,
		"The supplier's document with this number is in the books already, as a draft or registered; existingId names it.")
	ErrNumber = apperr.Define("purchase.number", apperr.Rule,
		"The number is none: the tax authority takes only numbers with a digit other than 0, of 1 to 70 characters.")
	ErrReasonNeedsAdmin = apperr.Define("purchase.duplicate_needs_admin", apperr.Forbidden,
		"Only an admin may book a second document under a number that the supplier has used.")
	ErrNoDuplicate = apperr.Define("purchase.no_duplicate", apperr.Rule,
		"A reason for a duplicate was given, but no other document has the number.")
	ErrHasDuplicate = apperr.Define("purchase.has_duplicate", apperr.Conflict,
		"Another document was booked as the duplicate of this one, which must therefore keep its number.")
)

// Errors of the document.
var (
	ErrRegistered = apperr.DefineRetry("purchase.registered", apperr.Conflict, apperr.Never,
		"The document is registered, so it can be neither changed nor registered again; correct it by a credit note.")
	ErrSupplier = apperr.Define("purchase.unknown_supplier", apperr.Rule, "The company has no partner with this id.")
	ErrAmount   = apperr.Define("purchase.amount", apperr.Rule,
		"A document is registered with a total above zero; a reduction is a document of the type credit_note.")
	ErrAccount = apperr.Define("purchase.account", apperr.Rule,
		"The account of a line must be one of the chart, take postings, and be of the type expense or asset.")
	ErrVAT = apperr.Define("purchase.vat", apperr.Rule,
		"The VAT rate or classifier code of a line does not fit the supplier or the day of the supply; the message lists what fits.")
	ErrStatedVAT = apperr.Define("purchase.stated_vat", apperr.Rule,
		"The VAT stated for a line differs from its rate by more than rounding explains: one minor unit for each line of the rate.")
	ErrDeclaration = apperr.Define("purchase.declaration", apperr.Rule,
		"A customs declaration (PVM23, PVM24) has one code of import VAT, values above zero and beside them only duties without VAT.")
	ErrRegistrationDate = apperr.Define("purchase.registration_date", apperr.Rule,
		"A document is registered on a day from its own date to today.")
	ErrTooLong   = apperr.Define("purchase.too_long", apperr.Rule, "The lines and their texts are too long for one document.")
	ErrNotServed = apperr.Define("purchase.not_served", apperr.Rule,
		"The member belongs to a module that this server does not have; leave it out.")
)

// Errors of notes that name an invoice.
var (
	ErrCreditedInvoice = apperr.Define("purchase.credited_invoice", apperr.Rule,
		"A note names a registered invoice of the same supplier, in the same currency and not of a later day.")
	ErrOverCredited = apperr.Define("purchase.over_credited", apperr.Conflict,
		"The credit notes of an invoice may not exceed it; details name what is left to credit.")
)
