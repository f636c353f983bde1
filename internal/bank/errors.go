package bank

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of bank accounts and imports.
var (
	ErrAccountExists = apperr.Define("bank.account_exists", apperr.Duplicate,
		"The company already has a bank account with this number and currency.")
	ErrUnknownAccount = apperr.Define("bank.unknown_account", apperr.Rule, "The company has no bank account with this id.")
	ErrInactive       = apperr.Define("bank.account_inactive", apperr.Rule, "The bank account is closed to new transactions and payments.")
	ErrLedgerAccount  = apperr.Define("bank.wrong_ledger_account", apperr.Rule,
		"The ledger account of a bank account must be an asset or a liability.")
	ErrCurrency = apperr.Define("bank.currency_mismatch", apperr.Rule,
		"An amount is in another currency than the bank account, or than the document to settle.")
	ErrOtherAccount = apperr.Define("bank.other_account", apperr.Rule, "The statement is of another account than the one it is imported into.")
)

// Errors of matching.
var (
	ErrAlreadyMatched = apperr.Define("bank.already_matched", apperr.Duplicate,
		"The transaction has settled a document before; existingId is the journal transaction.")
	ErrUnknownDocument = apperr.Define("bank.unknown_document", apperr.Rule,
		"The company has no posted document of this sort and id on which something is or was owed.")
	ErrNothingOpen = apperr.Define("bank.nothing_open", apperr.Conflict,
		"The document is already settled, so there is nothing to pay; match the transaction with another document.")
	ErrWrongDirection = apperr.Define("bank.wrong_direction", apperr.Rule,
		"Money that came in settles what is owed to the company, and money that went out what the company owes.")
)

// Errors of payment files.
var (
	ErrAlreadyExported = apperr.Define("bank.already_exported", apperr.Duplicate,
		"An invoice is in a payment file already; existingId is that export.")
	ErrNotPayable      = apperr.Define("bank.not_payable", apperr.Rule, "An id is no supplier invoice on which the company owes.")
	ErrNoIBAN          = apperr.Define("bank.no_iban", apperr.Rule, "The bank account has no IBAN to pay from.")
	ErrNoCreditorIBAN  = apperr.Define("bank.no_creditor_iban", apperr.Rule, "It is not known to which account a supplier is paid.")
	ErrNotEuro         = apperr.Define("bank.not_euro", apperr.Rule, "SEPA credit transfers are in euro.")
	ErrExecutionDate   = apperr.Define("bank.execution_date_past", apperr.Rule, "The day of payment has passed.")
	ErrPaymentTooLarge = apperr.Define("bank.payment_too_large", apperr.Rule, "A SEPA credit transfer takes up to 999,999,999.99 euro.")
)
