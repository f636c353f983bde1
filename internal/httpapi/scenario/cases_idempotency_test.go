package scenario_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestRequestsUnderAKey has the faults of the area idempotency in public reports, on two engines.
func TestRequestsUnderAKey(t *testing.T) {
	t.Parallel()
	runCases(t, map[string]func(*testing.T, *world){
		"ClientThatHangsUpFindsTheAnswer":        clientHangsUp,
		"ValidationRefusalLeavesTheKeyFree":      validationLeavesKey,
		"BusinessRefusalKeepsTheKeyForItself":    businessRefusalKeepsKey,
		"SameBodyUnderTwoKeysRunsTwice":          sameBodyTwoKeys,
		"ReplayShowsTheFirstAnswer":              replayAfterChange,
		"MissingKeyIsNotInvented":                missingKey,
		"EachStateOfAKeyHasItsOwnAnswer":         statesOfAKey,
		"PartialCreditIsBookedOnce":              partialCredit,
		"EveryAcceptedRequestIsFound":            acceptedIsFound,
		"DuplicateUnderAnotherKeyIsAConflict":    duplicatesUnderOtherKeys,
		"RefusedDuplicatesAreRecorded":           refusalsAreRecorded,
		"RefusedWhileTheFirstRunsIsRecorded":     refusalsWhileRunning,
		"RecordOfARefusalSurvivesManyAtOnce":     manyRefusals,
		"ARefusalLeavesTheBooksAsTheyWere":       refusalLeavesBooks,
		"ATooLargeBodyIsRefusedBeforeTheKey":     tooLargeBody,
		"RefusedReversalUnderTheKeyOfItsPosting": reverseUnderKeyOfPosting,
	})
}

// patience is when the client of a case gives up, well before hold lets the server commit.
const (
	patience = 150 * time.Millisecond
	hold     = 600 * time.Millisecond
)

// B-008: the client closes its connection while the work runs; the work is stored and not repeated.
func clientHangsUp(t *testing.T, w *world) {
	c, _ := w.company(t)
	for name, step := range map[string]struct {
		path    string
		request body
	}{
		"Entry":    {postEntry, entry("10.00")},
		"Purchase": {newPurchase, supplierInvoice(newBuyer(t, c, "Supplier"), "A-1", "10.00")},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		status, err := rawPost(ctx, t, c, step.path, step.request, "Idempotency-Key: "+name, fmt.Sprint("Vienkart-Fault: hold-before-commit=", hold))
		cancel()
		require.Error(t, err, "the client gave up, status %d", status)
		early := c.Post(t, step.path, step.request, process.Key(name))
		early.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
		var first process.Answer
		await(t, "the request never ends", func() bool {
			first = c.Post(t, step.path, step.request, process.Key(name))
			return first.Status == http.StatusOK
		})
		require.Equal(t, "true", first.Header.Get("Idempotent-Replayed"), "the retry ran again")
	}
	require.Equal(t, 1, total(t, c, listEntries))
	require.Equal(t, 1, total(t, c, "/v1/purchases/invoices/list"))
}

// B-012: a refusal of a field is not kept under the key, nor is it another request's answer.
func validationLeavesKey(t *testing.T, w *world) {
	c, _ := w.company(t)
	supplier := newBuyer(t, c, "Supplier")
	good := supplierInvoice(supplier, "A-1", "10.00")
	for name, fault := range map[string]body{
		"MissingMember": {"documentNumber": nil},
		"MistypedDate":  {"documentDate": "2026-02-30"},
		"UnknownMember": {"invoiceNumber": "A-1"},
		"WrongType":     {"lines": "none"},
		"EmptyList":     {"lines": []body{}},
	} {
		key := process.Key("K " + name)
		bad := body{}
		for member, value := range good {
			bad[member] = value
		}
		for member, value := range fault {
			bad[member] = value
		}
		bad["notes"], good["notes"] = name, name
		good["documentNumber"] = name + " 1"
		c.Post(t, newPurchase, bad, key).RequireRefused(t, http.StatusBadRequest, "validation")
		require.Empty(t, keyState(t, c, "K "+name))
		requireRan(t, c.Post(t, newPurchase, good, key))
	}
}

// The sibling of B-012: a refusal of business keeps the key, for the same request alone (R33).
func businessRefusalKeepsKey(t *testing.T, w *world) {
	c, company := w.company(t)
	c.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 2}, nil)
	before := company.RowCounts(t)
	for range 2 {
		c.Post(t, postEntry, entry("10.00"), process.Key("K1")).RequireRefused(t, http.StatusConflict, "ledger.period_locked")
	}
	c.Post(t, postEntry, entry("20.00"), process.Key("K1")).RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	require.Equal(t, before, company.RowCounts(t))
	c.OK(t, "/v1/ledger/periods/unlock", body{"year": 2026, "month": 2, "reason": "a late bill"}, nil)
	first := c.Post(t, postEntry, entry("10.00"), process.Key("K1"))
	requireRan(t, first)
	requireReplayed(t, first, c.Post(t, postEntry, entry("10.00"), process.Key("K1")))
	require.Equal(t, 1, total(t, c, listEntries))
}

// R31: what became of the document since is for a query to tell.
func replayAfterChange(t *testing.T, w *world) {
	c, _ := w.company(t)
	request := sale(newBuyer(t, c, "Buyer"), "10.00", nil)
	first := c.Post(t, newSale, request, process.Key("K1"))
	requireRan(t, first)
	c.OK(t, issueSale, body{"id": first.ID(t)}, nil)
	require.Equal(t, "issued", getSale(t, c, first.ID(t)).Status)
	requireReplayed(t, first, c.Post(t, newSale, request, process.Key("K1")))
}

// B-016, B-036: two equal requests with two keys are two intentions.
func sameBodyTwoKeys(t *testing.T, w *world) {
	c, _ := w.company(t)
	for i := range 3 {
		requireRan(t, c.Post(t, postEntry, entry("10.00"), process.Key(fmt.Sprint("K", i))))
	}
	require.Equal(t, 3, total(t, c, listEntries))
	require.Equal(t, "30.00", balances(t, c)["2710"])
}

// B-036: without a key nothing is protected, unless the company demands one; the server makes none of its own.
func missingKey(t *testing.T, w *world) {
	c, company := w.company(t)
	for range 2 {
		requireRan(t, c.Post(t, postEntry, entry("10.00")))
	}
	require.Equal(t, 2, total(t, c, listEntries))
	c.OK(t, "/v1/account/companies/update", body{"requireIdempotencyKey": true}, nil)
	before := company.RowCounts(t)
	refusal := c.Post(t, postEntry, entry("10.00")).RequireRefused(t, http.StatusBadRequest, "idempotency.key_required")
	require.Contains(t, refusal.Message, "Idempotency-Key")
	require.Equal(t, before, company.RowCounts(t))
	requireRan(t, c.Post(t, postEntry, entry("10.00"), process.Key("K1")))
}

// B-018: a collision says whether the first request succeeded, failed or runs.
func statesOfAKey(t *testing.T, w *world) {
	c, _ := w.company(t)
	running := held(t, c, postEntry, entry("10.00"), "K1", hold)
	c.Post(t, postEntry, entry("10.00"), process.Key("K1")).RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
	first := <-running
	requireReplayed(t, first, c.Post(t, postEntry, entry("10.00"), process.Key("K1")))
	var found struct {
		State        string `json:"state"`
		ResourceType string `json:"resourceType"`
		ResourceID   string `json:"resourceId"`
		ErrorCode    string `json:"errorCode"`
	}
	c.OK(t, lookUpKey, body{"key": "K1"}, &found)
	require.Equal(t, "done", found.State)
	require.Equal(t, "journal_transaction", found.ResourceType)
	require.Equal(t, first.ID(t), found.ResourceID)

	unbalanced := body{"date": day, "entries": []body{{"accountCode": "2710", "debit": "1"}, {"accountCode": "3011", "credit": "2"}}}
	c.Post(t, postEntry, unbalanced, process.Key("K2")).RequireRefused(t, http.StatusUnprocessableEntity, "ledger.unbalanced")
	c.OK(t, lookUpKey, body{"key": "K2"}, &found)
	require.Equal(t, "failed", found.State)
	require.Equal(t, "ledger.unbalanced", found.ErrorCode)
	c.Post(t, lookUpKey, body{"key": "K3"}).RequireRefused(t, http.StatusNotFound, "not_found")
}

// B-038: the retry of a partial credit is not a second credit.
func partialCredit(t *testing.T, w *world) {
	c, _ := w.company(t)
	sold := issuedSale(t, c, newBuyer(t, c, "Buyer"), "100.00", nil)
	require.Equal(t, "121.00", owed(t, c, sold.ID))
	credit := body{
		"partnerId": partnerOf(t, c, sold.ID), "type": "credit_note", "issueDate": day, "creditedInvoiceId": sold.ID,
		"lines": []body{{"description": "x", "unitPriceExclVat": "40.00"}},
	}
	note := once(t, c, newSale, credit, "draft")
	issued := once(t, c, issueSale, body{"id": note.ID(t)}, "issue")
	requireReplayed(t, issued, c.Post(t, issueSale, body{"id": note.ID(t)}, process.Key("issue")))
	require.Equal(t, "72.60", owed(t, c, sold.ID))
	credit["lines"] = []body{{"description": "x", "unitPriceExclVat": "41.00"}}
	c.Post(t, newSale, credit, process.Key("draft")).RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	require.Equal(t, "72.60", owed(t, c, sold.ID))
}

func partnerOf(t *testing.T, c *process.Client, sale string) string {
	t.Helper()
	var d struct {
		PartnerID string `json:"partnerId"`
	}
	c.OK(t, "/v1/sales/invoices/get", body{"id": sale}, &d)
	return d.PartnerID
}

// B-030: what was answered with success is there, under load too.
func acceptedIsFound(t *testing.T, w *world) {
	c, _ := w.company(t)
	answers := together(50, func(i int) process.Answer {
		return c.Post(t, postEntry, entry("1.00"), process.Key(fmt.Sprint("K", i)))
	})
	ids := map[string]bool{}
	for _, a := range answers {
		requireRan(t, a)
		id := a.ID(t)
		require.False(t, ids[id], "two requests share an entry")
		ids[id] = true
		require.Equal(t, id, c.OK(t, getEntry, body{"id": id}, nil).ID(t))
	}
	require.Equal(t, len(ids), total(t, c, listEntries))
	require.Equal(t, "50.00", balances(t, c)["2710"])
}

// The sibling of R12 in public reports: a body over the limit does not burn its key.
func tooLargeBody(t *testing.T, w *world) {
	c, _ := w.company(t)
	large := entry("10.00")
	large["description"] = strings.Repeat("x", 2<<20)
	refusal := c.Post(t, postEntry, large, process.Key("K1")).RequireRefused(t, http.StatusRequestEntityTooLarge, "body.too_large")
	require.Equal(t, "never", refusal.RetryWith)
	require.Empty(t, keyState(t, c, "K1"))
	requireRan(t, c.Post(t, postEntry, entry("10.00"), process.Key("K1")))
}

// B-032: the key of a posting sent with its reversal is a conflict, and reverses nothing.
func reverseUnderKeyOfPosting(t *testing.T, w *world) {
	c, company := w.company(t)
	id := c.OK(t, postEntry, entry("10.00"), nil, process.Key("K1")).ID(t)
	before := company.RowCounts(t)
	a := c.Post(t, reverseEntry, body{"id": id}, process.Key("K1"))
	refusal := a.RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	require.Contains(t, refusal.Details["differences"], "path")
	require.NotContains(t, string(a.Body), id)
	require.Equal(t, before, company.RowCounts(t))
	require.Equal(t, "10.00", balances(t, c)["2710"])
}
