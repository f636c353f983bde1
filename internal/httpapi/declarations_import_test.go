package httpapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/testkit"
)

// buyLines registers a document of a supplier with the lines given.
func (b *books) buyLines(t *testing.T, supplier, number, day, lines string) map[string]any {
	t.Helper()
	draft := b.call(t, "purchases/invoices/create", `{"partnerId": %q, "documentNumber": %q, "documentDate": %q, "lines": [%s]}`,
		supplier, number, day, lines)
	return b.call(t, "purchases/invoices/register", `{"id": %q, "registrationDate": %q}`, draft["id"], day)
}

func (b *books) customs(t *testing.T) string {
	t.Helper()
	return as[string](t, b.call(t, "partners/create", `{"name": "Muitinė", "isSupplier": true, "address": {"countryCode": "LT"}}`)["id"])
}

// TestImportVATFromTheDeclarationToTheReturn follows goods from a third country: the supplier's invoice has no Lithuanian VAT, the
// declaration has it, the return takes it into box 26 or 27, and i.SAF leaves it out (cases 49, 66 and 77).
func TestImportVATFromTheDeclarationToTheReturn(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		american := as[string](t, b.call(t, "partners/create", `{"name": "Fifth Inc.", "isSupplier": true, "address": {"countryCode": "US"}}`)["id"])
		b.buyLines(t, american, "US 5", "2026-01-08", `{"description": "Goods", "unitPriceExclVat": "950.00", "accountCode": "2040"}`)
		customs := b.customs(t)
		paid := b.buyLines(t, customs, "26LTVR100000000001", "2026-01-09",
			`{"description": "Import VAT", "unitPriceExclVat": "1000.00", "vatClassifierCode": "PVM23"},
			{"description": "Duty", "unitPriceExclVat": "50.00", "vatRatePercent": "0", "accountCode": "2040"}`)
		require.Equal(t, []any{"50.00", "210.00", "260.00", "unpaid"}, []any{paid["netTotal"], paid["vatTotal"], paid["grossTotal"], paid["paymentStatus"]})

		ret := b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1}`)
		require.Equal(t, map[string]string{"26": "210", "28": "100", "35": "210", "36": "-210"}, fieldsOf(t, ret))
		file := b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)
		xml := as[string](t, file["xml"])
		require.Equal(t, []string{"US5"}, values(xml, "InvoiceNo"))
		require.Equal(t, []string{"PVM48"}, values(xml, "TaxCode"))
		require.NotContains(t, xml, "26LTVR")
		require.NotContains(t, xml, "Muitinė")
		tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
		require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
		require.Equal(t, "210.00", tie["importVat"])

		offset := b.buyLines(t, customs, "26LTVR200000000002", "2026-02-09",
			`{"description": "Import VAT", "unitPriceExclVat": "1000.00", "vatRatePercent": "21", "vatClassifierCode": "PVM24"}`)
		require.Equal(t, []any{"0.00", "210.00", "210.00", "210.00", "paid"},
			[]any{offset["netTotal"], offset["vatTotal"], offset["grossTotal"], offset["paidAmount"], offset["paymentStatus"]})
		ret = b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 2}`)
		require.Equal(t, map[string]string{"27": "210", "28": "100", "35": "210"}, fieldsOf(t, ret), "box 36 is nothing")
		tie = b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 2}`)
		require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
		file = b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 2}`)
		require.Empty(t, values(as[string](t, file["xml"]), "InvoiceNo"))

		audit := as[string](t, b.call(t, "declarations/lt/saft/generate", `{"fromDate": "2026-01-01", "toDate": "2026-02-28"}`)["xml"])
		requireAuditFile(t, audit)
		requireReferences(t, audit)
		bought := between(t, audit, "PurchaseInvoices")
		require.Equal(t, []string{"S", "KT", "KT"}, values(bought, "InvoiceType"))
		require.Equal(t, []string{"950.00", "950.00", "1000.00", "50.00", "1000.00", "50.00", "1000.00", "1000.00"}, values(bought, "TaxBase"),
			"lines and then totals of each document")
		require.Equal(t, []string{"950.00", "50.00", "0.00"}, values(bought, "NetTotal"))
		require.Equal(t, []string{"950.00", "260.00", "210.00"}, values(bought, "GrossTotal"))
	})
}

// TestStatedVATIsDeclared: what a supplier printed stands in register, ledger, return and i.SAF to the cent, and its credit takes
// it back.
func TestStatedVATIsDeclared(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		printed := `{"description": "Prekė", "unitPriceExclVat": "100.00", "vatRatePercent": "21", "statedVat": "21.01"},
			{"description": "Knyga", "unitPriceExclVat": "9.90", "vatRatePercent": "5", "statedVat": 0.49}`
		bill := b.buyLines(t, b.supplier, "AST 1", "2026-01-09", printed)
		require.Equal(t, []any{"21.50", "131.40"}, []any{bill["vatTotal"], bill["grossTotal"]})
		line := as[map[string]any](t, as[[]any](t, bill["lines"])[0])
		require.Equal(t, []any{"21.01", "21.01"}, []any{line["statedVat"], line["lineVat"]})
		xml := as[string](t, b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)["xml"])
		require.Equal(t, []string{"21.01", "0.49"}, values(xml, "Amount"))
		ret := b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1}`)
		require.Equal(t, "22", fieldValue(t, ret, "25"))
		tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
		require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
		input := as[map[string]any](t, as[map[string]any](t, tie["totals"])["inputVat"])
		require.Equal(t, map[string]any{"fr0600": "21.50", "register": "21.50", "isaf": "21.50", "ledger": "21.50"}, input)

		note := b.call(t, "purchases/invoices/create", `{"partnerId": %q, "type": "credit_note", "creditedInvoiceId": %q, "documentNumber": "K 1",
			"documentDate": "2026-01-20", "lines": [%s]}`, b.supplier, bill["id"], printed)
		b.call(t, "purchases/invoices/register", `{"id": %q, "registrationDate": "2026-01-20"}`, note["id"])
		require.Equal(t, "paid", b.call(t, "purchases/invoices/get", `{"id": %q}`, bill["id"])["paymentStatus"])
		require.Equal(t, "0", fieldValue(t, b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1}`), "25"))

		_, err := b.try(t, "purchases/invoices/create", `{"partnerId": %q, "documentNumber": "AST 2", "documentDate": "2026-01-09", "lines": [
			{"description": "Prekė", "unitPriceExclVat": "100.00", "vatRatePercent": "21", "statedVat": "21.10"}]}`, b.supplier)
		require.ErrorIs(t, err, purchase.ErrStatedVAT)
	})
}

// TestPrintedVATAddsUp: whatever suppliers that round each line print, the places agree.
func TestPrintedVATAddsUp(t *testing.T) {
	t.Parallel()
	b := openBooks(t, testkit.SQLite(t))
	customs := b.customs(t)
	for n := range 20 {
		cents := 103 + 7*n
		vat := (cents*21 + 50) / 100 // the supplier's rounding of a line
		line := fmt.Sprintf(`{"description": "Prekė", "unitPriceExclVat": "%d.%02d", "vatRatePercent": "21", "statedVat": "%d.%02d"}`,
			cents/100, cents%100, vat/100, vat%100)
		bill := b.buyLines(t, b.supplier, fmt.Sprintf("P %d", n), "2026-01-09", line+","+line+","+line)
		require.Equal(t, fmt.Sprintf("%d.%02d", 3*vat/100, 3*vat%100), bill["vatTotal"])
		b.buyLines(t, customs, fmt.Sprintf("26LT%d", n), "2026-01-09", fmt.Sprintf(
			`{"description": "Import", "unitPriceExclVat": "%d.%02d", "vatRatePercent": "21", "vatClassifierCode": "PVM%d", "statedVat": "%d.%02d"}`,
			cents/100, cents%100, 23+n%2, vat/100, vat%100))
	}
	tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
	require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
}

// TestGoldenMonthsFromDocuments has the golden months as documents that a clerk enters, and the boxes that must come of them.
func TestGoldenMonthsFromDocuments(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		sell := func(day, price, rate, more string) {
			draft := b.call(t, "sales/invoices/create", `{"partnerId": %q, "issueDate": %q, "lines": [{"description": "Prekė", "unitPriceExclVat": %q%s}]%s}`,
				b.customer, day, price, rate, more)
			b.call(t, "sales/invoices/issue", `{"id": %q}`, draft["id"])
		}
		buy := func(supplier, number, day, price, line, supply string) {
			draft := b.call(t, "purchases/invoices/create", `{"partnerId": %q, "documentNumber": %q, "documentDate": %q, "supplyType": %q,
				"lines": [{"description": "Prekė", "unitPriceExclVat": %q%s}]}`, supplier, number, day, supply, price, line)
			b.call(t, "purchases/invoices/register", `{"id": %q, "registrationDate": %q}`, draft["id"], day)
		}
		american := as[string](t, b.call(t, "partners/create", `{"name": "Fifth Inc.", "isSupplier": true, "address": {"countryCode": "US"}}`)["id"])
		sell("2026-01-05", "4000", `, "vatRatePercent": "21"`, "")
		sell("2026-01-06", "500", `, "vatRatePercent": "12"`, "")
		sell("2026-01-07", "2000", `, "vatRatePercent": "5"`, "")
		buy(b.german, "1", "2026-01-08", "4000", "", "goods")
		buy(b.supplier, "1", "2026-01-09", "2000", "", "goods")
		sell("2026-02-05", "8000", "", `, "vatScheme": "export"`)
		sell("2026-02-06", "6000", "", `, "vatScheme": "intra_eu_b2b"`)
		sell("2026-02-07", "3000", "", `, "vatScheme": "out_of_scope"`)
		buy(b.german, "2", "2026-02-08", "2500", "", "services")
		buy(american, "2", "2026-02-09", "1800", "", "services")
		sell("2026-03-05", "15000", "", `, "vatScheme": "reverse_charge"`)
		sell("2026-03-06", "4000", `, "vatRatePercent": "0", "vatClassifierCode": "PVM5"`, "")
		buy(b.supplier, "3", "2026-03-07", "15000", `, "vatRatePercent": "0", "vatClassifierCode": "PVM25"`, "services")
		buy(b.supplier, "4", "2026-03-08", "300", "", "goods")
		for month, want := range map[int]map[string]string{
			1: {"11": "6500", "21": "4000", "25": "1260", "29": "840", "29A": "60", "31": "100", "34": "840", "35": "1260", "36": "580"},
			2: {"17": "8000", "18": "6000", "20": "3000", "23": "4300", "24": "2500", "25": "903", "32": "903", "35": "903"},
			3: {"12": "15000", "13": "4000", "25": "3213", "33": "3150", "35": "3213", "36": "-63"},
			4: {},
		} {
			want["28"] = "100"
			require.Equal(t, want, fieldsOf(t, b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": %d}`, month)), "month %d", month)
			tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": %d}`, month)
			require.Equal(t, true, tie["agrees"], "month %d: %v", month, tie["differences"])
		}
	})
}

// TestImportVATIsNoLateChangeOfISAF: a declaration that comes after the file of its month was sent changes the return alone, so there is
// nothing to send again.
func TestImportVATIsNoLateChangeOfISAF(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := submissionBooks(t, e)
		customs := b.customs(t)
		declare := func(number, code string) {
			b.buyLines(t, customs, number, "2026-01-09", fmt.Sprintf(`{"description": "Import", "unitPriceExclVat": "1000.00", "vatClassifierCode": %q}`, code))
		}
		b.sell(t, "2026-01-05", "")
		declare("26LT1", "PVM23")
		sent := b.call(t, "declarations/submissions/create", ofJanuary, "")
		require.InDelta(t, 1, sent["rows"], 0)
		declare("26LT2", "PVM24")
		late := b.call(t, "declarations/submissions/late-changes", `{"id": %q}`, sent["id"])
		require.InDelta(t, 0, late["total"], 0)
		require.Empty(t, late["rows"])
		b.buy(t, b.supplier, "AST 1", "2026-01-10", "")
		late = b.call(t, "declarations/submissions/late-changes", `{"id": %q}`, sent["id"])
		require.InDelta(t, 1, late["total"], 0)
	})
}
