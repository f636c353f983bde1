package httpapi

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/isaf"
)

// randomMonth makes documents of every kind, with random amounts and days.
type randomMonth struct {
	*books
	*rand.Rand
	american, farmer, customsOffice string
	// sold and bought may still be credited, in euro or not.
	sold, bought []adjustable
	made         int
}

// adjustable is an issued document with what a note about it must repeat.
type adjustable struct {
	id, partner string
	day         int
}

// documentsOfMonth is how many documents a month has, and monthSeeds how many months are made on each engine. VIENKART_TEST_SEEDS asks for
// more.
const (
	documentsOfMonth = 500
	monthSeeds       = 2
	// batch is how many documents one transaction makes, so that the time goes into the documents.
	batch = 25
)

// TestB140ExportsAddUpToPostings: months of documents of every kind come to the same in the return, in i.SAF, in the register and in the
// ledger (B-138, B-140).
func TestB140ExportsAddUpToPostings(t *testing.T) {
	t.Parallel()
	seeds := monthSeeds
	if text := os.Getenv("VIENKART_TEST_SEEDS"); text != "" {
		var err error
		seeds, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for seed := range seeds {
			t.Run(fmt.Sprint("Seed", seed), func(t *testing.T) {
				m := &randomMonth{books: openBooks(t, e), Rand: rand.New(rand.NewPCG(140, uint64(seed)))}
				m.prepare(t)
				for m.made < documentsOfMonth {
					m.inOne(t, func(b *books) {
						whole := m.books
						m.books = b
						for range batch {
							m.document(t)
						}
						m.books = whole
					})
				}
				m.compare(t)
			})
		}
	})
}

// inOne runs calls in one transaction.
func (b *books) inOne(t *testing.T, fn func(*books)) {
	t.Helper()
	b.Mutate(t, func(_ context.Context, tx tenant.Tx) error {
		inside := *b
		inside.within = &tx
		fn(&inside)
		return nil
	})
}

func (m *randomMonth) prepare(t *testing.T) {
	t.Helper()
	m.american = as[string](t, m.call(t, "partners/create",
		`{"name": "Sixth Inc", "isSupplier": true, "address": {"countryCode": "US"}}`)["id"])
	m.farmer = as[string](t, m.call(t, "partners/create",
		`{"name": "Ūkininkas", "code": "1234567", "isSupplier": true, "address": {"countryCode": "LT"}}`)["id"])
	m.customsOffice = m.customs(t)
	m.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		for day := date.MustParse("2025-12-01"); day.Before(date.MustParse("2026-03-01")); day = day.AddDays(1) {
			rate := money.MustDecimal(fmt.Sprintf("1.0%d", 1+m.IntN(900)))
			if _, _, err := fx.Set(ctx, tx, money.MustCurrency("USD"), day, rate); err != nil {
				return err
			}
		}
		return nil
	})
	// A month before has what this one credits, cancels nothing and pays in advance.
	for range 10 {
		m.sale(t, -1-m.IntN(20), m.customer, "", standardRate)
		m.purchase(t, -1-m.IntN(20), m.supplier, "", standardRate)
	}
}

// document makes one document, of each kind in turn.
func (m *randomMonth) document(t *testing.T) {
	t.Helper()
	kinds := []func(*testing.T){
		func(t *testing.T) { m.sale(t, m.day(), m.customer, "", m.rates(21, 12, 5)) },
		func(t *testing.T) { m.sale(t, m.day(), m.customer, "", m.rates(21, 21, 5)) },
		func(t *testing.T) { m.purchase(t, m.day(), m.supplier, "", m.rates(21, 12, 5)) },
		func(t *testing.T) { m.sale(t, m.day(), m.customer, "", code("PVM5", "0")) },
		func(t *testing.T) {
			m.sale(t, m.day(), m.customer, "", m.codes("PVM14", "0", "PVM6", "21", "PVM9", "21", "PVM100", "0"))
		},
		func(t *testing.T) {
			m.sale(t, m.day(), m.customer, "", m.codes("PVM32", "21", "PVM53", "5", "PVM33", "0"))
		},
		func(t *testing.T) {
			m.sale(t, m.day(), m.german, `, "vatScheme": "intra_eu_b2b"`, m.codes("PVM13", "0", "PVM15", "0"))
		},
		func(t *testing.T) {
			m.sale(t, m.day(), m.customer, `, "vatScheme": "reverse_charge"`, code("PVM25", "0"))
		},
		func(t *testing.T) { m.sale(t, m.day(), m.american, `, "vatScheme": "export"`, code("PVM12", "0")) },
		func(t *testing.T) {
			m.sale(t, m.day(), m.american, `, "vatScheme": "out_of_scope"`, m.codes("PVM15", "0", "PVM34", "0"))
		},
		func(t *testing.T) {
			m.sale(t, m.day(), m.customer, `, "vatScheme": "oss_union", "vatCountryCode": "DE"`, more(`, "vatRatePercent": "19"`))
		},
		func(t *testing.T) { m.sale(t, m.day(), m.customer, `, "currency": "USD"`, m.rates(21, 12, 5)) },
		func(t *testing.T) {
			m.sale(t, m.day(), m.american, `, "vatScheme": "export", "currency": "USD"`, code("PVM12", "0"))
		},
		m.creditNote, m.debitNote, m.cancelled, m.advance,
		func(t *testing.T) { m.purchase(t, m.day(), m.supplier, `, "specialTaxation": true`, standardRate) },
		func(t *testing.T) { m.purchase(t, m.day(), m.supplier, `, "currency": "USD"`, m.rates(21, 5)) },
		func(t *testing.T) {
			m.purchase(t, m.day(), m.supplier, "", m.codes("PVM25", "0", "PVM5", "0", "PVM32", "21"))
		},
		func(t *testing.T) { m.purchase(t, m.day(), m.farmer, "", code("PVM49", "6")) },
		func(t *testing.T) {
			m.purchase(t, m.day(), m.german, "", m.codes("PVM16", "0", "PVM18", "0", "PVM35", "0"))
		},
		func(t *testing.T) {
			m.purchase(t, m.day(), m.german, `, "supplyType": "services"`, m.codes("PVM21", "0", "PVM40", "0"))
		},
		func(t *testing.T) { m.purchase(t, m.day(), m.german, `, "currency": "USD"`, code("PVM16", "0")) },
		func(t *testing.T) {
			m.purchase(t, m.day(), m.american, `, "supplyType": "services"`, m.codes("PVM20", "0", "PVM37", "0"))
		},
		func(t *testing.T) { m.purchase(t, m.day(), m.american, "", code("PVM48", "0")) },
		m.purchaseCredit, m.imported, m.printed,
	}
	kinds[m.made%len(kinds)](t)
	m.made++
}

// day is one of January, counted from its first.
func (m *randomMonth) day() int { return m.IntN(31) }

func dayOf(n int) string { return date.MustParse("2026-01-01").AddDays(n).String() }

// ofLine gives the members of a line that decide about its VAT.
type ofLine func() string

func more(text string) ofLine { return func() string { return text } }

var standardRate = more(`, "vatRatePercent": "21"`)

func code(name, rate string) ofLine {
	return more(fmt.Sprintf(`, "vatClassifierCode": %q, "vatRatePercent": %q`, name, rate))
}

// codes takes pairs of code and rate, one of them for each line.
func (m *randomMonth) codes(pairs ...string) ofLine {
	return func() string {
		at := 2 * m.IntN(len(pairs)/2)
		return code(pairs[at], pairs[at+1])()
	}
}

func (m *randomMonth) rates(rates ...int) ofLine {
	return func() string { return fmt.Sprintf(`, "vatRatePercent": "%d"`, rates[m.IntN(len(rates))]) }
}

// lines are up to four lines, some with their price in whole quantities and some in parts, some with VAT inside.
func (m *randomMonth) lines(of ofLine) string {
	lines := make([]string, 1+m.IntN(4))
	for i := range lines {
		price := []string{"unitPriceExclVat", "unitPriceExclVat", "unitPriceInclVat"}[m.IntN(3)]
		quantity := []string{"1", "3", "7", "0.333", "2.5"}[m.IntN(5)]
		lines[i] = fmt.Sprintf(`{"description": "Prekė", %q: "%d.%02d", "quantity": %q%s}`, price, m.IntN(900), 1+m.IntN(99), quantity, of())
	}
	return strings.Join(lines, ", ")
}

func (m *randomMonth) issue(t *testing.T, format string, args ...any) string {
	t.Helper()
	draft := m.call(t, "sales/invoices/create", format, args...)
	return as[string](t, m.call(t, "sales/invoices/issue", `{"id": %q}`, draft["id"])["id"])
}

func (m *randomMonth) sale(t *testing.T, day int, partner, header string, of ofLine) {
	t.Helper()
	id := m.issue(t, `{"partnerId": %q, "issueDate": %q%s, "lines": [%s]}`, partner, dayOf(day), header, m.lines(of))
	m.sold = append(m.sold, adjustable{id, partner, day})
}

func (m *randomMonth) purchase(t *testing.T, day int, partner, header string, of ofLine) {
	t.Helper()
	id := m.register(t, day, `{"partnerId": %q, "documentNumber": "P %d", "documentDate": %q%s, "lines": [%s]}`,
		partner, len(m.bought)+m.made*1000, dayOf(day), header, m.lines(of))
	m.bought = append(m.bought, adjustable{id, partner, day})
}

// register enters a purchase on its day or a few days later.
func (m *randomMonth) register(t *testing.T, day int, format string, args ...any) string {
	t.Helper()
	draft := m.call(t, "purchases/invoices/create", format, args...)
	return as[string](t, m.call(t, "purchases/invoices/register", `{"id": %q, "registrationDate": %q}`, draft["id"], dayOf(min(day+m.IntN(4), 30)))["id"])
}

// take takes one of the documents that may still be adjusted.
func (m *randomMonth) take(list *[]adjustable) adjustable {
	at := m.IntN(len(*list))
	taken := (*list)[at]
	*list = append((*list)[:at], (*list)[at+1:]...)
	return taken
}

// laterThan is a day of January not before another.
func (m *randomMonth) laterThan(day int) int { return max(day, 0) + m.IntN(31-max(day, 0)) }

// creditNote takes back all that is left of a sale.
func (m *randomMonth) creditNote(t *testing.T) {
	t.Helper()
	of := m.take(&m.sold)
	m.issue(t, `{"partnerId": %q, "issueDate": %q, "type": "credit_note", "creditedInvoiceId": %q, "lines": []}`, of.partner, dayOf(m.laterThan(of.day)), of.id)
}

// debitNote raises a sale, and a part of it is credited again.
func (m *randomMonth) debitNote(t *testing.T) {
	t.Helper()
	day := m.day()
	id := m.issue(t, `{"partnerId": %q, "issueDate": %q, "lines": [{"description": "Prekė", "unitPriceExclVat": "500.00", "vatRatePercent": "21"}]}`, m.customer, dayOf(day))
	m.issue(t, `{"partnerId": %q, "issueDate": %q, "creditedInvoiceId": %q, "lines": [%s]}`, m.customer, dayOf(m.laterThan(day)), id, m.lines(standardRate))
	m.issue(t, `{"partnerId": %q, "issueDate": %q, "type": "credit_note", "creditedInvoiceId": %q, "lines": [
		{"description": "Nuolaida", "unitPriceExclVat": "%d.%02d", "vatRatePercent": "21"}]}`, m.customer, dayOf(m.laterThan(day)), id, m.IntN(400), 1+m.IntN(99))
}

func (m *randomMonth) cancelled(t *testing.T) {
	t.Helper()
	id := m.issue(t, `{"partnerId": %q, "issueDate": %q, "lines": [%s]}`, m.customer, dayOf(m.day()), m.lines(m.rates(21, 12, 5)))
	m.call(t, "sales/invoices/cancel", `{"id": %q, "reason": "wrong"}`, id)
}

// advance is paid before the invoice, in the month or in the one before.
func (m *randomMonth) advance(t *testing.T) {
	t.Helper()
	day := m.IntN(45) - 15
	line := `{"description": "Avansas", "unitPriceExclVat": "%d.%02d", "vatRatePercent": "21"}`
	advance := m.issue(t, `{"partnerId": %q, "issueDate": %q, "type": "advance", "lines": [`+line+`]}`, m.customer, dayOf(day), m.IntN(300), 1+m.IntN(99))
	invoiced := m.laterThan(day)
	invoice := m.issue(t, `{"partnerId": %q, "issueDate": %q, "lines": [`+line+`]}`, m.customer, dayOf(invoiced), 301+m.IntN(500), 1+m.IntN(99))
	m.call(t, "sales/invoices/apply-advance", `{"advanceId": %q, "invoiceId": %q, "date": %q}`, advance, invoice, dayOf(invoiced))
}

// purchaseCredit is a supplier's note about a part of what was bought.
func (m *randomMonth) purchaseCredit(t *testing.T) {
	t.Helper()
	day := m.day()
	whole := `{"partnerId": %q, "documentNumber": %q, "documentDate": %q, "lines": [{"description": "Prekė", "unitPriceExclVat": "600.00", "vatRatePercent": "21"}]}`
	id := m.register(t, day, whole, m.supplier, fmt.Sprint("W ", m.made), dayOf(day))
	m.register(t, 30, `{"partnerId": %q, "type": "credit_note", "creditedInvoiceId": %q, "documentNumber": %q, "documentDate": "2026-01-31", "lines": [
		{"description": "Prekė", "unitPriceExclVat": "%d.%02d", "vatRatePercent": "21"}]}`, m.supplier, id, fmt.Sprint("K ", m.made), m.IntN(500), 1+m.IntN(99))
}

// imported is a customs declaration: one line, so one code.
func (m *randomMonth) imported(t *testing.T) {
	t.Helper()
	m.buyLines(t, m.customsOffice, fmt.Sprint("M ", m.made), dayOf(m.day()), fmt.Sprintf(
		`{"description": "Prekė", "unitPriceExclVat": "%d.%02d", "vatClassifierCode": "PVM%d"}`, m.IntN(900), 1+m.IntN(99), 23+m.IntN(2)))
}

// printed is a bill whose VAT is what the rate comes to, or a cent more.
func (m *randomMonth) printed(t *testing.T) {
	t.Helper()
	cents := 100 + m.IntN(99_999)
	vat := (cents*21+50)/100 + m.IntN(2)
	m.buyLines(t, m.supplier, fmt.Sprint("V ", m.made), dayOf(m.day()), fmt.Sprintf(
		`{"description": "Prekė", "unitPriceExclVat": "%d.%02d", "vatRatePercent": "21", "statedVat": "%d.%02d"}`, cents/100, cents%100, vat/100, vat%100))
}

// compare compares all places of the months that have documents, and the return with what the accounts of VAT took.
func (m *randomMonth) compare(t *testing.T) {
	t.Helper()
	for _, at := range []struct{ year, month int }{{2025, 12}, {2026, 1}} {
		tie := m.call(t, "declarations/vat/tie-out", `{"year": %d, "month": %d}`, at.year, at.month)
		require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
		require.Empty(t, tie["differences"])
	}
	file := m.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)
	require.Empty(t, file["errors"])
	require.Empty(t, isaf.Validate(strings.NewReader(as[string](t, file["xml"]))))
	counts := as[map[string]any](t, file["counts"])
	require.Greater(t, as[float64](t, counts["salesInvoices"])+as[float64](t, counts["purchaseInvoices"]), 0.9*documentsOfMonth)

	ret := m.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1}`)
	boxes := map[string]int{}
	for box, value := range fieldsOf(t, ret) {
		n, err := strconv.Atoi(value)
		require.NoError(t, err)
		boxes[box] = n
	}
	for _, box := range []string{"11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "23", "24", "25", "26", "27", "29", "29A", "31", "32", "33", "34", "35"} {
		require.NotZero(t, boxes[box], "box %s has nothing of a month of every kind", box)
	}
	tie := m.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
	foreign := money.MustDecimal(as[string](t, tie["foreignVat"]))
	owed := m.turnover(t, "4492").Add(m.turnover(t, "2441")).Sub(foreign)
	difference := owed.Sub(money.DecimalFromInt(int64(boxes["36"])))
	if difference.Sign() < 0 {
		difference = difference.Neg()
	}
	rounding := money.DecimalFromInt(int64(len(boxes))) // each box is rounded to a euro by itself
	require.LessOrEqual(t, difference.Cmp(rounding), 0, "box 36 is %d, the accounts say %s", boxes["36"], owed)
	m.RequireBalanced(t)
}

// turnover is credit less debit of an account in January.
func (m *randomMonth) turnover(t *testing.T, account string) money.Decimal {
	t.Helper()
	var sum *int64
	m.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		sum, err = tenant.QueryOne[int64](ctx, r, `SELECT COALESCE(SUM(e.base_credit_minor - e.base_debit_minor), 0) FROM journal_entries e
			JOIN ledger_accounts a ON a.company_id = e.company_id AND a.id = e.account_id
			WHERE e.company_id = @company AND a.code = ? AND e.transaction_date BETWEEN '2026-01-01' AND '2026-01-31'`, account)
		return err
	})
	return money.New(*sum, money.EUR).Decimal()
}

// A subject that only one place has is a difference like any other.
func TestUnequalWhereOnePlaceHasNothing(t *testing.T) {
	t.Parallel()
	id := tenant.NewID()
	there := perDocument{id: money.New(1, money.EUR)}
	require.Equal(t, []tenant.ID{id}, unequal(nil, there))
	require.Equal(t, []tenant.ID{id}, unequal(there, nil))
	require.Empty(t, unequal(nil, nil))
}
