package delivery

import "github.com/vienkart/vienkart/internal/apperr"

// Errors of subscriptions and deliveries.
var (
	ErrNoKey = apperr.Define("webhook.no_key", apperr.Conflict,
		"The server has no key to keep webhook secrets under; its operator sets VIENKART_WEBHOOK_KEY.")
	ErrTooMany = apperr.Define("webhook.too_many_subscriptions", apperr.Rule,
		"The company has as many webhook subscriptions as it may; delete one.")
	ErrNotActive = apperr.Define("webhook.subscription_not_active", apperr.Conflict,
		"The subscription sends nothing; update it with isActive true first.")
)
