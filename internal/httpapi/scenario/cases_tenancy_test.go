package scenario_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestCompaniesNeverMeet has the faults of the area tenancy in public reports, on two engines.
func TestCompaniesNeverMeet(t *testing.T) {
	t.Parallel()
	runCases(t, map[string]func(*testing.T, *world){
		"TokenWithoutCompanyReachesNothing":  tokensWithoutCompany,
		"KeysOfManyCompaniesNeverMeet":       keysOfManyCompanies,
		"ObjectsOfAnotherCompanyAreUnknown":  foreignObjects,
		"BusinessNumbersAreFreePerCompany":   numbersPerCompany,
		"ListsShowNothingOfAnotherCompany":   foreignLists,
		"KeyStaysWithTheCompanyNotTheCaller": keyOfTheCompany,
	})
}

// B-014, B-046: a token that names no company is refused by every operation, and no key is kept for "nobody".
func tokensWithoutCompany(t *testing.T, w *world) {
	c, company := w.company(t)
	now := clock.System{}.Now()
	claims := map[string]any{
		"iss": "vienkart", "aud": "vienkart-api", "sub": "someone", "role": "admin", "jti": "1", "exp": now.Add(time.Hour).Unix(),
	}
	forge := func(companyID any, present bool) *process.Client {
		forged := maps.Clone(claims)
		if present {
			forged["company_id"] = companyID
		}
		return c.As(process.Forge(t, forged))
	}
	own := company.Scope.Company().ID.String()
	require.Equal(t, own, forge(own, true).OK(t, "/v1/account/companies/profile", body{}, nil).ID(t), "a forged token works as such")
	for name, caller := range map[string]*process.Client{
		"Missing": forge(nil, false), "Null": forge(nil, true), "Number": forge(0, true), "Empty": forge("", true), "Blank": forge(" ", true),
		"ZeroID": forge(tenant.ID{}.String(), true), "Wildcard": forge("%", true), "List": forge([]string{own}, true),
		"Unknown": forge(tenant.NewID().String(), true), "Nobody": c.As(""),
	} {
		for _, o := range httpapi.Operations() {
			a := caller.Post(t, o.Path, body{}, process.Key("of nobody"))
			require.NotContains(t, string(a.Body), "rows")
			if !o.IsOpen() { // those are for people who have no company yet
				require.Equal(t, http.StatusUnauthorized, a.Status, "%s at %s: %s", name, o.Path, a.Body)
			}
		}
	}
	var keys int
	require.NoError(t, w.engine.Admin.Reader().QueryRowContext(t.Context(),
		"SELECT COUNT(*) FROM idempotency_keys WHERE idempotency_key = ?", []byte("of nobody")).Scan(&keys))
	require.Zero(t, keys)
}

// shot is one request of the fuzz.
type shot struct {
	company, variant int
	key              string
	answer           process.Answer
}

func (s shot) description() string {
	return fmt.Sprintf("of company %d, variant %d", s.company, s.variant)
}

// B-042, B-047, B-048, B-050: random requests of many companies, and of two users each, with few keys. Whatever meets,
// everybody gets the answer of the own company, and each key has one effect in each company.
func keysOfManyCompanies(t *testing.T, w *world) {
	const companies, keys, variants, requests = 20, 10, 2, 1000
	var callers [companies][2]*process.Client
	for i := range callers {
		c, company := w.company(t)
		callers[i] = [2]*process.Client{c, c.As(roleToken(t, company, tenant.RoleAccountant))}
	}
	random := rand.New(rand.NewPCG(20, 26)) // the same requests in every run
	shots := make([]shot, requests)
	for i := range shots {
		shots[i] = shot{company: random.IntN(companies), variant: random.IntN(variants), key: fmt.Sprint("K", random.IntN(keys))}
	}
	spread(requests, 8, func(i int) {
		request := entry("1.00")
		request["description"] = shots[i].description()
		shots[i].answer = callers[shots[i].company][i%2].Post(t, postEntry, request, process.Key(shots[i].key))
	})
	winners := map[string]shot{}
	for _, s := range shots {
		scope := fmt.Sprint(s.company, s.key)
		if s.answer.Status != http.StatusOK {
			require.NotContains(t, string(s.answer.Body), "of company", "a refusal tells nothing that is stored")
			continue
		}
		require.Contains(t, string(s.answer.Body), s.description())
		if first, found := winners[scope]; found {
			require.Equal(t, string(first.answer.Body), string(s.answer.Body))
		}
		winners[scope] = s
	}
	for _, s := range shots {
		winner, found := winners[fmt.Sprint(s.company, s.key)]
		require.True(t, found, "no request under the key succeeded")
		switch s.answer.Status {
		case http.StatusOK:
		case http.StatusConflict:
			s.answer.RequireRefused(t, http.StatusConflict, "idempotency_in_progress")
		default:
			s.answer.RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
			require.NotEqual(t, winner.variant, s.variant)
		}
	}
	effects := 0
	for i := range callers {
		effects += total(t, callers[i][0], listEntries)
	}
	require.Equal(t, len(winners), effects)
}

// B-052, B-044: whatever a request names by id or code, it is looked for in the caller's company alone.
func foreignObjects(t *testing.T, w *world) {
	a, company := w.company(t)
	b, _ := w.company(t)
	theirs := newBuyer(t, b, "Theirs")
	b.OK(t, "/v1/ledger/accounts/create", body{"code": "9777", "name": "Theirs", "type": "asset"}, nil)
	b.OK(t, "/v1/reference/series/create", body{"documentType": "sale_invoice", "prefix": "THEIRS", "year": 2026}, nil)
	sold, draft := issuedSale(t, b, theirs, "10.00", nil).ID, draftSale(t, b, theirs, "10.00", nil)
	advance := issuedSale(t, b, theirs, "10.00", body{"type": "advance"}).ID
	posted := b.OK(t, postEntry, entry("10.00"), nil).ID(t)
	bought := b.OK(t, newPurchase, supplierInvoice(theirs, "A-1", "10.00"), nil).ID(t)
	ours := newBuyer(t, a, "Ours")
	ourSale, ourDraft := issuedSale(t, a, ours, "10.00", nil).ID, draftSale(t, a, ours, "10.00", nil)
	named := []body{{"accountCode": "9777", "debit": "1.00"}, {"accountCode": "3011", "credit": "1.00"}}
	lines := func(more body) []body {
		line := body{"description": "x", "unitPriceExclVat": "1.00"}
		maps.Copy(line, more)
		return []body{line}
	}
	group := body{
		"code": "G", "name": "x", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 36,
	}
	foreignGroup := b.OK(t, "/v1/assets/groups/create", group, nil).ID(t)
	asset := body{"groupId": foreignGroup, "code": "A", "name": "x", "acquisitionDate": day, "acquisitionCost": "100.00"}
	group["assetAccountCode"], group["code"] = "9777", "G2"
	before := company.RowCounts(t)
	for name, r := range map[string]struct {
		status  int
		path    string
		request body
	}{
		"AccountOfEntry":      {422, postEntry, body{"date": day, "entries": named}},
		"AccountOfPurchase":   {422, newPurchase, body{"partnerId": ours, "documentNumber": "1", "documentDate": day, "lines": lines(body{"accountCode": "9777"})}},
		"AccountOfAssetGroup": {422, "/v1/assets/groups/create", group},
		"Customer":            {422, newSale, sale(theirs, "10.00", nil)},
		"Supplier":            {422, newPurchase, supplierInvoice(theirs, "A-1", "10.00")},
		"CreditedSale":        {422, newSale, sale(ours, "10.00", body{"type": "credit_note", "creditedInvoiceId": sold})},
		"CreditedPurchase":    {422, newPurchase, body{"partnerId": ours, "documentNumber": "1", "documentDate": day, "type": "credit_note", "creditedInvoiceId": bought, "lines": lines(nil)}},
		"Advance":             {422, "/v1/sales/invoices/apply-advance", body{"advanceId": advance, "invoiceId": ourSale}},
		"InvoiceOfAdvance":    {404, "/v1/sales/invoices/apply-advance", body{"advanceId": advance, "invoiceId": sold}},
		"Series":              {422, issueSale, body{"id": ourDraft, "series": "THEIRS"}},
		"AssetGroup":          {422, "/v1/assets/assets/create", asset},
		"PostingRule":         {422, "/v1/ledger/posting-rules/update", body{"rules": []body{{"key": "sales.revenueProducts", "accountCode": "9777"}}}},
		"Draft":               {404, issueSale, body{"id": draft}},
		"DeletedDraft":        {404, "/v1/sales/invoices/delete", body{"id": draft}},
		"CancelledSale":       {404, cancelSale, body{"id": sold, "reason": "x"}},
		"Entry":               {404, reverseEntry, body{"id": posted}},
		"ReadEntry":           {404, getEntry, body{"id": posted}},
		"Purchase":            {404, "/v1/purchases/invoices/register", body{"id": bought}},
		"Partner":             {404, "/v1/partners/update", body{"id": theirs, "name": "Ours now"}},
		"ReadPartner":         {404, "/v1/partners/get", body{"id": theirs}},
	} {
		answer := a.Post(t, r.path, r.request, process.Key(name))
		require.Equal(t, r.status, answer.Status, "%s: %s", name, answer.Body)
		require.NotContains(t, string(answer.Body), "Theirs", name)
	}
	require.Equal(t, before, company.RowCounts(t))
	require.Equal(t, 0, total(t, a, listSales, where("partnerId", theirs)))
	require.Equal(t, "10.00", balances(t, b)["2710"])
}

// B-054: numbers and codes of business are unique in a company, not among all; a duplicate names the own document.
func numbersPerCompany(t *testing.T, w *world) {
	a, _ := w.company(t)
	b, _ := w.company(t)
	ours, theirs := duplicates(t, a), duplicates(t, b)
	for name, d := range ours {
		key := process.Key(name)
		first, other := a.Post(t, d.path, d.request, key), b.Post(t, d.path, theirs[name].request, key)
		requireRan(t, first)
		requireRan(t, other)
		refusal := a.Post(t, d.path, d.request, process.Key(name+" again")).RequireRefused(t, http.StatusConflict, d.code)
		require.NotEqual(t, other.ID(t), refusal.Details["existingId"], name)
		require.NotContains(t, fmt.Sprint(refusal), other.ID(t), name)
	}
}

// B-046: lists and reports of one company have nothing that bears the mark of another.
func foreignLists(t *testing.T, w *world) {
	const mark = "SVETIMA"
	a, _ := w.company(t)
	b, _ := w.company(t)
	for i, c := range []*process.Client{a, b} {
		name := []string{"Sava", mark}[i]
		partner := newBuyer(t, c, name)
		c.OK(t, postEntry, body{"date": day, "description": name, "entries": entry("1.00")["entries"]}, nil, process.Key(name))
		issuedSale(t, c, partner, "10.00", body{"notes": name})
		c.OK(t, newPurchase, supplierInvoice(partner, name+" 1", "10.00"), nil)
		c.OK(t, "/v1/ledger/accounts/create", body{"code": fmt.Sprint("977", i), "name": name, "type": "asset"}, nil)
		c.OK(t, "/v1/reference/series/create", body{"documentType": "sale_invoice", "prefix": strings.ToUpper(name), "year": 2026}, nil)
		c.OK(t, "/v1/account/api-keys/create", body{"name": name}, nil)
		c.Post(t, postEntry, body{"date": day, "description": name + " 2", "entries": entry("1.00")["entries"]}, process.Key(name)).
			RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
	}
	seen := 0
	for _, o := range httpapi.Operations() {
		if o.Mutation {
			continue
		}
		request := body{"fromDate": "2026-01-01", "toDate": "2026-12-31"}
		if strings.HasSuffix(o.Path, "/list") {
			request = body{"pageSize": 200}
		}
		require.NotContains(t, string(a.Post(t, o.Path, request).Body), mark, o.Path)
		if strings.Contains(string(b.Post(t, o.Path, request).Body), mark) {
			seen++
		}
	}
	require.GreaterOrEqual(t, seen, 8, "the mark must show in the lists of its own company")
}

// B-048: the other way round, a new token or another user of the company is the same sender (R06).
func keyOfTheCompany(t *testing.T, w *world) {
	c, company := w.company(t)
	first := c.Post(t, postEntry, entry("10.00"), process.Key("K1"))
	requireRan(t, first)
	for _, role := range []tenant.Role{tenant.RoleAdmin, tenant.RoleAccountant} {
		requireReplayed(t, first, c.As(roleToken(t, company, role)).Post(t, postEntry, entry("10.00"), process.Key("K1")))
	}
	viewer := c.As(roleToken(t, company, tenant.RoleViewer))
	viewer.Post(t, postEntry, entry("10.00"), process.Key("K1")).RequireRefused(t, http.StatusForbidden, "forbidden")
	require.Equal(t, 1, total(t, c, listEntries))
}
