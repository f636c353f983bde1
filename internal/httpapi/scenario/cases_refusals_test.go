package scenario_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// rejection is a refused duplicate as the admin sees it.
type rejection struct {
	ID            string `json:"id"`
	Reason        string `json:"reason"`
	Key           string `json:"key"`
	Operation     string `json:"operation"`
	RequestID     string `json:"requestId"`
	ExistingID    string `json:"existingId"`
	BusinessIndex string `json:"businessIndex"`
	Occurrences   int    `json:"occurrences"`
}

type comparison struct {
	Rejection rejection `json:"rejection"`
	First     *struct {
		Body map[string]any `json:"body"`
	} `json:"first"`
	Refused struct {
		Body map[string]any `json:"body"`
	} `json:"refused"`
	Differences []struct {
		Pointer string `json:"pointer"`
		First   any    `json:"first"`
		Refused any    `json:"refused"`
	} `json:"differences"`
}

func rejections(t *testing.T, c *process.Client) []rejection {
	t.Helper()
	var page struct {
		Rows []rejection `json:"rows"`
	}
	c.OK(t, listRejections, body{"pageSize": 200}, &page)
	return page.Rows
}

// duplicate is a document that exists, and another request that a business index refuses.
type duplicate struct {
	path    string
	request body
	code    string
}

// duplicates are requests that succeed once in a company, whatever their keys.
func duplicates(t *testing.T, c *process.Client) map[string]duplicate {
	t.Helper()
	partner := newBuyer(t, c, "Both")
	group := c.OK(t, "/v1/assets/groups/create", body{
		"code": "G", "name": "Computers", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
	}, nil).ID(t)
	posted := c.OK(t, postEntry, entry("10.00"), nil).ID(t)
	advance := issuedSale(t, c, partner, "50.00", body{"type": "advance"}).ID
	sold := issuedSale(t, c, partner, "100.00", nil).ID
	return map[string]duplicate{
		"SupplierNumber": {newPurchase, supplierInvoice(partner, "A-17", "100.00"), "purchase.duplicate"},
		"Account":        {"/v1/ledger/accounts/create", body{"code": "9777", "name": "Test", "type": "asset"}, "ledger.account_exists"},
		"Reversal":       {reverseEntry, body{"id": posted}, "ledger.already_reversed"},
		"PartnerVATCode": {createPartner, body{"name": "UAB Pirmas", "vatCode": "LT999000010116"}, "partner.duplicate_vat_code"},
		"PartnerCode":    {createPartner, body{"name": "UAB Antras", "code": "900000219"}, "partner.duplicate_code"},
		"Series": {
			"/v1/reference/series/create", body{"documentType": "sale_invoice", "prefix": "XYZ", "year": 2026}, "numbering.series_exists",
		},
		"AssetGroup": {"/v1/assets/groups/create", body{
			"code": "H", "name": "Cars", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
		}, "asset.group_exists"},
		"Asset": {"/v1/assets/assets/create", body{
			"groupId": group, "code": "A1", "name": "Laptop", "acquisitionDate": "2026-01-15", "acquisitionCost": "1200.00",
		}, "asset.code_exists"},
		"Advance": {"/v1/sales/invoices/apply-advance", body{"advanceId": advance, "invoiceId": sold, "date": day}, "invoice.advance_already_applied"},
	}
}

// B-026: whoever loses the race for a business index, or comes late, is answered with a conflict and the winner's id.
func duplicatesUnderOtherKeys(t *testing.T, w *world) {
	c, company := w.company(t)
	for name, d := range duplicates(t, c) {
		const callers = 6
		answers := together(callers, func(i int) process.Answer {
			return c.Post(t, d.path, d.request, process.Key(fmt.Sprint(name, i)))
		})
		require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: callers - 1}, statuses(answers), "%s: %s", name, answers[0].Body)
		after := company.RowCounts(t)
		answers = append(answers, c.Post(t, d.path, d.request, process.Key(name+" late")))
		existing := map[any]bool{}
		for _, a := range answers {
			if a.Status == http.StatusConflict {
				refusal := a.RequireRefused(t, http.StatusConflict, d.code)
				require.Equal(t, "never", refusal.RetryWith, name)
				existing[refusal.Details["existingId"]] = true
			}
		}
		require.Len(t, existing, 1, name)
		require.NotContains(t, existing, nil, name)
		require.Equal(t, after, company.RowCounts(t), name)
	}
}

// B-041: a refusal rolls back, and its record does not. A duplicate found by an index names the document that exists.
func refusalsAreRecorded(t *testing.T, w *world) {
	c, _ := w.company(t)
	c.OK(t, postEntry, entry("100.00"), nil, process.Key("K1"))
	reused := c.Post(t, postEntry, entry("200.00"), process.Key("K1"))
	reused.RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	shown := rejectionOf(t, c, reused)
	require.Equal(t, "key_reuse", shown.Rejection.Reason)
	require.Contains(t, fmt.Sprint(shown.First.Body), "100.00")
	require.Contains(t, fmt.Sprint(shown.Refused.Body), "200.00")
	require.Len(t, shown.Differences, 2, "debit and credit")

	for name, d := range duplicates(t, c) {
		first := c.OK(t, d.path, d.request, nil, process.Key(name+" first"))
		refused := c.Post(t, d.path, d.request, process.Key(name+" second"))
		refusal := refused.RequireRefused(t, http.StatusConflict, d.code)
		record := rejectionOf(t, c, refused)
		require.Equal(t, "duplicate", record.Rejection.Reason, name)
		require.Equal(t, d.path, record.Rejection.Operation, name)
		require.Equal(t, name+" second", record.Rejection.Key)
		require.Equal(t, refusal.Details["existingId"], record.Rejection.ExistingID, name)
		require.NotEmpty(t, record.Rejection.BusinessIndex, name)
		require.Len(t, record.Refused.Body, len(d.request), name)
		if name != "Advance" { // its answer is the invoice, which exists as well
			require.Equal(t, first.ID(t), record.Rejection.ExistingID, name)
			require.NotNil(t, record.First, "%s: an admin compares both requests", name)
			require.Equal(t, record.Refused.Body, record.First.Body, name)
		}
	}
}

func rejectionOf(t *testing.T, c *process.Client, refused process.Answer) comparison {
	t.Helper()
	var shown comparison
	await(t, "no record of "+string(refused.Body), func() bool {
		for _, row := range rejections(t, c) {
			if row.RequestID == refused.Header.Get("X-Request-Id") {
				c.OK(t, getRejection, body{"id": row.ID}, &shown)
				return true
			}
		}
		return false
	})
	return shown
}

// B-041 while the first request runs: both kinds of refusal are recorded, although nothing is committed yet.
func refusalsWhileRunning(t *testing.T, w *world) {
	c, _ := w.company(t)
	running := held(t, c, postEntry, entry("100.00"), "K1", hold)
	twin := c.Post(t, postEntry, entry("100.00"), process.Key("K1"))
	twin.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
	other := c.Post(t, postEntry, entry("200.00"), process.Key("K1"))
	other.RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	require.Equal(t, http.StatusOK, (<-running).Status)
	record := rejectionOf(t, c, twin)
	require.Equal(t, "in_progress", record.Rejection.Reason)
	require.Empty(t, record.Differences)
	record = rejectionOf(t, c, other)
	require.Equal(t, "key_reuse", record.Rejection.Reason)
	require.Contains(t, fmt.Sprint(record.First.Body), "100.00")
	require.Contains(t, fmt.Sprint(record.Refused.Body), "200.00")
	require.Len(t, rejections(t, c), 2)
}

// manyRefusals counts repeats of one refusal, all at once: no row per repeat, and none lost.
func manyRefusals(t *testing.T, w *world) {
	c, _ := w.company(t)
	c.OK(t, postEntry, entry("100.00"), nil, process.Key("K1"))
	const repeats = 100
	for _, a := range together(repeats, func(int) process.Answer { return c.Post(t, postEntry, entry("200.00"), process.Key("K1")) }) {
		a.RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	}
	await(t, "refusals are lost", func() bool {
		rows := rejections(t, c)
		require.LessOrEqual(t, len(rows), 1)
		return len(rows) == 1 && rows[0].Occurrences == repeats
	})
}

// B-040, B-096: a refusal of any kind leaves rows and balances as they were, however often it comes.
func refusalLeavesBooks(t *testing.T, w *world) {
	c, company := w.company(t)
	c.OK(t, postEntry, entry("500.00"), nil)
	paid := c.OK(t, postEntry, entry("1.00"), nil).ID(t)
	mirror := c.OK(t, reverseEntry, body{"id": paid}, nil).ID(t)
	sold := issuedSale(t, c, newBuyer(t, c, "Buyer"), "100.00", nil)
	c.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 1}, nil)
	refusals := map[string]struct {
		status  int
		path    string
		request any
		as      *process.Client
	}{
		"AlreadyReversed":  {http.StatusConflict, reverseEntry, body{"id": paid}, c},
		"ReversalReversed": {http.StatusConflict, reverseEntry, body{"id": mirror}, c},
		"OfADocument":      {http.StatusConflict, reverseEntry, body{"id": journalOf(t, c, sold.ID)}, c},
		"LockedMonth":      {http.StatusConflict, postEntry, body{"date": "2026-01-31", "entries": entry("1.00")["entries"]}, c},
		"Unbalanced": {http.StatusUnprocessableEntity, postEntry, body{"date": day, "entries": []body{
			{"accountCode": "2710", "debit": "1.00"}, {"accountCode": "3011", "credit": "0.99"},
		}}, c},
		"UnknownAccount": {http.StatusUnprocessableEntity, postEntry, body{"date": day, "entries": []body{
			{"accountCode": "2710", "debit": "1.00"}, {"accountCode": "9999", "credit": "1.00"},
		}}, c},
		"UnknownEntry":  {http.StatusNotFound, reverseEntry, body{"id": tenant.NewID().String()}, c},
		"IssuedTwice":   {http.StatusConflict, issueSale, body{"id": sold.ID}, c},
		"DeleteIssued":  {http.StatusConflict, "/v1/sales/invoices/delete", body{"id": sold.ID}, c},
		"Malformed":     {http.StatusBadRequest, postEntry, `{"date":`, c},
		"DoubledMember": {http.StatusBadRequest, postEntry, `{"date":"2026-02-10","date":"2026-02-11"}`, c},
		"NoToken":       {http.StatusUnauthorized, postEntry, entry("1.00"), c.As("")},
		"Viewer":        {http.StatusForbidden, postEntry, entry("1.00"), c.As(roleToken(t, company, tenant.RoleViewer))},
	}
	before, booked := company.RowCounts(t), balances(t, c)
	require.Equal(t, "500.00", booked["2710"])
	for name, r := range refusals {
		for i := range 3 {
			a := r.as.Post(t, r.path, r.request, process.Key(fmt.Sprint(name, i)))
			require.Equal(t, r.status, a.Status, "%s: %s", name, a.Body)
		}
		require.Equal(t, before, company.RowCounts(t), name)
		require.Equal(t, booked, balances(t, c), name)
	}
}

func journalOf(t *testing.T, c *process.Client, sale string) string {
	t.Helper()
	var d struct {
		JournalTransactionID string `json:"journalTransactionId"`
	}
	c.OK(t, "/v1/sales/invoices/get", body{"id": sale}, &d)
	require.NotEmpty(t, d.JournalTransactionID)
	return d.JournalTransactionID
}

func roleToken(t *testing.T, company *testkit.Company, role tenant.Role) string {
	t.Helper()
	return process.Token(t, tenant.Grant{Company: company.Scope.Company().ID, Role: role})
}
