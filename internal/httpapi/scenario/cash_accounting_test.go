package scenario_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/vat/isaf"
)

const (
	updateCompany    = "/v1/account/companies/update"
	generateISAF     = "/v1/declarations/lt/isaf/generate"
	computeReturn    = "/v1/declarations/lt/fr0600/compute"
	tieOut           = "/v1/declarations/vat/tie-out"
	createSubmission = "/v1/declarations/submissions/create"
	lateChanges      = "/v1/declarations/submissions/late-changes"
)

// isafMonth is the file of a month, on one line and without the moment it was made.
func isafMonth(t *testing.T, c *process.Client, month int) (file string, settlements int) {
	t.Helper()
	var answer struct {
		XML    string `json:"xml"`
		Errors []any  `json:"errors"`
		Counts struct {
			Settlements int `json:"settlements"`
		} `json:"counts"`
	}
	c.OK(t, generateISAF, body{"year": 2026, "month": month}, &answer)
	require.Empty(t, answer.Errors)
	require.Empty(t, isaf.Validate(strings.NewReader(answer.XML)))
	require.Empty(t, isaf.ValidateSettlements(strings.NewReader(answer.XML)))
	text := regexp.MustCompile(`<FileDateCreated>.*</FileDateCreated>`).ReplaceAllString(answer.XML, "")
	return strings.ReplaceAll(text, "\n", ""), answer.Counts.Settlements
}

// boxesOf are the boxes of the return of a month that are not nothing.
func boxesOf(t *testing.T, c *process.Client, month int) map[string]string {
	t.Helper()
	var answer struct {
		Fields []struct {
			Field string `json:"field"`
			Value string `json:"value"`
		} `json:"fields"`
	}
	c.OK(t, computeReturn, body{"year": 2026, "month": month}, &answer)
	boxes := map[string]string{}
	for _, f := range answer.Fields {
		if f.Value != "0" && f.Field != "28" {
			boxes[f.Field] = f.Value
		}
	}
	return boxes
}

// TestCashAccounting sells and buys under cash accounting through the API, is paid in parts over two months, and looks at i.SAF, at
// the return and at what a submission says of it.
func TestCashAccounting(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := process.Start(t, e)
		c, _ := server.Company(t, e)
		c.OK(t, updateCompany, body{"code": "900000105", "vatCode": "LT999000060116"}, nil)
		buyer := c.OK(t, createPartner, body{"name": "UAB Pieninė", "vatCode": "LT999000070113"}, nil).ID(t)
		farm := c.OK(t, createPartner, body{"name": "UAB Ūkis", "vatCode": "LT999000010116", "isSupplier": true}, nil).ID(t)
		milk := body{"partnerId": buyer, "issueDate": "2026-01-10", "specialTaxation": true, "lines": []body{{"description": "Pienas", "unitPriceExclVat": "1000.00"}}}
		c.Post(t, newSale, milk, process.Key("too early")).RequireRefused(t, http.StatusUnprocessableEntity, "invoice.cash_accounting")
		c.OK(t, updateCompany, body{"cashAccounting": body{"from": "2026-01-01"}}, nil)

		draft := c.OK(t, newSale, milk, nil).ID(t)
		var sold struct {
			document
			SpecialTaxation bool `json:"specialTaxation"`
		}
		c.OK(t, issueSale, body{"id": draft}, &sold)
		require.True(t, sold.SpecialTaxation)
		bill := supplierInvoice(farm, "ŪK 7", "100.00")
		bill["specialTaxation"], bill["documentDate"] = true, "2026-01-12"
		bought := c.OK(t, newPurchase, bill, nil).ID(t)
		c.OK(t, registerPurchase, body{"id": bought, "registrationDate": "2026-01-12"}, nil)
		require.Equal(t, map[string]string{"25": "21", "35": "21", "36": "-21"}, boxesOf(t, c, 1), "nothing is due before it is paid")

		account := c.OK(t, newBankAccount, body{"name": "Bank", "iban": "LT121000011101001000"}, nil).ID(t)
		pay := func(document, documentType, on, amount, reference string) {
			t.Helper()
			c.OK(t, importBankLines, body{"bankAccountId": account, "transactions": []body{{"date": on, "amount": amount, "externalId": reference}}}, nil)
			for _, line := range bankLines(t, c) {
				if line.Status == "new" {
					c.OK(t, matchBankLine, body{"transactionId": line.ID, "documentType": documentType, "documentId": document}, nil)
				}
			}
		}
		pay(sold.ID, "sale_invoice", "2026-01-20", "605.00", "B-1")
		pay(bought, "purchase_invoice", "2026-01-21", "-121.00", "B-2")
		file, settlements := isafMonth(t, c, 1)
		require.Equal(t, 2, settlements)
		require.Contains(t, file, "<SpecialTaxation>T</SpecialTaxation>")
		require.Contains(t, file, `</SalesInvoices><SettlementsAndPayments><SettlementAndPayment><SettlementType>V</SettlementType>`+
			`<SettlementRefNo>B-2</SettlementRefNo><SettlementDate>2026-01-21</SettlementDate>`)
		require.Contains(t, file, "<InvoiceNo>ŪK7</InvoiceNo><InvoiceDate>2026-01-12</InvoiceDate><Amount>100.00</Amount><VATAmount>21.00</VATAmount>")
		require.Contains(t, file, "<SettlementType>G</SettlementType><SettlementRefNo>B-1</SettlementRefNo><SettlementDate>2026-01-20</SettlementDate>")
		require.Contains(t, file, "<InvoiceDate>2026-01-10</InvoiceDate><Amount>500.00</Amount><VATAmount>105.00</VATAmount>")
		require.Equal(t, map[string]string{"11": "500", "25": "21", "29": "105", "35": "21", "36": "84"}, boxesOf(t, c, 1))

		submission := c.OK(t, createSubmission, body{"obligation": "lt-isaf", "year": 2026, "month": 1}, nil).ID(t)
		requireLatePayments(t, c, submission, nil)
		pay(sold.ID, "sale_invoice", "2026-01-25", "121.00", "B-3")
		requireLatePayments(t, c, submission, []string{"2026-01-25 100.00 21.00"})

		c.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 1}, nil)
		locked, _ := isafMonth(t, c, 1)
		require.Contains(t, locked, "<SettlementRefNo>B-3</SettlementRefNo>")
		pay(sold.ID, "sale_invoice", "2026-02-02", "484.00", "B-4")
		again, settlements := isafMonth(t, c, 1)
		require.Equal(t, locked, again, "later payments change nothing in a locked month")
		require.Equal(t, 3, settlements)
		file, settlements = isafMonth(t, c, 2)
		require.Equal(t, 1, settlements)
		require.NotContains(t, file, "<SalesInvoices>")
		require.Contains(t, file, "<Customers>", "whoever pays is in the master files")
		require.Contains(t, file, "<Amount>400.00</Amount><VATAmount>84.00</VATAmount>", "the last payment takes what is left")
		require.Equal(t, map[string]string{"11": "400", "29": "84", "36": "84"}, boxesOf(t, c, 2))

		for month := 1; month <= 2; month++ {
			var tie struct {
				Agrees      bool     `json:"agrees"`
				Differences []any    `json:"differences"`
				Notes       []string `json:"notes"`
			}
			c.OK(t, tieOut, body{"year": 2026, "month": month}, &tie)
			require.True(t, tie.Agrees, "%v", tie.Differences)
			require.Contains(t, strings.Join(tie.Notes, " "), "under cash accounting")
		}
		process.RequireVerified(t, e)
	})
}

// requireLatePayments compares the payments that a file does not have.
func requireLatePayments(t *testing.T, c *process.Client, submission string, want []string) {
	t.Helper()
	var late struct {
		TotalPayments int `json:"totalPayments"`
		Payments      []struct {
			Date string `json:"date"`
			Net  string `json:"net"`
			VAT  string `json:"vat"`
		} `json:"payments"`
	}
	c.OK(t, lateChanges, body{"id": submission}, &late)
	var found []string
	for _, p := range late.Payments {
		found = append(found, p.Date+" "+p.Net+" "+p.VAT)
	}
	require.Equal(t, want, found)
	require.Equal(t, len(want), late.TotalPayments)
}
