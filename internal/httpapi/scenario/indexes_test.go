package scenario_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

const (
	// otherCompanies and doublings say how often the rows of a seed are doubled: into four companies, then within each.
	otherCompanies, doublings = 2, 6
	// large is from how many rows on a statement may not read them all.
	large = 500
)

// queries are requests of the queries that are neither lists nor read one object by its id.
func (s *sizedWorld) queries() map[string]body {
	month := body{"fromDate": "2026-02-01", "toDate": "2026-02-28"}
	return map[string]body{
		"/v1/account/companies/profile":             {},
		"/v1/account/companies/select":              {"companyId": s.company.Scope.Company().ID.String()},
		"/v1/account/me":                            {},
		"/v1/account/sessions/list":                 {},
		"/v1/account/members/list":                  {},
		"/v1/account/invites/list":                  {},
		"/v1/account/api-keys/list":                 {},
		"/v1/assets/depreciation/preview":           {"year": 2026, "month": 1},
		"/v1/bank/transactions/suggest-matches":     {"transactionId": s.unmatched},
		"/v1/declarations/lt/fr0600/compute":        {"year": 2026, "month": 2, "documentsOf": "29", "withFile": true},
		"/v1/declarations/lt/isaf/generate":         {"year": 2026, "month": 2},
		"/v1/declarations/lt/saft/generate":         month,
		"/v1/declarations/submissions/late-changes": {"id": s.submission},
		"/v1/declarations/vat/tie-out":              {"year": 2026, "month": 2},
		"/v1/files/get":                             {"id": s.file},
		"/v1/idempotency/keys/get":                  {"key": s.key},
		"/v1/ledger/posting-rules/list":             {},
		"/v1/partners/credit-check":                 {"partnerId": s.buyer},
		"/v1/partners/validate-vat":                 {"vatCode": "LT999000017"},
		"/v1/reference/countries/list":              {},
		"/v1/reference/currencies/list":             {},
		"/v1/reference/eu-vat-rates/list":           {"date": "2026-03-01"},
		"/v1/reference/exchange-rates/list":         {},
		"/v1/reference/units/list":                  {},
		"/v1/reference/vat-classifiers/list":        {},
		"/v1/reference/vat/resolve":                 {"customerCountryCode": "DE", "supplyType": "digital"},
		"/v1/reports/cash-flow":                     month,
		"/v1/reports/debt-aging":                    {"side": "payables"},
		"/v1/reports/eu-purchases":                  month,
		"/v1/reports/financial-statements":          {"fromDate": "2026-02-01", "toDate": "2026-02-28", "category": "large"},
		"/v1/reports/general-journal":               month,
		"/v1/reports/gl-detail":                     {"accountCode": "2710", "fromDate": "2026-02-01", "toDate": "2026-02-28"},
		"/v1/reports/monthly-summary":               {"months": 3},
		"/v1/reports/partner-balances":              {},
		"/v1/reports/size-category":                 {"year": 2026},
		"/v1/reports/trial-balance":                 month,
		"/v1/reports/vat-detail":                    month,
		"/v1/reports/vat-summary":                   month,
		"/v1/sales/invoices/pdf":                    {"id": s.sent},
		"/v1/webhooks/event-types/list":             {},
	}
}

// unexplained are queries that are always refused, and the one that is for all rows of all tables.
var unexplained = []string{"/v1/reference/vat-classifiers/upsert", "/v1/reference/exchange-rates/sync", "/v1/account/companies/export"}

// ofAll are operations whose answer comes from all rows of the company by its nature.
var ofAll = regexp.MustCompile(`/list$|/depreciation/|^/v1/reports/|^/v1/declarations/`)

// isOfDays reports a table that an audit file of some days may not read beyond them: a company has years of documents.
func isOfDays(operation, table string) bool {
	return operation == "/v1/declarations/lt/saft/generate" &&
		slices.Contains([]string{"sales_invoices", "purchase_invoices", "journal_transactions"}, table)
}

// seed makes some of everything that a company gathers.
func (s *sizedWorld) seed(t *testing.T) {
	t.Helper()
	s.OK(t, "/v1/account/companies/update", body{"code": "900000105", "vatCode": "LT999000060116", "cashAccounting": body{"from": "2026-01-01"}}, nil)
	s.OK(t, "/v1/webhooks/subscriptions/create", body{"url": "https://receiver.invalid/hook", "events": []string{"*"}}, nil)
	for i := range 4 {
		s.buyer = s.OK(t, createPartner, body{"name": s.unique("UAB "), "code": fmt.Sprint(900000100 + i), "address": body{"countryCode": "LT"}}, nil).ID(t)
		s.supplier = s.OK(t, createPartner, body{"name": s.unique("AB "), "isSupplier": true, "address": body{"countryCode": "LT"}}, nil).ID(t)
		for name, o := range counted {
			if name != "PostDepreciation" && name != "PreviewDepreciation" && name != "UpdatePostingRules" && !strings.Contains(name, "Again") {
				request := o.prepare(t, s, few)
				s.OK(t, o.path, request, nil, process.Key(s.unique("K")))
			}
		}
		c := s.Client
		s.key = s.unique("K")
		s.OK(t, postEntry, s.entry(few), nil, process.Key(s.key))
		c.Post(t, reverseEntry, s.entry(few), process.Key(s.key)) // refused, and recorded
		paid := issuedSale(t, c, s.buyer, "10.00", body{"specialTaxation": true})
		s.OK(t, importBankLines, body{"bankAccountId": s.bank, "transactions": []body{
			{"date": day, "amount": "12.10", "externalId": s.unique("L"), "counterpartyIban": "LT601010012345678901", "counterpartyName": s.unique("UAB ")},
			{"date": day, "amount": "12.10", "externalId": s.unique("L"), "counterpartyIban": "LT601010012345678901", "counterpartyName": s.unique("UAB ")},
		}}, nil)
		lines := s.openLines(t)
		s.unmatched = lines[0].ID
		s.OK(t, matchBankLine, body{"transactionId": lines[1].ID, "documentType": "sale_invoice", "documentId": paid.ID}, nil)
		s.OK(t, applyAdvance, body{
			"advanceId": issuedSale(t, c, s.buyer, "5.00", body{"type": "advance"}).ID, "invoiceId": issuedSale(t, c, s.buyer, "50.00", nil).ID, "date": day,
		}, nil)
		s.file = s.OK(t, "/v1/files/upload", body{
			"entity": "partner", "entityId": s.buyer, "fileName": "a.txt", "mimeType": "text/plain",
			"content": base64.StdEncoding.EncodeToString([]byte(s.unique("text "))),
		}, nil).ID(t)
		s.sent = paid.ID
		s.OK(t, sendSale, body{"id": s.sent, "to": mailbox.Busy + "@example.com"}, nil)
		s.OK(t, "/v1/reports/jobs/create", body{"reportType": "trial-balance", "params": body{"fromDate": day, "toDate": day}, "formats": []string{"csv"}}, nil)
	}
	s.OK(t, postDepreciation, s.assets(t, 12), nil)
	s.submission = s.OK(t, "/v1/declarations/submissions/create", body{"obligation": "lt-isaf", "year": 2026, "month": 1}, nil).ID(t)
}

const (
	applyAdvance = "/v1/sales/invoices/apply-advance"
	sendSale     = "/v1/sales/invoices/send"
)

func (s *sizedWorld) openLines(t *testing.T) []bankTransaction {
	t.Helper()
	var page struct {
		Rows []bankTransaction `json:"rows"`
	}
	s.OK(t, listBankLines, body{"pageSize": 5, "filter": []body{where("status", "new"), where("counterpartyIban", "LT601010012345678901")}}, &page)
	require.GreaterOrEqual(t, len(page.Rows), few)
	return page.Rows
}

// TestEveryStatementUsesAnIndex explains what each operation asks MySQL for, in a company with very many rows beside others
// of its size: nothing reads a whole table, and nothing but lists and reports reads all that the company has in one.
func TestEveryStatementUsesAnIndex(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it fills a database")
	}
	e := ownMySQL(t)
	s := newSizedWorld(t, e)
	sender := process.Start(t, e, "VIENKART_WEBHOOK_KEY="+webhookKey)
	s.seed(t)
	require.Eventually(t, func() bool { return rowsOf(t, e)["webhook_deliveries"] > 0 }, 30*time.Second, 10*poll, "deliveries are written by the server")
	sender.Stop(t)
	begin := e.Store.Clock().Now()
	multiply(t, e, otherCompanies, doublings)
	t.Logf("rows: %v, in %s", rowsOf(t, e), e.Store.Clock().Now().Sub(begin))

	x := &explainer{engine: e, seen: map[string]bool{}}
	for _, o := range httpapi.Operations() {
		if o.Mutation || o.Personal || o.IsOpen() || slices.Contains(unexplained, o.Path) {
			continue
		}
		x.explain(t, o.Path, s.statements(t, o.Path, s.query(t, o)))
	}
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		request := counted[name].prepare(t, s, few)
		x.explain(t, counted[name].path, s.statements(t, counted[name].path, request, process.Key(s.unique("K"))))
	}
	s.explainOthers(t, x)
	x.background(t)
	for _, fault := range x.faults {
		t.Error(fault)
	}
	t.Logf("%d statements explained", len(x.seen))
}

// query is a request of a query.
func (s *sizedWorld) query(t *testing.T, o httpapi.Operation) body {
	t.Helper()
	if request, known := s.queries()[o.Path]; known {
		return request
	}
	if o.Request == reflect.TypeFor[tenant.ListQuery]() {
		return body{}
	}
	if list, ok := strings.CutSuffix(o.Path, "/get"); ok {
		var page struct {
			Rows []struct {
				ID string `json:"id"`
			} `json:"rows"`
		}
		s.OK(t, list+"/list", body{"pageSize": 1}, &page)
		require.NotEmpty(t, page.Rows, o.Path)
		return body{"id": page.Rows[0].ID}
	}
	t.Fatalf("%s: give it a request here, so that its statements are explained", o.Path)
	return nil
}

// explainOthers explains the mutations that are not about documents with lines.
func (s *sizedWorld) explainOthers(t *testing.T, x *explainer) {
	t.Helper()
	run := func(path string, request body) process.Answer {
		t.Helper()
		s.tap.Take()
		a := s.OK(t, path, request, nil, process.Key(s.unique("K")))
		x.explain(t, path, s.tap.Take())
		return a
	}
	partner := run(createPartner, body{"name": s.unique("UAB "), "code": "900000999", "vatCode": "LT999000010116"}).ID(t)
	run("/v1/partners/find-or-create", body{"name": s.unique("UAB ")})
	run("/v1/partners/update", body{"id": partner, "name": s.unique("UAB ")})
	run("/v1/partners/delete", body{"id": partner})
	run("/v1/reference/series/create", body{"documentType": "sale_invoice", "prefix": "IDX", "year": 2026})
	run("/v1/ledger/accounts/create", body{"code": "9777", "name": "Test", "type": "asset"})
	run("/v1/ledger/periods/lock", body{"year": 2025, "month": 1})
	run("/v1/ledger/periods/unlock", body{"year": 2025, "month": 1, "reason": "late"})
	order := s.order(1)
	ordered := run(newOrder, order).ID(t)
	run("/v1/ecommerce/orders/confirm-payment", body{"orderId": ordered, "amount": "24.20", "currency": "EUR"})
	run(fulfillOrder, body{"id": ordered})
	run("/v1/ecommerce/orders/cancel", body{"id": run(newOrder, s.order(1)).ID(t)})
	run(matchBankLine, body{"transactionId": s.unmatched, "documentType": "sale_invoice", "documentId": issuedSale(t, s.Client, s.buyer, "10.00", nil).ID})
	run(applyAdvance, body{
		"advanceId": issuedSale(t, s.Client, s.buyer, "5.00", body{"type": "advance"}).ID, "invoiceId": issuedSale(t, s.Client, s.buyer, "50.00", nil).ID, "date": day,
	})
	run(sendSale, body{"id": s.sent, "to": mailbox.Busy + "@example.com"})
	file := run("/v1/files/upload", body{"entity": "partner", "entityId": s.buyer, "fileName": "a.txt", "mimeType": "text/plain", "content": "YWJj"}).ID(t)
	run("/v1/files/delete", body{"id": file})
	s.tap.Take()
	refused := s.Post(t, createPartner, body{"name": "UAB", "code": "900000100"}, process.Key(s.unique("K")))
	refused.RequireRefused(t, http.StatusConflict, "partner.duplicate_code")
	rejectionOf(t, s.Client, refused) // it may be recorded after the answer
	x.explain(t, "a refusal", s.tap.Take())
	var page struct {
		Rows []rejection `json:"rows"`
	}
	s.OK(t, listRejections, body{"pageSize": 1}, &page)
	run("/v1/idempotency/rejections/review", body{"id": page.Rows[0].ID, "decision": "client bug"})
	var deliveries struct {
		Rows []struct {
			ID string `json:"id"`
		} `json:"rows"`
	}
	s.OK(t, "/v1/webhooks/deliveries/list", body{"pageSize": 1}, &deliveries)
	run("/v1/webhooks/deliveries/redeliver", body{"id": deliveries.Rows[0].ID})
}
