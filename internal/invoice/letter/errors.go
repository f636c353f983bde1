package letter

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of sending.
var (
	ErrNoMailServer = apperr.Define("invoice.no_mail_server", apperr.Conflict,
		"The server sends no mail; its operator sets VIENKART_SMTP_URL.")
	ErrNoRecipient = apperr.Define("invoice.no_recipient", apperr.Rule,
		"The customer has no usable e-mail address; send one as to, or give the partner one.")
	ErrTooMany = apperr.Define("invoice.too_many_letters", apperr.Conflict,
		"As many letters of the company wait to be sent as may wait; try again when some are sent.")
)
