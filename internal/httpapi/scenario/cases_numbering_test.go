package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestNumbersOfDocuments has the faults of the area numbering in public reports, on two engines.
func TestNumbersOfDocuments(t *testing.T) {
	t.Parallel()
	runCases(t, map[string]func(*testing.T, *world){
		"DraftsHaveNoNumber":             draftsHaveNoNumber,
		"NumbersGrowByOne":               numbersGrowByOne,
		"AnIssuedNumberNeverGoesAway":    numberStays,
		"EachNumberIsOfItsOwnCustomer":   numbersAndCustomers,
		"OneDraftIsIssuedOnce":           oneDraftOneNumber,
		"SameMomentDoesNotMeanOneNumber": firstDocumentsOfAYear,
	})
}

// numbered is what the API shows of a document's number.
type numbered struct {
	ID         string `json:"id"`
	PartnerID  string `json:"partnerId"`
	Status     string `json:"status"`
	Number     *int   `json:"number"`
	FullNumber string `json:"fullNumber"`
	NetTotal   string `json:"netTotal"`
	Lines      []any  `json:"lines"`
}

func getSale(t *testing.T, c *process.Client, id string) numbered {
	t.Helper()
	var d numbered
	c.OK(t, "/v1/sales/invoices/get", body{"id": id}, &d)
	return d
}

// kinds are the documents with numbers of their own; make gives a draft of each.
var kinds = map[string]func(t *testing.T, c *process.Client, partner string) string{
	"invoice": func(t *testing.T, c *process.Client, partner string) string {
		return draftSale(t, c, partner, "10.00", nil)
	},
	"advance": func(t *testing.T, c *process.Client, partner string) string {
		return draftSale(t, c, partner, "10.00", body{"type": "advance"})
	},
	"proforma": func(t *testing.T, c *process.Client, partner string) string {
		return draftSale(t, c, partner, "10.00", body{"type": "proforma"})
	},
	"credit_note": func(t *testing.T, c *process.Client, partner string) string {
		sold := issuedSale(t, c, partner, "10.00", nil)
		return draftSale(t, c, partner, "4.00", body{"type": "credit_note", "creditedInvoiceId": sold.ID})
	},
}

// B-056: a number is taken when a document is issued, not when it is drafted.
func draftsHaveNoNumber(t *testing.T, w *world) {
	for kind, draft := range kinds {
		c, _ := w.company(t)
		partner := newBuyer(t, c, "Buyer")
		first, second := draft(t, c, partner), draft(t, c, partner)
		for _, id := range []string{first, second} {
			d := getSale(t, c, id)
			require.Nil(t, d.Number, kind)
			require.Empty(t, d.FullNumber, kind)
		}
		c.OK(t, "/v1/sales/invoices/delete", body{"id": first}, nil)
		c.OK(t, issueSale, body{"id": second}, nil)
		require.Equal(t, 1, *getSale(t, c, second).Number, kind)
	}
}

// B-066, B-078: replays, refusals and cancellations take no number.
func numbersGrowByOne(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	c.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 1}, nil)
	for want := 1; want <= 8; want++ {
		locked := draftSale(t, c, partner, "10.00", body{"issueDate": "2026-01-10"})
		c.Post(t, issueSale, body{"id": locked}, process.Key(fmt.Sprint("locked ", want))).RequireRefused(t, http.StatusConflict, "ledger.period_locked")
		id := draftSale(t, c, partner, "10.00", nil)
		c.Post(t, issueSale, body{"id": id, "series": "NONE"}).RequireRefused(t, http.StatusUnprocessableEntity, "numbering.unknown_series")
		key := process.Key(fmt.Sprint("issue ", want))
		first := c.Post(t, issueSale, body{"id": id}, key)
		requireRan(t, first)
		requireReplayed(t, first, c.Post(t, issueSale, body{"id": id}, key))
		require.Equal(t, want, *getSale(t, c, id).Number)
		if want%2 == 0 {
			c.OK(t, cancelSale, body{"id": id, "reason": "wrong customer"}, nil)
		}
	}
}

// B-068, B-074: an issued document is neither changed nor deleted, and every number ever given is found.
func numberStays(t *testing.T, w *world) {
	c, company := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	sold := issuedSale(t, c, partner, "10.00", nil)
	before := company.RowCounts(t)
	c.Post(t, "/v1/sales/invoices/delete", body{"id": sold.ID}).RequireRefused(t, http.StatusConflict, "invoice.issued")
	c.Post(t, "/v1/sales/invoices/update", body{"id": sold.ID, "notes": "x"}).RequireRefused(t, http.StatusConflict, "invoice.issued")
	c.Post(t, "/v1/sales/invoices/update", body{"id": sold.ID, "status": "draft"}).RequireRefused(t, http.StatusBadRequest, "validation")
	require.Equal(t, before, company.RowCounts(t))
	c.OK(t, cancelSale, body{"id": sold.ID, "reason": "wrong customer"}, nil)
	next := issuedSale(t, c, partner, "10.00", nil)
	require.NotEqual(t, sold.FullNumber, next.FullNumber)
	for _, d := range []document{sold, next} {
		require.Equal(t, 1, total(t, c, listSales, where("fullNumber", d.FullNumber)))
		require.Equal(t, d.FullNumber, getSale(t, c, d.ID).FullNumber)
	}
	bought := c.OK(t, newPurchase, supplierInvoice(partner, "A-1", "10.00"), nil).ID(t)
	c.OK(t, "/v1/purchases/invoices/register", body{"id": bought, "registrationDate": day}, nil)
	c.Post(t, "/v1/purchases/invoices/delete", body{"id": bought}).RequireRefused(t, http.StatusConflict, "purchase.registered")
	c.Post(t, "/v1/purchases/invoices/update", body{"id": bought, "documentNumber": "A-2"}).RequireRefused(t, http.StatusConflict, "purchase.registered")
}

// B-060: documents of two customers issued at once: no number twice, and behind each number its own customer.
func numbersAndCustomers(t *testing.T, w *world) {
	for kind, draft := range kinds {
		c, _ := w.company(t)
		customers := []string{newBuyer(t, c, "X"), newBuyer(t, c, "Y")}
		const documents = 20
		drafts := make([]string, documents)
		for i := range drafts {
			drafts[i] = draft(t, c, customers[i%2])
		}
		numbers := map[string]string{}
		for i, a := range together(documents, func(i int) process.Answer { return c.Post(t, issueSale, body{"id": drafts[i]}) }) {
			requireRan(t, a)
			var d numbered
			a.Read(t, &d)
			require.Equal(t, customers[i%2], d.PartnerID, kind)
			require.NotContains(t, numbers, d.FullNumber, kind)
			numbers[d.FullNumber] = d.PartnerID
		}
		for number, customer := range numbers {
			var page struct {
				Rows []numbered `json:"rows"`
			}
			c.OK(t, listSales, body{"filter": []body{where("fullNumber", number)}}, &page)
			require.Len(t, page.Rows, 1, kind)
			require.Equal(t, customer, page.Rows[0].PartnerID, kind)
		}
	}
}

// B-080: a draft sent twice, with two keys, is one document with lines and one number.
func oneDraftOneNumber(t *testing.T, w *world) {
	for kind, draft := range kinds {
		c, _ := w.company(t)
		id := draft(t, c, newBuyer(t, c, "Buyer"))
		answers := together(6, func(i int) process.Answer {
			return c.Post(t, issueSale, body{"id": id}, process.Key(fmt.Sprint(kind, i)))
		})
		require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 5}, statuses(answers), kind)
		for _, a := range answers {
			if a.Status == http.StatusConflict {
				require.Equal(t, id, a.RequireRefused(t, http.StatusConflict, "invoice.already_issued").Details["existingId"])
			}
		}
		d := getSale(t, c, id)
		require.Equal(t, 1, *d.Number, kind)
		require.NotEmpty(t, d.Lines, kind)
	}
}

// B-076: the first documents of a year, all at one moment, make one series and as many numbers.
func firstDocumentsOfAYear(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	for _, year := range []string{"2024", "2025", "2026"} {
		const documents = 12
		drafts := make([]string, documents)
		for i := range drafts {
			drafts[i] = draftSale(t, c, partner, "10.00", body{"issueDate": year + "-01-31"})
		}
		var numbers []int
		for _, a := range together(documents, func(i int) process.Answer { return c.Post(t, issueSale, body{"id": drafts[i]}) }) {
			requireRan(t, a)
			var d numbered
			a.Read(t, &d)
			numbers = append(numbers, *d.Number)
		}
		slices.Sort(numbers)
		want := make([]int, documents)
		for i := range want {
			want[i] = i + 1
		}
		require.Equal(t, want, numbers)
	}
	require.Equal(t, 3, total(t, c, "/v1/reference/series/list"))
}

// TestKilledServersLeaveNoGap is B-070: servers die under load, clients send again with the same key, and the numbers are 1 to n.
func TestKilledServersLeaveNoGap(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		const rounds, callers = 4, 6
		server := process.Start(t, e)
		c, _ := server.Company(t, e)
		b := &batch{t: t, partner: newBuyer(t, c, "Buyer"), numbers: map[string]int{}}
		for round := range rounds {
			wish := []string{"kill-before-commit", "kill-after-commit"}[round%2]
			if round == rounds-1 {
				wish = "none" // everything that is left arrives
			}
			b.send(c, callers, process.Fault(wish))
			if wish != "none" {
				server.WaitEnd(t)
				server = process.Start(t, e)
				c = c.At(server.URL)
			}
		}
		require.Empty(t, b.pending)
		numbers := slices.Sorted(maps.Values(b.numbers))
		require.Len(t, numbers, rounds*fresh)
		for i, n := range numbers {
			require.Equal(t, i+1, n)
		}
		require.Equal(t, len(numbers), total(t, c, listSales))
		process.RequireVerified(t, e)
	})
}

// fresh is how many new drafts each round of a batch sends.
const fresh = 15

// batch is drafts on their way to a number, some of them for a second time.
type batch struct {
	t       *testing.T
	partner string
	pending []string

	mu      sync.Mutex
	numbers map[string]int
}

// send issues what is pending and as many new drafts, one of which bears the wish for a fault.
func (b *batch) send(c *process.Client, callers int, wish process.Header) {
	for range fresh {
		b.pending = append(b.pending, draftSale(b.t, c, b.partner, "10.00", nil))
	}
	sent := b.pending
	b.pending = nil
	victim := len(sent) - fresh/2 // a new one: a replay would not get to the moment of the fault
	spread(len(sent), callers, func(i int) {
		headers := []process.Header{process.Key("issue " + sent[i])}
		if i == victim {
			headers = append(headers, wish)
		}
		a, err := c.Try(b.t, issueSale, body{"id": sent[i]}, headers...)
		b.mu.Lock()
		defer b.mu.Unlock()
		if err != nil {
			b.pending = append(b.pending, sent[i])
			return
		}
		var d numbered
		a.Read(b.t, &d)
		if assert.NotNil(b.t, d.Number, "%s", a.Body) {
			b.numbers[sent[i]] = *d.Number
		}
	})
}
