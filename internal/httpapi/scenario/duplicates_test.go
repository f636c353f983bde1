package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// Operations of the crowd that no other test uses.
const (
	newOrder         = "/v1/ecommerce/orders/create"
	fulfillOrder     = "/v1/ecommerce/orders/fulfill"
	postDepreciation = "/v1/assets/depreciation/post"
)

// crowd is how many requests for one document are sent at once, each under a key of its own.
const crowd = 50

// recordLimit bounds the wait for the records of a crowd of refusals.
const recordLimit = 30 * time.Second

// unique is a request that has one effect in a company, however often and under whatever keys it is sent.
type unique struct {
	path    string
	request body
	// code is the refusal of the others. Empty: they are answered, and agrees checks how.
	code   string
	agrees func(t *testing.T, answers []process.Answer)
	// spellings replace a member: they are the same to the business index.
	member    string
	spellings []string
	// traces are tables to which each answered request adds a row that says so.
	traces []string
}

func (u unique) at(i int) body {
	if u.member == "" {
		return u.request
	}
	b := maps.Clone(u.request)
	b[u.member] = u.spellings[i%len(u.spellings)]
	return b
}

// uniques are the business indexes, those of duplicates too, each with what it needs in a company.
func uniques(t *testing.T, c *process.Client) map[string]unique {
	t.Helper()
	all := map[string]unique{}
	for name, d := range duplicates(t, c) {
		all[name] = unique{path: d.path, request: d.request, code: d.code}
	}
	supplier := all["SupplierNumber"]
	supplier.request = supplierInvoice(newBuyer(t, c, "Supplier"), "A 17", "100.00")
	supplier.member, supplier.spellings = "documentNumber", []string{"A 17", " a 17 ", "A   17"}
	all["SupplierNumber"] = supplier

	partner := newBuyer(t, c, "UAB Pirkėjas")
	all["Issue"] = unique{path: issueSale, request: body{"id": draftSale(t, c, partner, "100.00", nil)}, code: "invoice.already_issued"}
	order := body{
		"channel": "shop", "externalRef": "W-1", "partner": body{"name": "New buyer"},
		"lines": []body{{"description": "Book", "quantity": "2", "unitPriceExclVat": "10.00"}},
	}
	all["Order"] = unique{path: newOrder, request: order, code: "order.duplicate"}
	known := maps.Clone(order)
	known["externalRef"] = "W-2"
	ordered := c.OK(t, newOrder, known, nil).ID(t)
	all["OrderPaid"] = unique{
		path: "/v1/ecommerce/orders/confirm-payment", request: body{"orderId": ordered, "amount": "24.20", "currency": "EUR"}, agrees: alike,
	}
	known["externalRef"] = "W-3"
	all["OrderFulfilled"] = unique{path: fulfillOrder, request: body{"id": c.OK(t, newOrder, known, nil).ID(t)}, code: "order.fulfilled"}
	maps.Copy(all, bankUniques(t, c, partner))
	all["Depreciation"] = depreciation(t, c)
	return all
}

// bankUniques are those of money: bank lines, payouts and payments.
func bankUniques(t *testing.T, c *process.Client, partner string) map[string]unique {
	t.Helper()
	account := c.OK(t, newBankAccount, body{"name": "Bank", "iban": "LT121000011101001000"}, nil).ID(t)
	line := func(externalID string) body {
		return body{"bankAccountId": account, "transactions": []body{{"date": day, "amount": "50.00", "externalId": externalID}}}
	}
	c.OK(t, importBankLines, line("matched"), nil)
	owing := c.OK(t, newPurchase, supplierInvoice(partner, "B-1", "10.00"), nil).ID(t)
	c.OK(t, registerPurchase, body{"id": owing, "registrationDate": day}, nil)
	report := func(payoutID, movement string) body {
		return body{"bankAccountId": account, "content": payoutHeader + payoutLine(payoutID, movement, "charge", "100.00", "3.20", "ch_"+movement, "")}
	}
	var imported settlementImport
	c.OK(t, importSettlement, report("po_2", "txn_2"), &imported)
	return map[string]unique{
		"BankAccount": {path: newBankAccount, request: body{"name": "Other", "iban": "LT601010012345678901"}, code: "bank.account_exists"},
		"BankLine":    {path: importBankLines, request: line("L-1"), agrees: onceEach(1, "imported", "skipped"), traces: []string{"audit_log"}},
		"BankMatch": {path: matchBankLine, request: body{
			"transactionId": bankLines(t, c)[0].ID, "documentType": "sale_invoice", "documentId": issuedSale(t, c, partner, "80.00", nil).ID,
		}, code: "bank.already_matched"},
		"PaymentFile": {path: exportPayments, request: body{
			"bankAccountId": account, "purchaseInvoiceIds": []string{owing}, "creditorIbans": body{partner: "DE89370400440532013000"},
		}, code: "bank.already_exported"},
		// Until it is posted a payout imported again has its lines replaced, which is told.
		"Payout": {
			path: importSettlement, request: report("po_1", "txn_1"), agrees: onceEach(1, "imported", "updated"),
			traces: []string{"audit_log", "outbox_events"},
		},
		"PayoutPosted": {path: postSettlement, request: body{"id": imported.Batches[0].ID}, code: "settlement.already_posted"},
	}
}

func depreciation(t *testing.T, c *process.Client) unique {
	t.Helper()
	group := c.OK(t, "/v1/assets/groups/create", body{
		"code": "D", "name": "Tools", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
	}, nil).ID(t)
	c.OK(t, "/v1/assets/assets/create", body{
		"groupId": group, "code": "D1", "name": "Saw", "acquisitionDate": "2026-01-15", "acquisitionCost": "1200.00",
	}, nil)
	const assets = 2 // this one and that of the business index of assets
	return unique{path: postDepreciation, request: body{"year": 2026, "month": 2}, agrees: onceEach(assets, "posted", "skipped")}
}

// alike says that all answers are the same.
func alike(t *testing.T, answers []process.Answer) {
	t.Helper()
	for _, a := range answers {
		require.Equal(t, string(answers[0].Body), string(a.Body))
	}
}

// onceEach says that n things are counted as done once, and as there by every other answer.
func onceEach(n int, done, there string) func(*testing.T, []process.Answer) {
	return func(t *testing.T, answers []process.Answer) {
		t.Helper()
		sums := map[string]int{}
		for _, a := range answers {
			var counts map[string]any
			a.Read(t, &counts)
			for _, member := range []string{done, there} {
				count, ok := counts[member].(float64)
				require.True(t, ok, "%s", a.Body)
				sums[member] += int(count)
			}
		}
		require.Equal(t, map[string]int{done: n, there: n * (len(answers) - 1)}, sums)
	}
}

// TestOneOfACrowd sends each request fifty times at once under fifty keys, to two servers where the engine serves two: one
// is done, the others are refused with what exists, or answered as repeats, and every refusal is kept for review (R50 to R52, R60).
func TestOneOfACrowd(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		servers := []*process.Server{process.Start(t, e)}
		if e.Name == "MySQL" {
			servers = append(servers, process.Start(t, e))
		}
		single, alone := servers[0].Company(t, e)
		c, company := servers[0].Company(t, e)
		effects := map[string]map[string]int64{}
		expected := uniques(t, single)
		for _, name := range slices.Sorted(maps.Keys(expected)) {
			before := alone.RowCounts(t)
			single.OK(t, expected[name].path, expected[name].at(0), nil, process.Key(name))
			effects[name] = added(before, alone.RowCounts(t))
		}
		all := uniques(t, c)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			u := all[name]
			before := company.RowCounts(t)
			answers := together(crowd, func(i int) process.Answer {
				return c.At(servers[i%len(servers)].URL).Post(t, u.path, u.at(i), process.Key(fmt.Sprint(name, " ", i)))
			})
			u.requireOne(t, name, answers)
			effect := added(before, company.RowCounts(t))
			for _, table := range u.traces {
				effect[table] = effects[name][table]
			}
			require.Equal(t, effects[name], effect, "%s: the effect of one request", name)
			if u.code != "" {
				u.requireRecorded(t, c, company, name, answers)
			}
		}
		process.RequireVerified(t, e)
	})
}

// added are the rows that came to be, by table.
func added(before, after map[string]int64) map[string]int64 {
	d := map[string]int64{}
	for table, n := range after {
		if n != before[table] {
			d[table] = n - before[table]
		}
	}
	return d
}

func (u unique) requireOne(t *testing.T, name string, answers []process.Answer) {
	t.Helper()
	if u.code == "" {
		require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses(answers), name)
		u.agrees(t, answers)
		return
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: crowd - 1}, statuses(answers), name)
	existing := map[any]bool{}
	for _, a := range answers {
		if a.Status == http.StatusOK {
			continue
		}
		refusal := a.RequireRefused(t, http.StatusConflict, u.code)
		require.Equal(t, "never", refusal.RetryWith, name)
		require.NotEmpty(t, refusal.Details["index"], name)
		existing[refusal.Details["existingId"]] = true
	}
	require.Len(t, existing, 1, name)
	require.NotContains(t, existing, nil, name)
}

// requireRecorded checks that every refused request can be looked at, each under its key with what it asked for.
func (u unique) requireRecorded(t *testing.T, c *process.Client, company *testkit.Company, name string, answers []process.Answer) {
	t.Helper()
	require.Eventually(t, func() bool {
		return total(t, c, listRejections, where("operation", u.path), where("reason", "duplicate")) >= crowd-1
	},
		recordLimit, 10*poll, "%s: not every refusal was recorded", name)
	var page struct {
		Rows []rejection `json:"rows"`
	}
	c.OK(t, listRejections, body{"pageSize": 200, "filter": []body{where("operation", u.path)}}, &page)
	records := map[string]rejection{}
	for _, row := range page.Rows {
		records[row.Key] = row
	}
	refused := ""
	for i, a := range answers {
		key := fmt.Sprint(name, " ", i)
		if a.Status == http.StatusOK {
			require.NotContains(t, records, key)
			continue
		}
		require.Contains(t, records, key)
		require.Equal(t, a.Header.Get("X-Request-Id"), records[key].RequestID)
		require.Equal(t, a.Refusal(t).Details["existingId"], records[key].ExistingID)
		require.Equal(t, a.Refusal(t).Details["index"], records[key].BusinessIndex)
		require.Equal(t, 1, records[key].Occurrences)
		if refused == "" {
			refused = key
			var shown comparison
			c.OK(t, getRejection, body{"id": records[key].ID}, &shown)
			require.Equal(t, decoded(t, u.at(i)), shown.Refused.Body, name)
		}
	}
	var without int
	require.NoError(t, company.Engine.Admin.Reader().QueryRowContext(t.Context(),
		"SELECT COUNT(*) FROM idempotency_rejections WHERE company_id = ? AND LENGTH(refused_request) < 2", company.Scope.Company().ID).Scan(&without))
	require.Zero(t, without, "records without what was asked for")
}

func decoded(t *testing.T, b body) map[string]any {
	t.Helper()
	text, err := json.Marshal(b)
	require.NoError(t, err)
	var again map[string]any
	require.NoError(t, json.Unmarshal(text, &again))
	return again
}

// Documents issued at once on two servers share one series: the numbers are 1 to n, each once.
func TestTwoServersNumberAsOne(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	first, second := process.Start(t, e), process.Start(t, e)
	c, _ := first.Company(t, e)
	partner := newBuyer(t, c, "Buyer")
	drafts := make([]string, crowd)
	for i := range drafts {
		drafts[i] = draftSale(t, c, partner, "10.00", nil)
	}
	answers := together(crowd, func(i int) process.Answer {
		return c.At([]string{first.URL, second.URL}[i%2]).Post(t, issueSale, body{"id": drafts[i]}, process.Key(fmt.Sprint("issue ", i)))
	})
	var numbers []int
	for _, a := range answers {
		var d struct {
			Number int `json:"number"`
		}
		require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
		a.Read(t, &d)
		numbers = append(numbers, d.Number)
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		require.Equal(t, i+1, n)
	}
	process.RequireVerified(t, e)
}
