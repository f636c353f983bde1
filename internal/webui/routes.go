package webui

import "net/http"

// routes are the addresses of the pages.
func (u *UI) routes(mux *http.ServeMux) {
	u.sessionRoutes(mux)
	get := func(path string, f pageFunc) { mux.HandleFunc("GET "+path, u.page(f)) }
	post := func(path string, f pageFunc) { mux.HandleFunc("POST "+path, u.page(f)) }
	both := func(path string, f pageFunc) { get(path, f); post(path, f) }
	get("/ui/{$}", dashboard)
	get("/ui/", func(v *visit) (answer, error) {
		return nil, &refusal{Status: http.StatusNotFound, Message: v.t("error.noPage")}
	})

	salesRoutes(get, post, both)

	get("/ui/purchases", listPurchases)
	both("/ui/purchases/new", newPurchase)
	get("/ui/purchases/{id}", showPurchase)
	both("/ui/purchases/{id}/edit", editPurchase)
	post("/ui/purchases/{id}/register", registerPurchase)
	post("/ui/purchases/{id}/delete", deletePurchase)

	get("/ui/partners", listPartners)
	both("/ui/partners/new", newPartner)
	get("/ui/partners/{id}", showPartner)
	both("/ui/partners/{id}/edit", editPartner)
	post("/ui/partners/{id}/delete", deletePartner)

	get("/ui/journal", listJournal)
	both("/ui/journal/new", newJournal)
	get("/ui/journal/{id}", showJournal)
	post("/ui/journal/{id}/reverse", reverseJournal)
	get("/ui/open-items", listOpenItems)
	get("/ui/periods", listPeriods)
	post("/ui/periods/lock", lockPeriod)
	post("/ui/periods/unlock", unlockPeriod)

	get("/ui/refusals", listRefusals)
	get("/ui/refusals/{id}", showRefusal)
	post("/ui/refusals/{id}/review", reviewRefusal)
	get("/ui/keys", lookUpKey)
	get("/ui/audit", listAudit)

	get("/ui/vat", vatPeriod)
	get("/ui/vat/isaf.xml", downloadISAF)
	get("/ui/vat/fr0600.ffdata", downloadReturn)
	post("/ui/vat/submissions", keepSubmission)
	get("/ui/vat/submissions/{id}", showSubmission)
	post("/ui/vat/submissions/{id}/mark", markSubmission)
	get("/ui/documents/{id}", findDocument)
	reportRoutes(get)
	get("/ui/exports", listExports)
	post("/ui/exports", startExport)
	get("/ui/exports/{id}", showExport)
	post("/ui/exports/{id}/cancel", cancelExport)
	get("/ui/files/{id}", downloadFile)
	u.moreRoutes(get, post, both)
}

// moreRoutes are assets, bank and settings.
func (*UI) moreRoutes(get, post, both func(string, pageFunc)) {
	get("/ui/assets", listAssets)
	both("/ui/assets/new", newAsset)
	both("/ui/assets/groups/new", newAssetGroup)
	get("/ui/assets/depreciation", showDepreciation)
	post("/ui/assets/depreciation/post", postDepreciation)
	get("/ui/assets/{id}", showAsset)
	post("/ui/assets/{id}/modernize", modernizeAsset)
	post("/ui/assets/{id}/dispose", disposeAsset)

	get("/ui/bank", listBank)
	both("/ui/bank/accounts/new", newBankAccount)
	both("/ui/bank/import", importStatement)
	get("/ui/bank/transactions/{id}", showTransaction)
	post("/ui/bank/transactions/{id}/match", matchTransaction)
	get("/ui/settlements", listSettlements)
	both("/ui/settlements/import", importSettlements)
	get("/ui/settlements/{id}", showSettlement)
	post("/ui/settlements/{id}/match", matchSettlement)
	post("/ui/settlements/{id}/post", postSettlement)

	both("/ui/companies/new", newCompany)
	both("/ui/settings", showSettings)
	both("/ui/settings/series", showSeries)
	both("/ui/settings/rules", showRules)
	both("/ui/settings/accounts", showAccounts)
	both("/ui/settings/rates", showRates)
	post("/ui/settings/rates/delete", deleteRate)
	both("/ui/settings/keys", showAPIKeys)
	post("/ui/settings/keys/revoke", revokeAPIKey)
	both("/ui/settings/members", showMembers)
	post("/ui/settings/members/role", setRole)
	post("/ui/settings/members/remove", removeMember)
	post("/ui/settings/invites/revoke", revokeInvite)
	both("/ui/account", showSelf)
	post("/ui/account/sessions/revoke", revokeSession)
	post("/ui/settings/keys/rotate", rotateAPIKey)
	both("/ui/webhooks", showWebhooks)
	get("/ui/webhooks/deliveries", listDeliveries)
	post("/ui/webhooks/deliveries/redeliver", redeliver)
	post("/ui/webhooks/{id}/change", changeSubscription)
}

// salesRoutes are documents of customers.
func salesRoutes(get, post, both func(string, pageFunc)) {
	get("/ui/invoices", listInvoices)
	both("/ui/invoices/new", newInvoice)
	get("/ui/invoices/{id}", showInvoice)
	both("/ui/invoices/{id}/edit", editInvoice)
	post("/ui/invoices/{id}/issue", issueInvoice)
	post("/ui/invoices/{id}/credit", creditInvoice)
	post("/ui/invoices/{id}/cancel", cancelInvoice)
	post("/ui/invoices/{id}/delete", deleteInvoice)
	get("/ui/invoices/{id}/pdf", invoicePDF)
	post("/ui/invoices/{id}/send", sendInvoice)

	get("/ui/advances", listAdvances)
	get("/ui/advances/{id}", showAdvance)
	post("/ui/advances/{id}/apply", applyAdvance)

	get("/ui/orders", listOrders)
	get("/ui/orders/{id}", showOrder)
	post("/ui/orders/{id}/confirm-payment", confirmOrderPayment)
	post("/ui/orders/{id}/reserve", reserveOrder)
	post("/ui/orders/{id}/fulfill", fulfillOrder)
	post("/ui/orders/{id}/cancel", cancelOrder)
}
