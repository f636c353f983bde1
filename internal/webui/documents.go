package webui

import "strings"

// places are the pages of objects, by the name that the API gives their sort.
var places = map[string]string{
	"sale_invoice": "/ui/invoices/", "credit_note": "/ui/invoices/", "purchase_invoice": "/ui/purchases/",
	"partner": "/ui/partners/", "journal_transaction": "/ui/journal/", "asset": "/ui/assets/", "settlement": "/ui/settlements/",
	"idempotency_rejection": "/ui/refusals/", "order": "/ui/orders/", "report_job": "/ui/exports/",
	"declaration_submission": "/ui/vat/submissions/",
}

// sections are the pages of objects that have none of their own.
var sections = map[string]string{
	"ledger_period": "/ui/periods", "depreciation_run": "/ui/assets/depreciation", "bank_account": "/ui/bank", "account": "/ui/settings/accounts",
	"company": "/ui/settings", "api_key": "/ui/settings/keys", "number_series": "/ui/settings/series", "webhook_subscription": "/ui/webhooks",
	"webhook_delivery": "/ui/webhooks/deliveries", "bank_transaction": "/ui/bank", "membership": "/ui/settings/members",
	"exchange_rate": "/ui/settings/rates",
}

// documentURL is the page of an object; empty when there is none.
func documentURL(sort, id string) string {
	if place := places[sort]; place != "" && id != "" {
		return place + id
	}
	return sections[sort]
}

// operations tell by their path what they make.
var operationDocuments = []struct{ prefix, sort string }{
	{"/v1/sales/invoices/", "sale_invoice"},
	{"/v1/purchases/invoices/", "purchase_invoice"},
	{"/v1/partners/", "partner"},
	{"/v1/ecommerce/orders/", "order"},
	{"/v1/assets/assets/", "asset"},
	{"/v1/bank/settlements/", "settlement"},
	{"/v1/bank/accounts/", "bank_account"},
	{"/v1/ledger/journal/", "journal_transaction"},
	{"/v1/ledger/accounts/", "account"},
	{"/v1/ledger/periods/", "ledger_period"},
	{"/v1/reference/series/", "number_series"},
}

func documentOf(operation string) string {
	for _, d := range operationDocuments {
		if strings.HasPrefix(operation, d.prefix) {
			return d.sort
		}
	}
	return ""
}
