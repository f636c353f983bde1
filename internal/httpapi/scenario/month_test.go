package scenario_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

type body map[string]any

// sampleInvoice is a sales invoice of the sample register.
type sampleInvoice struct {
	Number   string `xml:"InvoiceNo"`
	Customer struct {
		ID      string `xml:"CustomerID"`
		VAT     string `xml:"VATRegistrationNumber"`
		Code    string `xml:"RegistrationNumber"`
		Country string `xml:"Country"`
		Name    string `xml:"Name"`
	} `xml:"CustomerInfo"`
	Date       string `xml:"InvoiceDate"`
	Type       string `xml:"InvoiceType"`
	Reference  string `xml:"References>Reference>ReferenceNo"`
	SupplyDate string `xml:"VATPointDate"`
	Totals     []struct {
		Net  string `xml:"TaxableValue"`
		Code string `xml:"TaxCode"`
		Rate string `xml:"TaxPercentage"`
		VAT  string `xml:"Amount"`
	} `xml:"DocumentTotals>DocumentTotal"`
}

func readSample(t *testing.T) []sampleInvoice {
	t.Helper()
	text, err := os.ReadFile(process.Shared(t, "tax/samples/valid/2026-01-full.xml"))
	require.NoError(t, err)
	var file struct {
		Sales []sampleInvoice `xml:"SourceDocuments>SalesInvoices>Invoice"`
	}
	require.NoError(t, xml.Unmarshal(text, &file))
	require.Len(t, file.Sales, 10)
	return file.Sales
}

// schemes are the VAT schemes behind the codes of the sample that are not plain domestic sales.
var schemes = map[string]string{"PVM12": "export", "PVM13": "intra_eu_b2b", "PVM15": "out_of_scope", "PVM25": "reverse_charge"}

// document is what the API shows of an invoice.
type document struct {
	ID         string `json:"id"`
	FullNumber string `json:"fullNumber"`
	Type       string `json:"type"`
	Net        string `json:"netTotal"`
	VAT        string `json:"vatTotal"`
}

// TestTheSampleMonthIsEnteredOnce is the main job on real input: every sales invoice of the sample, each request sent
// twice, and once more at the same time.
func TestTheSampleMonthIsEnteredOnce(t *testing.T) {
	t.Parallel()
	sample := readSample(t)
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := process.Start(t, e)
		c, _ := server.Company(t, e)
		for _, s := range []body{
			{"documentType": "sale_invoice", "prefix": "AAA", "year": 2026, "startAt": 101},
			{"documentType": "sale_invoice", "prefix": "DEB", "year": 2026},
			{"documentType": "credit_note", "prefix": "KRE", "year": 2026},
		} {
			c.OK(t, "/v1/reference/series/create", s, nil)
		}
		partners, ids := map[string]string{}, map[string]string{}
		for _, invoice := range sample {
			if _, known := partners[invoice.Customer.ID]; !known {
				partners[invoice.Customer.ID] = newPartner(t, c, invoice)
			}
			ids[invoice.Number] = enter(t, c, invoice, partners[invoice.Customer.ID], ids)
		}
		requireTotals(t, c, sample)
		var balance struct {
			Totals struct {
				Debit  string `json:"debit"`
				Credit string `json:"credit"`
			} `json:"totals"`
		}
		c.OK(t, "/v1/reports/trial-balance", body{"fromDate": "2026-01-01", "toDate": "2026-12-31"}, &balance)
		require.NotEmpty(t, balance.Totals.Debit)
		require.Equal(t, balance.Totals.Debit, balance.Totals.Credit)
		process.RequireVerified(t, e)
	})
}

func newPartner(t *testing.T, c *process.Client, invoice sampleInvoice) string {
	t.Helper()
	b := body{"name": invoice.Customer.Name}
	for member, v := range map[string]string{"vatCode": invoice.Customer.VAT, "code": invoice.Customer.Code} {
		if v != "ND" && v != "" {
			b[member] = v
		}
	}
	if invoice.Customer.Country != "" {
		b["address"] = body{"countryCode": invoice.Customer.Country}
	}
	return once(t, c, "/v1/partners/create", b, "partner "+invoice.Customer.ID).ID(t)
}

// once sends a request three times, two of them at once, and gives the one answer.
func once(t *testing.T, c *process.Client, path string, b body, key string) process.Answer {
	t.Helper()
	answers := make([]process.Answer, 2)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = c.Post(t, path, b, process.Key(key)) })
	}
	wait.Wait()
	again := c.OK(t, path, b, nil, process.Key(key))
	require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
	for _, a := range answers {
		if a.Status != http.StatusConflict {
			require.Equal(t, string(again.Body), string(a.Body))
			continue
		}
		a.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
	}
	return again
}

func enter(t *testing.T, c *process.Client, invoice sampleInvoice, partner string, ids map[string]string) string {
	t.Helper()
	draft := body{"partnerId": partner, "issueDate": invoice.Date, "type": "invoice"}
	var lines []body
	for _, total := range invoice.Totals {
		price := strings.TrimPrefix(total.Net, "-") // a credit note is positive; its type is the sign
		line := body{"description": "Sample", "unitPriceExclVat": price, "vatClassifierCode": total.Code}
		if scheme, ok := schemes[total.Code]; ok {
			draft["vatScheme"] = scheme
		} else if total.Rate != "" {
			line["vatRatePercent"] = total.Rate
		}
		lines = append(lines, line)
	}
	draft["lines"] = lines
	if invoice.SupplyDate != "" {
		draft["supplyDate"] = invoice.SupplyDate
	}
	if invoice.Reference != "" {
		draft["creditedInvoiceId"] = ids[invoice.Reference]
	}
	if invoice.Type == "KS" {
		draft["type"] = "credit_note"
	}
	id := once(t, c, "/v1/sales/invoices/create", draft, "create "+invoice.Number).ID(t)
	once(t, c, "/v1/sales/invoices/issue", body{"id": id, "series": invoice.Number[:3]}, "issue "+invoice.Number)
	if invoice.Type == "AN" {
		once(t, c, "/v1/sales/invoices/cancel", body{"id": id, "reason": "not needed"}, "cancel "+invoice.Number)
	}
	return id
}

// requireTotals compares every invoice of the company with the sample: each is there once, with the file's amounts.
func requireTotals(t *testing.T, c *process.Client, sample []sampleInvoice) {
	t.Helper()
	var page struct {
		Total int        `json:"total"`
		Rows  []document `json:"rows"`
	}
	c.OK(t, "/v1/sales/invoices/list", body{"pageSize": 200}, &page)
	require.Equal(t, len(sample), page.Total)
	found := map[string]document{}
	for _, d := range page.Rows {
		require.NotContains(t, found, d.FullNumber)
		found[d.FullNumber] = d
	}
	for _, invoice := range sample {
		d, ok := found[invoice.Number]
		require.True(t, ok, "%s is missing among %v", invoice.Number, found)
		net, vat := money.Zero(money.EUR), money.Zero(money.EUR)
		for _, total := range invoice.Totals {
			net = net.Add(amount(t, total.Net))
			vat = vat.Add(amount(t, total.VAT))
		}
		require.Equal(t, fmt.Sprint(net.Abs(), " ", vat.Abs()), d.Net+" "+d.VAT, invoice.Number)
	}
}

func amount(t *testing.T, s string) money.Amount {
	t.Helper()
	if s == "" {
		return money.Zero(money.EUR)
	}
	a, err := money.Parse(s, money.EUR)
	require.NoError(t, err)
	return a
}
