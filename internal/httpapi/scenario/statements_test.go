package scenario_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/testkit/tap"
)

// few and many are how many lines a document has when its statements are counted.
const (
	few  = 2
	many = 40
)

// sized prepares what an operation on something with n lines needs and gives its request.
type sized func(t *testing.T, s *sizedWorld, n int) body

// sizedWorld is the company in which statements are counted.
type sizedWorld struct {
	*tapped
	buyer, supplier, bank string
	serial                int
	// What the explanation of statements needs: a key that was used, a bank line, a submission, a file and an invoice that was sent.
	key, unmatched, submission, file, sent string
}

func newSizedWorld(t *testing.T, e *testkit.Engine) *sizedWorld {
	t.Helper()
	s := &sizedWorld{tapped: newTapped(t, e)}
	s.buyer, s.supplier = newBuyer(t, s.Client, "UAB Pirkėjas"), newBuyer(t, s.Client, "UAB Tiekėjas")
	s.bank = s.OK(t, newBankAccount, body{"name": "Bank", "iban": "LT121000011101001000"}, nil).ID(t)
	for i := range many {
		s.OK(t, "/v1/ledger/accounts/create", body{"code": accountOf(i), "name": "Test", "type": "expense"}, nil)
	}
	return s
}

func accountOf(i int) string { return fmt.Sprint(97000 + i) }

// unique is a text that nothing else in the company bears.
func (s *sizedWorld) unique(prefix string) string {
	s.serial++
	return fmt.Sprintf("%s%d", prefix, 1000+s.serial)
}

func repeated(n int, line func(i int) body) []body {
	lines := make([]body, n)
	for i := range lines {
		lines[i] = line(i)
	}
	return lines
}

func (s *sizedWorld) entry(n int) body {
	return body{"date": day, "entries": append(
		repeated(n, func(i int) body { return body{"accountCode": accountOf(i), "debit": "1.00"} }),
		body{"accountCode": "3011", "credit": fmt.Sprintf("%d.00", n)},
	)}
}

// sale has lines of two rates.
func (s *sizedWorld) sale(n int) body {
	rates := []string{"21", "5"}
	return body{"partnerId": s.buyer, "issueDate": day, "lines": repeated(n, func(i int) body {
		return body{"description": "x", "unitPriceExclVat": "10.00", "vatRatePercent": rates[i%few]}
	})}
}

func (s *sizedWorld) draft(t *testing.T, n int) string {
	t.Helper()
	return s.OK(t, newSale, s.sale(n), nil).ID(t)
}

func (s *sizedWorld) issued(t *testing.T, n int) document {
	t.Helper()
	var d document
	s.OK(t, issueSale, body{"id": s.draft(t, n)}, &d)
	return d
}

func (s *sizedWorld) purchase(n int) body {
	rates := []string{"21", "5"}
	return body{"partnerId": s.supplier, "documentNumber": s.unique("T"), "documentDate": day, "lines": repeated(n, func(i int) body {
		return body{"description": "x", "unitPriceExclVat": "10.00", "vatRatePercent": rates[i%few], "accountCode": accountOf(i)}
	})}
}

func (s *sizedWorld) bought(t *testing.T, n int) string {
	t.Helper()
	return s.OK(t, newPurchase, s.purchase(n), nil).ID(t)
}

func (s *sizedWorld) registered(t *testing.T, n int) string {
	t.Helper()
	id := s.bought(t, n)
	s.OK(t, registerPurchase, body{"id": id, "registrationDate": day}, nil)
	return id
}

func (s *sizedWorld) order(n int) body {
	return body{"externalRef": s.unique("W"), "partnerId": s.buyer, "lines": repeated(n, func(int) body {
		return body{"description": "x", "quantity": "2", "unitPriceExclVat": "10.00"}
	})}
}

// report has n payments of as many invoices, in one payout or in one each.
func (s *sizedWorld) report(t *testing.T, n int, each bool) body {
	t.Helper()
	payout, content := s.unique("po_"), payoutHeader
	for i := range n {
		if each {
			payout = s.unique("po_")
		}
		invoice, charge := s.issued(t, 1), s.unique("ch_")
		content += payoutLine(payout, s.unique("txn_"), "charge", "12.10", "0.10", charge, invoice.FullNumber)
		if i%few == 0 { // the others stay paid
			content += payoutLine(payout, s.unique("txn_"), "refund", "-1.00", "0.00", charge, "")
		}
	}
	return body{"bankAccountId": s.bank, "content": content}
}

func (s *sizedWorld) imported(t *testing.T, report body) string {
	t.Helper()
	var imported settlementImport
	s.OK(t, importSettlement, report, &imported)
	return imported.Batches[0].ID
}

// reported is a report that was imported before.
func (s *sizedWorld) reported(t *testing.T, n int, each bool) body {
	t.Helper()
	report := s.report(t, n, each)
	s.imported(t, report)
	return report
}

// assets makes n assets due in a month of their own, all earlier ones being posted.
func (s *sizedWorld) assets(t *testing.T, n int) body {
	t.Helper()
	group := s.OK(t, "/v1/assets/groups/create", body{
		"code": s.unique("G"), "name": "Computers", "assetAccountCode": "1240", "depreciationAccountCode": "1247", "defaultUsefulLifeMonths": 1,
	}, nil).ID(t)
	s.serial++
	year, month := 2010+s.serial%12, 1+s.serial%11
	for range n {
		s.OK(t, "/v1/assets/assets/create", body{
			"groupId": group, "code": s.unique("A"), "name": "Laptop", "acquisitionDate": fmt.Sprintf("%d-%02d-15", year, month), "acquisitionCost": "1200.00",
		}, nil)
	}
	return body{"year": year, "month": month + 1}
}

// counted are the operations that take, or work on, something with lines.
var counted = map[string]struct {
	path    string
	prepare sized
}{
	"PostEntry": {postEntry, func(_ *testing.T, s *sizedWorld, n int) body { return s.entry(n) }},
	"ReverseEntry": {reverseEntry, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.OK(t, postEntry, s.entry(n), nil).ID(t)}
	}},
	"CreateSale": {newSale, func(_ *testing.T, s *sizedWorld, n int) body { return s.sale(n) }},
	"UpdateSale": {"/v1/sales/invoices/update", func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.draft(t, n), "lines": s.sale(n)["lines"]}
	}},
	"DeleteSale": {"/v1/sales/invoices/delete", func(t *testing.T, s *sizedWorld, n int) body { return body{"id": s.draft(t, n)} }},
	"IssueSale":  {issueSale, func(t *testing.T, s *sizedWorld, n int) body { return body{"id": s.draft(t, n)} }},
	"GetSale":    {getInvoice, func(t *testing.T, s *sizedWorld, n int) body { return body{"id": s.issued(t, n).ID} }},
	"CancelSale": {cancelSale, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.issued(t, n).ID, "reason": "wrong"}
	}},
	"DraftCredit": {newSale, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"partnerId": s.buyer, "issueDate": day, "type": "credit_note", "creditedInvoiceId": s.issued(t, n).ID, "lines": []body{}}
	}},
	"IssueCredit": {issueSale, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.OK(t, newSale, body{
			"partnerId": s.buyer, "issueDate": day, "type": "credit_note", "creditedInvoiceId": s.issued(t, n).ID, "lines": []body{},
		}, nil).ID(t)}
	}},
	"CreatePurchase": {newPurchase, func(_ *testing.T, s *sizedWorld, n int) body { return s.purchase(n) }},
	"UpdatePurchase": {"/v1/purchases/invoices/update", func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.bought(t, n), "lines": s.purchase(n)["lines"]}
	}},
	"DeletePurchase": {"/v1/purchases/invoices/delete", func(t *testing.T, s *sizedWorld, n int) body { return body{"id": s.bought(t, n)} }},
	"RegisterPurchase": {registerPurchase, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.bought(t, n), "registrationDate": day}
	}},
	"GetPurchase": {getPurchase, func(t *testing.T, s *sizedWorld, n int) body { return body{"id": s.registered(t, n)} }},
	"CreateOrder": {newOrder, func(_ *testing.T, s *sizedWorld, n int) body { return s.order(n) }},
	"FulfillOrder": {fulfillOrder, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.OK(t, newOrder, s.order(n), nil).ID(t)}
	}},
	"ImportLinesOfAPayout": {importSettlement, func(t *testing.T, s *sizedWorld, n int) body { return s.report(t, n, false) }},
	"ImportPayouts":        {importSettlement, func(t *testing.T, s *sizedWorld, n int) body { return s.report(t, n, true) }},
	"ImportPayoutsAgain":   {importSettlement, func(t *testing.T, s *sizedWorld, n int) body { return s.reported(t, n, true) }},
	"PostPayout": {postSettlement, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.imported(t, s.report(t, n, false))}
	}},
	"GetPayout": {getSettlement, func(t *testing.T, s *sizedWorld, n int) body {
		return body{"id": s.imported(t, s.report(t, n, false))}
	}},
	"ImportBankLines": {importBankLines, func(_ *testing.T, s *sizedWorld, n int) body {
		return body{"bankAccountId": s.bank, "transactions": repeated(n, func(int) body {
			return body{"date": day, "amount": "1.00", "externalId": s.unique("L")}
		})}
	}},
	"ImportStatement": {importStatement, func(_ *testing.T, s *sizedWorld, n int) body {
		entries := make([]string, n)
		for i := range entries {
			entries[i] = camtEntry("1.00", s.unique("R"), "UAB Pirkėjas", "LT601010012345678901", "x")
		}
		return body{"bankAccountId": s.bank, "content": camtStatement("LT121000011101001000", "0.00", fmt.Sprintf("%d.00", n), entries...)}
	}},
	"ExportPayments": {exportPayments, func(t *testing.T, s *sizedWorld, n int) body {
		ids := make([]string, n)
		for i := range ids {
			ids[i] = s.registered(t, 1)
		}
		return body{"bankAccountId": s.bank, "purchaseInvoiceIds": ids, "creditorIbans": body{s.supplier: "DE89370400440532013000"}}
	}},
	"PostDepreciation": {postDepreciation, func(t *testing.T, s *sizedWorld, n int) body { return s.assets(t, n) }},
	"PreviewDepreciation": {"/v1/assets/depreciation/preview", func(t *testing.T, s *sizedWorld, n int) body {
		request := s.assets(t, n)
		s.OK(t, postDepreciation, request, nil)
		return request
	}},
	"UpdatePostingRules": {"/v1/ledger/posting-rules/update", func(t *testing.T, s *sizedWorld, n int) body {
		var page struct {
			Rows []struct {
				Key  string `json:"key"`
				Code string `json:"accountCode"`
			} `json:"rows"`
		}
		s.OK(t, "/v1/ledger/posting-rules/list", body{}, &page)
		rules := []body{}
		for _, r := range page.Rows[:min(n, len(page.Rows))] {
			rules = append(rules, body{"key": r.Key, "accountCode": r.Code})
		}
		return body{"rules": rules}
	}},
}

// TestStatementsDoNotGrow counts the statements of each operation with a few lines and with many: there are as many, for
// imports and payments as for anything else, since they write their rows in chunks far larger than that.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	s := newSizedWorld(t, testkit.MySQL(t))
	for _, name := range slices.Sorted(maps.Keys(counted)) { //nolint:paralleltest // the statements of one request at a time
		t.Run(name, func(t *testing.T) {
			o := counted[name]
			run := func(n int) []string {
				request := o.prepare(t, s, n)
				return s.statements(t, o.path, request, process.Key(s.unique("K")))
			}
			run(few) // makes what is made once, such as a series,
			run(few) // and reads what is remembered from then on
			short, long := run(few), run(many)
			t.Logf("%d statements for %d lines, %d for %d", len(short), few, len(long), many)
			require.Empty(t, tap.Grown(short, long))
			require.Len(t, long, len(short))
		})
	}
	t.Run("Lists", func(t *testing.T) { s.lists(t) })
	s.company.RequireBalanced(t)
}

// lists checks that no list asks the database once per row. The short page has rows of each table that the long one has rows of.
func (s *sizedWorld) lists(t *testing.T) {
	t.Helper()
	for _, o := range httpapi.Operations() {
		if o.Request != reflect.TypeFor[tenant.ListQuery]() {
			continue
		}
		run := func(n int) []string { return s.statements(t, o.Path, body{"pageSize": n}) }
		run(few)
		short, long := run(many*3/4), run(many)
		require.Empty(t, tap.Grown(short, long), o.Path)
	}
}
