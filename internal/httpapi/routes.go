package httpapi

import "slices"

// routes is the route table: every operation of the API, once.
func routes(d Dependencies) []Operation {
	return slices.Concat(
		accountOperations(d.Tokens, d.Desk, d.Depot),
		companyExportOperations(d.Store, d.Depot, d.Version),
		storedFileOperations(d.Depot),
		publicOperations(d.Desk),
		auditOperations(),
		idempotencyOperations(d.Runner),
		ledgerOperations(),
		partnerOperations(),
		referenceOperations(),
		salesOperations(d.Letters),
		purchaseOperations(),
		assetOperations(),
		orderOperations(),
		bankOperations(),
		settlementOperations(),
		declarationOperations(d.Version),
		submissionOperations(d.Version, d.Depot),
		webhookOperations(d.Webhooks),
		reportOperations(),
		jobOperations(ReportExports(d.Version)),
	)
}

// Operations is the route table for tests that walk it.
func Operations() []Operation { return routes(Dependencies{}) }
