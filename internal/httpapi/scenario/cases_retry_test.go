package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// maxTries bounds a sender that keeps to the advice.
const maxTries = 100

// sender sends a request as the SDKs do: whatever comes, it does what retryWith says and nothing else.
type sender struct {
	client  *process.Client
	path    string
	request body
	key     string
	tries   int
	// repair does what the message of a refusal asks for.
	repair func(s *sender, refusal process.Refusal)
}

// follow sends until there is success or nothing more to do.
func (s *sender) follow(t *testing.T) process.Answer {
	t.Helper()
	for range maxTries {
		s.tries++
		a, err := s.client.Try(t, s.path, s.request, process.Key(s.key))
		if err != nil {
			continue // a lost connection says nothing, so the same key
		}
		if a.Status == http.StatusOK {
			return a
		}
		refusal := a.Refusal(t)
		switch refusal.RetryWith {
		case "never":
			return a
		case "new_key":
			s.key += "'"
		default:
			require.Equal(t, "same_key", refusal.RetryWith)
		}
		if s.repair != nil {
			s.repair(s, refusal)
		}
		time.Sleep(poll)
	}
	t.Fatalf("the advice leads in circles: %s", s.key)
	return process.Answer{}
}

// obstacle is one reason why the first request is refused.
type obstacle struct {
	prepare func(t *testing.T, w *world, s *sender, company *testkit.Company)
	repair  func(t *testing.T, s *sender)
	// effects is how many entries there are in the end, prepared ones included; one more than prepared unless the advice is
	// never to send it again.
	effects int
	keys    int // that the sender used
}

// TestFollowingTheAdvice is B-034 for every kind of refusal that a client can provoke (R62): following retryWith ends, and has
// one effect at most.
func TestFollowingTheAdvice(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *world){"NumbersOfAHeldSeries": heldSeries}
	for name, o := range obstacles() {
		cases[name] = func(t *testing.T, w *world) {
			c, company := w.company(t)
			s := &sender{client: c, path: postEntry, request: entry("10.00"), key: "K"}
			if o.repair != nil {
				s.repair = func(s *sender, _ process.Refusal) { o.repair(t, s) }
			}
			if o.prepare != nil {
				o.prepare(t, w, s, company)
			}
			s.follow(t)
			require.Positive(t, s.tries)
			require.Equal(t, o.effects, total(t, c, listEntries))
			require.Equal(t, o.keys, strings.Count(s.key, "'")+1)
			before := company.RowCounts(t)
			s.follow(t)
			require.Equal(t, before, company.RowCounts(t), "whoever follows once more does nothing more")
		}
	}
	runCases(t, cases)
}

func obstacles() map[string]obstacle {
	lock := func(t *testing.T, _ *world, s *sender, _ *testkit.Company) {
		s.client.OK(t, "/v1/ledger/periods/lock", body{"year": 2026, "month": 2}, nil)
	}
	unlock := func(t *testing.T, s *sender) {
		s.client.OK(t, "/v1/ledger/periods/unlock", body{"year": 2026, "month": 2, "reason": "x"}, nil)
	}
	request := func(b body) func(*testing.T, *world, *sender, *testkit.Company) {
		return func(_ *testing.T, _ *world, s *sender, _ *testkit.Company) { s.request = b }
	}
	good := func(_ *testing.T, s *sender) { s.request = entry("10.00") }
	return map[string]obstacle{
		"None":          {effects: 1, keys: 1},
		"TwinStillRuns": {prepare: twinRuns, effects: 1, keys: 1},
		"OtherRequestUnderTheKey": {prepare: func(t *testing.T, _ *world, s *sender, _ *testkit.Company) {
			s.client.OK(t, postEntry, entry("99.00"), nil, process.Key("K"))
		}, effects: 1, keys: 1},
		"LockedMonth":   {prepare: lock, repair: unlock, effects: 1, keys: 1},
		"MissingMember": {prepare: request(body{"date": day}), repair: good, effects: 1, keys: 1},
		"UnknownMember": {prepare: request(body{"date": day, "entries": entry("10.00")["entries"], "x": 1}), repair: good, effects: 1, keys: 1},
		"Unbalanced": {prepare: request(body{"date": day, "entries": []body{
			{"accountCode": "2710", "debit": "1.00"}, {"accountCode": "3011", "credit": "2.00"},
		}}), repair: good, effects: 1, keys: 2},
		"UnknownAccount": {prepare: request(body{"date": day, "entries": []body{
			{"accountCode": "2710", "debit": "1.00"}, {"accountCode": "9777", "credit": "1.00"},
		}}), repair: func(t *testing.T, s *sender) {
			s.client.OK(t, "/v1/ledger/accounts/create", body{"code": "9777", "name": "x", "type": "asset"}, nil)
		}, effects: 1, keys: 2},
		"KeyTooLong": {
			prepare: func(_ *testing.T, _ *world, s *sender, _ *testkit.Company) { s.key = strings.Repeat("k", 300) },
			repair:  func(_ *testing.T, s *sender) { s.key = "K" + strings.TrimLeft(s.key, "k") }, effects: 1, keys: 2,
		},
		"Token": {prepare: func(_ *testing.T, _ *world, s *sender, _ *testkit.Company) {
			valid := s.client
			s.client = valid.As("expired")
			s.repair = func(s *sender, _ process.Refusal) { s.client = valid }
		}, effects: 1, keys: 1},
		"Role": {prepare: func(t *testing.T, _ *world, s *sender, company *testkit.Company) {
			s.client = s.client.As(roleToken(t, company, tenant.RoleViewer))
		}, effects: 0, keys: 1},
		"TooLarge": {prepare: request(body{"date": day, "description": strings.Repeat("x", 2<<20)}), effects: 0, keys: 1},
		"AlreadyReversed": {prepare: func(t *testing.T, _ *world, s *sender, _ *testkit.Company) {
			id := s.client.OK(t, postEntry, entry("10.00"), nil).ID(t)
			s.client.OK(t, reverseEntry, body{"id": id}, nil)
			s.path, s.request = reverseEntry, body{"id": id}
		}, effects: 2, keys: 1},
		"SupplierNumber": {prepare: func(t *testing.T, _ *world, s *sender, _ *testkit.Company) {
			s.path, s.request = newPurchase, supplierInvoice(newBuyer(t, s.client, "Supplier"), "A-1", "10.00")
			s.client.OK(t, newPurchase, s.request, nil)
		}, effects: 0, keys: 1},
	}
}

func twinRuns(t *testing.T, _ *world, s *sender, _ *testkit.Company) {
	held(t, s.client, s.path, maps.Clone(s.request), s.key, hold)
}

// B-072: the series is held by a slow document; the others wait or are sent to wait, and all get their numbers.
func heldSeries(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	issuedSale(t, c, partner, "10.00", nil)
	slow := held(t, c, issueSale, body{"id": draftSale(t, c, partner, "10.00", nil)}, "slow", hold)
	drafts := make([]string, 5)
	for i := range drafts {
		drafts[i] = draftSale(t, c, partner, "10.00", nil)
	}
	answers := together(len(drafts), func(i int) process.Answer {
		s := &sender{client: c, path: issueSale, request: body{"id": drafts[i]}, key: fmt.Sprint("K", i)}
		return s.follow(t)
	})
	require.Equal(t, map[int]int{http.StatusOK: len(drafts)}, statuses(answers))
	require.Equal(t, http.StatusOK, (<-slow).Status)
	for number := 1; number <= len(drafts)+2; number++ {
		require.Equal(t, 1, total(t, c, listSales, where("number", number)))
	}
}

// TestRateLimitLosesNothing sends faster than the company may: 429 keeps no key, replays are free, and each request has its
// effect.
func TestRateLimitLosesNothing(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e, "VIENKART_RATE_LIMIT=8")
	c, _ := server.Company(t, e)
	const requests = 30
	limited := 0
	for _, a := range together(requests, func(i int) process.Answer {
		return c.Post(t, postEntry, entry("1.00"), process.Key(fmt.Sprint("K", i)))
	}) {
		if a.Status != http.StatusOK {
			a.RequireRefused(t, http.StatusTooManyRequests, "rate_limited")
			require.NotEmpty(t, a.Header.Get("Retry-After"))
			limited++
		}
	}
	require.Positive(t, limited, "the limit is never reached")
	for i := range requests {
		s := &sender{client: c, path: postEntry, request: entry("1.00"), key: fmt.Sprint("K", i)}
		s.repair = func(*sender, process.Refusal) { time.Sleep(10 * poll) }
		s.follow(t)
	}
	s := &sender{client: c, path: listEntries, request: body{"pageSize": 1}, key: "K"}
	require.Contains(t, string(s.follow(t).Body), fmt.Sprintf(`"total":%d`, requests))
	process.RequireVerified(t, e)
}
