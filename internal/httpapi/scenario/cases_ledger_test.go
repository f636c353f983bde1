package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestBooksUnderRivals has the faults of the area ledger in public reports, on two engines.
func TestBooksUnderRivals(t *testing.T) {
	t.Parallel()
	runCases(t, map[string]func(*testing.T, *world){
		"OfTwoRivalsOneWins":                  rivals,
		"CreditsAtOnceNeverExceedTheInvoice":  creditsAtOnce,
		"SettlementsAtOnceNeverExceedTheItem": advancesAtOnce,
		"PostingsAtOnceAddUp":                 postingsAtOnce,
		"WhatWasTakenBackIsCreatedAgain":      createdAgain,
		"NoWayLeadsIntoALockedMonth":          lockedMonth,
		"LockWinsOrLosesAgainstPostings":      lockAgainstPostings,
		"EveryLineIsReversed":                 reversedLines,
	})
}

// rival is one of two requests that exclude each other.
type rival struct {
	path    string
	request body
}

// pairs prepare an object and two requests of which one may succeed.
func pairs(group string) map[string]func(t *testing.T, c *process.Client, partner string, round int) [2]rival {
	twice := func(path string, request body) [2]rival { return [2]rival{{path, request}, {path, request}} }
	bought := func(t *testing.T, c *process.Client, partner string, round int) string {
		t.Helper()
		return c.OK(t, newPurchase, supplierInvoice(partner, fmt.Sprint("R-", round+1), "10.00"), nil).ID(t)
	}
	credit := func(t *testing.T, c *process.Client, partner, sold string) rival {
		t.Helper()
		return rival{issueSale, body{"id": draftSale(t, c, partner, "10.00", body{"type": "credit_note", "creditedInvoiceId": sold})}}
	}
	return map[string]func(t *testing.T, c *process.Client, partner string, round int) [2]rival{
		"IssueAndIssue": func(t *testing.T, c *process.Client, partner string, _ int) [2]rival {
			return twice(issueSale, body{"id": draftSale(t, c, partner, "10.00", nil)})
		},
		"IssueAndDelete": func(t *testing.T, c *process.Client, partner string, _ int) [2]rival {
			id := draftSale(t, c, partner, "10.00", nil)
			return [2]rival{{issueSale, body{"id": id}}, {"/v1/sales/invoices/delete", body{"id": id}}}
		},
		"CancelAndCancel": func(t *testing.T, c *process.Client, partner string, _ int) [2]rival {
			return twice(cancelSale, body{"id": issuedSale(t, c, partner, "10.00", nil).ID, "reason": "x"})
		},
		"CancelAndCredit": func(t *testing.T, c *process.Client, partner string, _ int) [2]rival {
			sold := issuedSale(t, c, partner, "10.00", nil).ID
			return [2]rival{{cancelSale, body{"id": sold, "reason": "x"}}, credit(t, c, partner, sold)}
		},
		"CreditAndCredit": func(t *testing.T, c *process.Client, partner string, _ int) [2]rival {
			sold := issuedSale(t, c, partner, "10.00", nil).ID
			return [2]rival{credit(t, c, partner, sold), credit(t, c, partner, sold)}
		},
		"ApplyAndCreditTheAdvance": func(t *testing.T, c *process.Client, partner string, _ int) [2]rival {
			advance := issuedSale(t, c, partner, "10.00", body{"type": "advance"}).ID
			sold := issuedSale(t, c, partner, "10.00", nil).ID
			return [2]rival{
				{"/v1/sales/invoices/apply-advance", body{"advanceId": advance, "invoiceId": sold, "date": day}}, credit(t, c, partner, advance),
			}
		},
		"RegisterAndRegister": func(t *testing.T, c *process.Client, partner string, round int) [2]rival {
			return twice("/v1/purchases/invoices/register", body{"id": bought(t, c, partner, round), "registrationDate": day})
		},
		"RegisterAndDelete": func(t *testing.T, c *process.Client, partner string, round int) [2]rival {
			id := bought(t, c, partner, 100+round)
			return [2]rival{
				{"/v1/purchases/invoices/register", body{"id": id, "registrationDate": day}}, {"/v1/purchases/invoices/delete", body{"id": id}},
			}
		},
		"ReverseAndReverse": func(t *testing.T, c *process.Client, _ string, _ int) [2]rival {
			return twice(reverseEntry, body{"id": c.OK(t, postEntry, entry("10.00"), nil).ID(t)})
		},
		"DisposeAndDispose": func(t *testing.T, c *process.Client, _ string, round int) [2]rival {
			id := c.OK(t, "/v1/assets/assets/create", body{
				"groupId": group, "code": fmt.Sprint("A", round), "name": "x", "acquisitionDate": day, "acquisitionCost": "100.00",
			}, nil).ID(t)
			return twice("/v1/assets/assets/dispose", body{"id": id, "date": day, "reason": "x"})
		},
		"LastPartnerOrDocument": func(t *testing.T, c *process.Client, _ string, round int) [2]rival {
			id := newBuyer(t, c, fmt.Sprint("Buyer ", round))
			return [2]rival{{"/v1/partners/delete", body{"id": id}}, {newSale, sale(id, "10.00", nil)}}
		},
	}
}

func newAssetGroup(t *testing.T, c *process.Client) string {
	t.Helper()
	return c.OK(t, "/v1/assets/groups/create", body{
		"code": "G", "name": "x", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
	}, nil).ID(t)
}

// B-090, B-104 to B-108: two requests that exclude each other, with a key each, at once: one wins, the other is refused with a
// 4xx, and books and events have one effect.
func rivals(t *testing.T, w *world) {
	c, company := w.company(t)
	partner := newBuyer(t, c, "Both")
	for name, prepare := range pairs(newAssetGroup(t, c)) {
		for round := range 4 {
			pair := prepare(t, c, partner, round)
			before := company.RowCounts(t)
			answers := together(2, func(i int) process.Answer {
				return c.Post(t, pair[i].path, pair[i].request, process.Key(fmt.Sprint(name, round, i)))
			})
			after := company.RowCounts(t)
			require.Equal(t, 1, statuses(answers)[http.StatusOK], "%s: %s and %s", name, answers[0].Body, answers[1].Body)
			for i, a := range answers {
				require.Less(t, a.Status, http.StatusInternalServerError, "%s: %s", name, a.Body)
				if a.Status != http.StatusOK { // late, the loser is refused all the same
					late := c.Post(t, pair[i].path, pair[i].request, process.Key(fmt.Sprint(name, round, "late")))
					require.Equal(t, a.Status, late.Status, "%s: %s, before %s", name, late.Body, a.Body)
				}
			}
			require.LessOrEqual(t, after["journal_transactions"]-before["journal_transactions"], int64(1), name)
			require.LessOrEqual(t, after["outbox_events"]-before["outbox_events"], int64(1), name)
			require.Equal(t, after, company.RowCounts(t), name)
		}
	}
}

// B-098, B-200: six credits of 1000 against 5000, all at once: five pass, and nothing is credited that is not there.
func creditsAtOnce(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	sold := issuedSale(t, c, partner, "5000.00", nil)
	drafts := make([]string, 6)
	for i := range drafts {
		drafts[i] = draftSale(t, c, partner, "1000.00", body{"type": "credit_note", "creditedInvoiceId": sold.ID})
	}
	answers := together(len(drafts), func(i int) process.Answer {
		return c.Post(t, issueSale, body{"id": drafts[i]}, process.Key(fmt.Sprint("K", i)))
	})
	require.Equal(t, map[int]int{http.StatusOK: 5, http.StatusConflict: 1}, statuses(answers))
	require.Equal(t, "0.00", owed(t, c, sold.ID))
	require.Equal(t, "0.00", balances(t, c)["2410"])
	cent := draftOrRefusal(t, c, sale(partner, "0.01", body{"type": "credit_note", "creditedInvoiceId": sold.ID}))
	cent.RequireRefused(t, http.StatusConflict, "invoice.over_credited")
}

// draftOrRefusal drafts and issues a document, and gives the refusal of either.
func draftOrRefusal(t *testing.T, c *process.Client, request body) process.Answer {
	t.Helper()
	a := c.Post(t, newSale, request)
	if a.Status == http.StatusOK {
		a = c.Post(t, issueSale, body{"id": a.ID(t)})
	}
	return a
}

// B-100: ten advances, each enough for the whole invoice, are applied at once: one settles it.
func advancesAtOnce(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	sold := issuedSale(t, c, partner, "100.00", nil)
	advances := make([]string, 10)
	for i := range advances {
		advances[i] = issuedSale(t, c, partner, "100.00", body{"type": "advance"}).ID
	}
	answers := together(len(advances), func(i int) process.Answer {
		request := body{"advanceId": advances[i], "invoiceId": sold.ID, "date": day}
		return c.Post(t, "/v1/sales/invoices/apply-advance", request, process.Key(fmt.Sprint("K", i)))
	})
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: 9}, statuses(answers))
	for _, a := range answers {
		if a.Status == http.StatusConflict {
			a.RequireRefused(t, http.StatusConflict, "invoice.advance_exceeds_open")
		}
	}
	require.Equal(t, "0.00", owed(t, c, sold.ID))
}

// B-114: a thousand postings of many callers: each is in the journal, and the account is their sum.
func postingsAtOnce(t *testing.T, w *world) {
	c, _ := w.company(t)
	const postings = 1000
	spread(postings, 10, func(i int) {
		a := c.Post(t, postEntry, entry("0.07"), process.Key(fmt.Sprint("K", i)))
		require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	})
	require.Equal(t, postings, total(t, c, listEntries))
	closing := balances(t, c)
	require.Equal(t, "70.00", closing["2710"])
	require.Equal(t, "-70.00", closing["3011"])
}

// B-116: what was deleted or reversed is made again, never with a 500.
func createdAgain(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Both")
	for name, step := range map[string]struct {
		create   string
		request  body
		takeBack string
	}{
		"Entry":     {postEntry, entry("10.00"), reverseEntry},
		"Partner":   {createPartner, body{"name": "UAB Pirmas", "vatCode": "LT999000010116", "code": "900000219"}, "/v1/partners/delete"},
		"Purchase":  {newPurchase, supplierInvoice(partner, "A-17", "10.00"), "/v1/purchases/invoices/delete"},
		"SaleDraft": {newSale, sale(partner, "10.00", nil), "/v1/sales/invoices/delete"},
	} {
		for round := range 3 {
			a := c.Post(t, step.create, step.request, process.Key(fmt.Sprint(name, round)))
			requireRan(t, a)
			c.OK(t, step.takeBack, body{"id": a.ID(t)}, nil)
			requireReplayed(t, a, c.Post(t, step.create, step.request, process.Key(fmt.Sprint(name, round))))
		}
	}
	require.Equal(t, "0.00", balances(t, c)["2710"])
}

// B-092: reversals of few and many lines leave nothing on any account.
func reversedLines(t *testing.T, w *world) {
	c, _ := w.company(t)
	for _, lines := range []int{2, 3, 7, 500} {
		entries := []body{{"accountCode": "2710", "credit": fmt.Sprintf("%d.00", lines-1)}}
		for i := range lines - 1 {
			entries = append(entries, body{"accountCode": []string{"6300", "6301", "6302"}[i%3], "debit": "1.00"})
		}
		posted := c.OK(t, postEntry, body{"date": day, "entries": entries}, nil).ID(t)
		mirror := c.OK(t, reverseEntry, body{"id": posted}, nil).ID(t)
		sides := func(id string) (debits, credits []string) {
			var shown struct {
				Entries []struct{ AccountCode, Debit, Credit string } `json:"entries"`
			}
			c.OK(t, getEntry, body{"id": id}, &shown)
			for _, e := range shown.Entries {
				debits, credits = append(debits, e.AccountCode+e.Debit), append(credits, e.AccountCode+e.Credit)
			}
			return debits, credits
		}
		debits, credits := sides(posted)
		mirrorDebits, mirrorCredits := sides(mirror)
		require.Len(t, debits, lines)
		require.Equal(t, debits, mirrorCredits)
		require.Equal(t, credits, mirrorDebits)
		for account, closing := range balances(t, c) {
			require.Equal(t, "0.00", closing, account)
		}
	}
}

// B-134, B-136: every operation that posts looks whether the month is open, whatever way it came.
func lockedMonth(t *testing.T, w *world) {
	c, company := w.company(t)
	partner := newBuyer(t, c, "Both")
	const january = "2026-01-15"
	in := func(more body) body {
		b := body{"issueDate": january}
		maps.Copy(b, more)
		return b
	}
	posted := c.OK(t, postEntry, body{"date": january, "entries": entry("10.00")["entries"]}, nil).ID(t)
	sold := issuedSale(t, c, partner, "100.00", in(nil)).ID
	credit := draftSale(t, c, partner, "10.00", in(body{"type": "credit_note", "creditedInvoiceId": sold}))
	advance := issuedSale(t, c, partner, "10.00", in(body{"type": "advance"})).ID
	bill := supplierInvoice(partner, "A-1", "10.00")
	bill["documentDate"] = january
	bought := c.OK(t, newPurchase, bill, nil).ID(t)
	asset := c.OK(t, "/v1/assets/assets/create", body{
		"groupId": newAssetGroup(t, c), "code": "A", "name": "x", "acquisitionDate": "2025-12-15", "acquisitionCost": "3600.00",
	}, nil).ID(t)
	requests := map[string]rival{
		"Entry":        {postEntry, body{"date": january, "entries": entry("10.00")["entries"]}},
		"Reversal":     {reverseEntry, body{"id": posted, "date": january}},
		"Draft":        {issueSale, body{"id": draftSale(t, c, partner, "10.00", in(nil))}},
		"DatedAtIssue": {issueSale, body{"id": draftSale(t, c, partner, "10.00", nil), "issueDate": january}},
		"Credit":       {issueSale, body{"id": credit}},
		"AdvanceDraft": {issueSale, body{"id": draftSale(t, c, partner, "10.00", in(body{"type": "advance"}))}},
		"Cancel":       {cancelSale, body{"id": sold, "reason": "x"}},
		"Advance":      {"/v1/sales/invoices/apply-advance", body{"advanceId": advance, "invoiceId": sold, "date": january}},
		"Registration": {"/v1/purchases/invoices/register", body{"id": bought, "registrationDate": january}},
		"Depreciation": {"/v1/assets/depreciation/post", body{"year": 2026, "month": 1}},
		"Disposal":     {"/v1/assets/assets/dispose", body{"id": asset, "date": january, "reason": "x"}},
	}
	c.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 1}, nil)
	before, booked := company.RowCounts(t), balances(t, c)
	for name, r := range requests {
		a := c.Post(t, r.path, r.request, process.Key(name))
		require.Equal(t, http.StatusConflict, a.Status, "%s: %s", name, a.Body)
		require.Equal(t, before, company.RowCounts(t), name)
	}
	require.Equal(t, booked, balances(t, c))
	c.OK(t, "/v1/ledger/periods/unlock", body{"year": 2026, "month": 1, "reason": "the cases"}, nil)
	for _, name := range []string{"Entry", "Reversal", "Draft", "Credit", "Registration", "Depreciation"} {
		c.OK(t, requests[name].path, requests[name].request, nil, process.Key(name))
	}
}

// B-136 under load: what was answered with success is in the month, and after the lock nothing comes into it.
func lockAgainstPostings(t *testing.T, w *world) {
	c, _ := w.company(t)
	const callers = 20
	answers := together(callers+1, func(i int) process.Answer {
		if i == callers/2 {
			return c.Post(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 2})
		}
		return c.Post(t, postEntry, entry("1.00"), process.Key(fmt.Sprint("K", i)))
	})
	posted := 0
	for i, a := range answers {
		switch {
		case i == callers/2:
			require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
		case a.Status == http.StatusOK:
			posted++
		default:
			a.RequireRefused(t, http.StatusConflict, "ledger.period_locked")
		}
	}
	require.Equal(t, posted, total(t, c, listEntries))
	c.Post(t, postEntry, entry("1.00")).RequireRefused(t, http.StatusConflict, "ledger.period_locked")
}
