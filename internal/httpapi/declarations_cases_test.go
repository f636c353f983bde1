package httpapi

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// TestB124DraftsAreCounted: drafts are in no return and no file, and are said to be left out (B-124).
func TestB124DraftsAreCounted(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		b.sell(t, "2026-01-05", "")
		line := `"lines": [{"description": "Paslauga", "unitPriceExclVat": "777.00"}]`
		b.call(t, "sales/invoices/create", `{"partnerId": %q, "issueDate": "2026-01-31", `+line+`}`, b.customer)
		b.call(t, "sales/invoices/create", `{"partnerId": %q, "issueDate": "2026-02-01", `+line+`}`, b.customer)
		b.call(t, "purchases/invoices/create", `{"partnerId": %q, "documentNumber": "D 1", "documentDate": "2026-01-01", `+line+`}`, b.supplier)
		ret := b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1}`)
		require.InDelta(t, 2, ret["drafts"], 0)
		require.Contains(t, ret["warnings"], "2 drafts dated in the period are left out; issue, register or delete them.")
		require.Equal(t, "100", fieldValue(t, ret, "11"))
		file := b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)
		require.InDelta(t, 2, file["drafts"], 0)
		require.NotContains(t, file["xml"], "777.00")
	})
}

// TestB130ReturnsByTheCompanysDay: what is issued at 00:16 of the first of April by the company's clock is in the return and in the
// file of April, wherever the company is (B-130, B-132).
func TestB130ReturnsByTheCompanysDay(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for _, zone := range []string{"Europe/Vilnius", "Europe/Rome", "Pacific/Honolulu", "Pacific/Auckland"} {
			t.Run(zone, func(t *testing.T) {
				t.Parallel()
				place, err := time.LoadLocation(zone)
				require.NoError(t, err)
				b := openBooksAt(t, e, time.Date(2026, 4, 1, 0, 16, 0, 0, place), func(c *tenant.Company) { c.TimeZone = zone })
				draft := b.call(t, "sales/invoices/create",
					`{"partnerId": %q, "lines": [{"description": "Paslauga", "unitPriceExclVat": "100.00"}]}`, b.customer)
				issued := b.call(t, "sales/invoices/issue", `{"id": %q}`, draft["id"])
				require.Equal(t, "2026-04-01", issued["issueDate"])
				for month, want := range map[int]string{3: "0", 4: "21"} {
					ret := b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": %d}`, month)
					require.Equal(t, want, fieldValue(t, ret, "29"), month)
					file := b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": %d}`, month)
					counts := as[map[string]any](t, file["counts"])
					require.InDelta(t, map[string]int{"0": 0, "21": 1}[want], counts["salesInvoices"], 0)
				}
				file := as[string](t, b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 4}`)["xml"])
				require.Contains(t, file, "<InvoiceDate>2026-04-01</InvoiceDate>")
				require.Contains(t, file, "<FileDateCreated>2026-04-01T00:16:00</FileDateCreated>")
				audit := as[string](t, b.call(t, "declarations/lt/saft/generate", `{"fromDate": "2026-04-01", "toDate": "2026-04-30"}`)["xml"])
				require.Equal(t, []string{"2026-04-01T00:16:00"}, values(audit, "SystemEntryDate"))
			})
		}
	})
}

// TestSAFTOfPaymentsAndAssets has what a bank statement settled, and what happened to fixed assets.
func TestSAFTOfPaymentsAndAssets(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		b.more = slices.Concat(bankOperations(), assetOperations())
		sold := b.sell(t, "2025-12-30", "")
		bought := b.buy(t, b.supplier, "AST 1", "2025-12-30", "")
		account := b.call(t, "bank/accounts/create", `{"name": "Bankas", "iban": "LT601010012345678901"}`)
		b.call(t, "bank/transactions/import", `{"bankAccountId": %q, "transactions": [
			{"date": "2026-01-10", "amount": "100.00", "externalId": "in"}, {"date": "2026-01-11", "amount": "-60.50", "externalId": "out"}]}`, account["id"])
		for _, line := range as[[]any](t, b.call(t, "bank/transactions/list", `{}`)["rows"]) {
			row := as[map[string]any](t, line)
			kind, id := "sale_invoice", sold
			if row["externalId"] == "out" {
				kind, id = "purchase_invoice", bought
			}
			b.call(t, "bank/transactions/match", `{"transactionId": %q, "documentType": %q, "documentId": %q}`, row["id"], kind, id)
		}
		group := b.call(t, "assets/groups/create",
			`{"code": "K", "name": "Kompiuteriai", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36}`)
		for _, code := range []string{"A1", "A2"} {
			b.call(t, "assets/assets/create", `{"groupId": %q, "code": %q, "name": "Laptop", "acquisitionDate": "2025-12-15",
				"acquisitionCost": "1200.00", "usefulLifeMonths": 12}`, group["id"], code)
		}
		b.call(t, "assets/depreciation/post", `{"year": 2026, "month": 1}`)
		second := as[map[string]any](t, as[[]any](t, b.call(t, "assets/assets/list", `{"filter": [{"field": "code", "op": "eq", "value": "A2"}]}`)["rows"])[0])
		b.call(t, "assets/assets/dispose", `{"id": %q, "date": "2026-02-10", "reason": "broken"}`, second["id"])
		first := as[map[string]any](t, as[[]any](t, b.call(t, "assets/assets/list", `{"filter": [{"field": "code", "op": "eq", "value": "A1"}]}`)["rows"])[0])
		b.call(t, "assets/assets/modernize", `{"id": %q, "date": "2026-02-12", "amount": "50.00", "addedLifeMonths": 6}`, first["id"])

		january := b.call(t, "declarations/lt/saft/generate", `{"fromDate": "2026-01-01", "toDate": "2026-01-31"}`)
		xml := as[string](t, january["xml"])
		requireAuditFile(t, xml)
		requireReferences(t, xml)
		payments := between(t, xml, "Payments")
		require.Equal(t, []string{"D", "K"}, slices.Sorted(slices.Values(values(payments, "DebitCreditIndicator"))))
		require.Equal(t, []string{"60.50"}, values(payments, "TotalDebit"))
		require.Equal(t, []string{"100.00"}, values(payments, "TotalCredit"))
		customers := between(t, xml, "Customers")
		require.Equal(t, []string{"121.00"}, values(customers, "OpeningDebitBalance"))
		require.Equal(t, []string{"21.00"}, values(customers, "ClosingDebitBalance"))
		require.Equal(t, []string{"21.00"}, values(customers, "UnpaidAmount"))
		suppliers := between(t, xml, "Suppliers")
		require.Equal(t, []string{"60.50"}, values(suppliers, "OpeningCreditBalance"))
		require.Equal(t, []string{"0.00"}, values(suppliers, "ClosingDebitBalance"))
		assets := between(t, xml, "Assets")
		require.Equal(t, []string{"100.00", "100.00"}, values(assets, "DepreciationForPeriod"))
		require.Equal(t, []string{"1100.00", "1100.00"}, values(assets, "BookValueEnd"))
		require.Equal(t, []string{"NUS", "NUS"}, values(xml, "AssetTransactionType"))
		require.Empty(t, settled(t, xml), "the invoices settled are of December")
		december := as[string](t, b.call(t, "declarations/lt/saft/generate", `{"fromDate": "2025-12-01", "toDate": "2026-01-31"}`)["xml"])
		requireAuditFile(t, december)
		require.Equal(t, []string{"100.00", "60.50"}, settled(t, december), "paid in January")
		require.Equal(t, []string{"2026-01-10", "2026-01-11"}, values(december, "SettlementDate"))

		february := as[string](t, b.call(t, "declarations/lt/saft/generate", `{"fromDate": "2026-02-01", "toDate": "2026-02-28", "dataType": "AS"}`)["xml"])
		requireAuditFile(t, february)
		require.Equal(t, []string{"KT", "NUS", "NUR"}, values(february, "AssetTransactionType"))
		added := between(t, february, "AssetTransactions")
		require.Equal(t, []string{"1250.00", "1200.00", "1200.00"}, values(added, "AcquisitionAndProductionCostsOnTransaction"))
		require.Equal(t, []string{"1150.00", "1000.00", "0.00"}, values(added, "BookValueOnTransaction"))
		require.Equal(t, []string{"50.00", "100.00", "1200.00"}, values(added, "AssetTransactionAmount"))
		require.Contains(t, values(february, "AcquisitionAndProductionCostsEnd"), "0.00")
	})
}

// TestVATReference asks what the law says, without a document.
func TestVATReference(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		b.more = referenceOperations()
		codes := b.call(t, "reference/vat-classifiers/list", `{"pageSize": 200, "filter": [{"field": "code", "op": "in", "value": ["PVM1", "PVM5"]}]}`)
		rows := as[[]any](t, codes["rows"])
		require.Len(t, rows, 2)
		require.Equal(t, "21", as[map[string]any](t, rows[0])["ratePercent"])
		require.NotContains(t, rows[1], "ratePercent", "an exempt supply has no rate")
		_, err := b.try(t, "reference/vat-classifiers/upsert", `{"rows": [{"code": "PVM1", "name": "Ours"}]}`)
		require.ErrorIs(t, err, errClassifier)
		_, err = b.try(t, "reference/exchange-rates/sync", `{}`)
		require.ErrorIs(t, err, errRateSource)

		german := b.call(t, "reference/vat/resolve", `{"partnerId": %q, "supplyType": "services"}`, b.german)
		require.Equal(t, []any{"reverse_charge", "DE", true, []any{}}, []any{german["scheme"], german["vatCountryCode"], german["reverseCharge"], german["rates"]})
		consumer := b.call(t, "reference/vat/resolve", `{"customerCountryCode": "EE", "date": "2025-07-01"}`)
		require.Equal(t, "oss_union", consumer["scheme"])
		require.Equal(t, map[string]any{"category": "standard", "ratePercent": "24"}, as[[]any](t, consumer["rates"])[0])
		b.call(t, "reference/eu-vat-rates/set-overrides", `{"countryCode": "EE", "rates": [{"category": "standard", "ratePercent": "25"}]}`)
		list := b.call(t, "reference/eu-vat-rates/list", `{"countryCode": "EE"}`)
		require.Equal(t, []any{map[string]any{"countryCode": "EE", "category": "standard", "ratePercent": "25", "source": "company"}}, list["rows"])
		back := b.call(t, "reference/eu-vat-rates/set-overrides", `{"countryCode": "EE", "rates": []}`)
		require.Equal(t, "default", back["source"])
		require.Len(t, back["rows"], 3)
		everyone := b.call(t, "reference/eu-vat-rates/list", `{}`)
		require.Contains(t, everyone["notice"], "2026-03-30")
		_, err = b.try(t, "reference/vat/resolve", `{"actingAsMarketplace": true, "facilitatedByMarketplace": true}`)
		require.ErrorIs(t, err, apperr.ErrValidation)
	})
}

func openBooksAt(t *testing.T, e *testkit.Engine, now time.Time, change func(*tenant.Company)) *books {
	t.Helper()
	b := &books{Company: e.At(now).Company(t, func(c *tenant.Company) {
		code, number := "900000105", "LT999000060116"
		c.Code, c.VATCode = &code, &number
		change(c)
	})}
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	b.customer = as[string](t, b.call(t, "partners/create", `{"name": "UAB Pirkėjas", "vatCode": "LT999000070113"}`)["id"])
	return b
}
