package webui_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// pages are the addresses of every page without an id.
var pages = []string{
	"/ui/", "/ui/invoices", "/ui/invoices/new", "/ui/purchases", "/ui/purchases/new", "/ui/partners", "/ui/partners/new", "/ui/journal",
	"/ui/journal/new", "/ui/trial-balance", "/ui/open-items", "/ui/periods", "/ui/refusals", "/ui/keys", "/ui/keys?key=k", "/ui/audit",
	"/ui/vat", "/ui/vat?box=29", "/ui/assets", "/ui/assets/new", "/ui/assets/groups/new", "/ui/assets/depreciation", "/ui/bank",
	"/ui/bank/accounts/new", "/ui/bank/import", "/ui/settlements", "/ui/settlements/import", "/ui/settings", "/ui/settings/series",
	"/ui/settings/rules", "/ui/settings/accounts", "/ui/settings/keys", "/ui/settings/members", "/ui/settings/rates", "/ui/account",
	"/ui/webhooks", "/ui/webhooks/deliveries", "/ui/advances", "/ui/orders", "/ui/exports", "/ui/reports", "/ui/reports/general-journal",
	"/ui/reports/gl-detail", "/ui/reports/gl-detail?accountCode=2410", "/ui/reports/financial-statements",
	"/ui/reports/financial-statements?category=large", "/ui/reports/cash-flow", "/ui/reports/monthly-summary", "/ui/reports/partner-balances",
	"/ui/reports/debt-aging", "/ui/reports/vat-summary", "/ui/reports/vat-detail", "/ui/reports/vat-detail?side=purchases",
	"/ui/reports/eu-purchases", "/ui/companies/new", "/ui/sign-in", "/ui/sign-in/link?token=x", "/ui/nowhere",
}

// filled is a site with something of everything, and the addresses of all its pages.
func filled(t *testing.T) (*site, []string) {
	t.Helper()
	s := newSite(t)
	s.taxpayer(t)
	all := append([]string{}, pages...)
	invoice, draft, advance := s.issued(t), s.draft(t), s.issued(t, "type", "advance")
	journal := member(t, s.call(t, "/v1/sales/invoices/get", map[string]any{"id": invoice}), "journalTransactionId")
	all = append(all, "/ui/invoices/"+invoice, "/ui/partners/"+s.customer, "/ui/partners/"+s.customer+"/edit",
		"/ui/invoices/"+draft, "/ui/invoices/"+draft+"/edit", "/ui/journal/"+journal, "/ui/advances/"+advance)
	all = append(all, s.fillPurchases(t)...)
	all = append(all, s.fillMoney(t)...)
	all = append(all, s.fillReturns(t)...)
	group := s.call(t, "/v1/assets/groups/create", map[string]any{
		"code": "IT", "name": "Kompiuteriai", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
	})["id"]
	asset := member(t, s.call(t, "/v1/assets/assets/create", map[string]any{
		"groupId": group, "code": "IT-1", "name": "Serveris", "acquisitionDate": "2026-01-10", "acquisitionCost": "3600",
	}), "id")
	s.call(t, "/v1/account/api-keys/create", map[string]any{"name": "shop"})
	s.call(t, "/v1/account/invites/create", map[string]any{"email": "jonas@example.com", "role": "accountant"})
	s.call(t, "/v1/webhooks/subscriptions/create", map[string]any{"url": "https://receiver.invalid/hook", "events": []string{"*"}})
	s.call(t, "/v1/ledger/periods/lock", map[string]any{"year": 2026, "month": 1})
	return s, append(all, "/ui/assets/"+asset)
}

// fillPurchases enters a supplier invoice, and is refused twice.
func (s *site) fillPurchases(t *testing.T) []string {
	t.Helper()
	bill := map[string]any{
		"partnerId": s.customer, "documentNumber": "A-1", "documentDate": "2026-01-05",
		"lines": []any{map[string]any{"description": "Popierius", "unitPriceExclVat": "10"}},
	}
	_, purchase := s.try(t, "/v1/purchases/invoices/create", "key", bill)
	at := "/ui/purchases/" + member(t, purchase, "id")
	all := []string{at, at + "/edit"}
	s.try(t, "/v1/purchases/invoices/create", "other", bill)
	bill["notes"] = "other"
	s.try(t, "/v1/purchases/invoices/create", "key", bill)
	for _, r := range rows(t, s, "/v1/idempotency/rejections/list") {
		all = append(all, "/ui/refusals/"+member(t, r, "id"))
	}
	return all
}

// fillMoney has an order paid, a rate, a transaction of the bank and a settlement.
func (s *site) fillMoney(t *testing.T) []string {
	t.Helper()
	order := s.ordered(t, "W-1")
	s.call(t, "/v1/ecommerce/orders/confirm-payment", map[string]any{"orderId": order, "amount": "24.20", "currency": "EUR"})
	s.call(t, "/v1/reference/exchange-rates/set", map[string]any{"currency": "USD", "date": s.month(t) + "-01", "rate": "1.0825"})
	v := s.visit(t, s.token)
	account := bank(t, v)
	s.call(t, "/v1/bank/transactions/import", map[string]any{"bankAccountId": account, "transactions": []any{map[string]any{
		"date": s.month(t) + "-01", "amount": "121.00", "description": "Payment", "counterpartyName": "Pirkėjas",
	}}})
	f := v.open(t, "/ui/settlements/import").form(t, "/ui/settlements/import")
	require.Equal(t, http.StatusSeeOther, v.upload(t, "/ui/settlements/import", f, "content", report).status)
	return []string{
		"/ui/orders/" + order, "/ui/bank/transactions/" + member(t, rows(t, s, "/v1/bank/transactions/list")[0], "id"),
		"/ui/settlements/" + member(t, rows(t, s, "/v1/bank/settlements/list")[0], "id"),
	}
}

// fillReturns sends the file of the month, changes the month afterwards, and makes a file of a report.
func (s *site) fillReturns(t *testing.T) []string {
	t.Helper()
	submission := s.kept(t)
	s.issued(t)
	v := s.visit(t, s.token)
	made := v.post(t, "/ui/exports", v.open(t, "/ui/reports/vat-detail").form(t, "/ui/exports"))
	require.Equal(t, http.StatusSeeOther, made.status, made.words())
	waiting := v.post(t, "/ui/exports", v.open(t, "/ui/trial-balance").form(t, "/ui/exports", "format", "pdf"))
	s.works(t)
	return []string{"/ui/vat?month=" + s.month(t) + "&box=29", "/ui/vat/submissions/" + submission, made.location, waiting.location}
}
