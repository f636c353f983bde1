package cash_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

var (
	january  = date.MustParse("2026-01-01")
	february = date.MustParse("2026-02-01")
	usd      = money.MustCurrency("USD")
)

// shop makes documents and settles them.
type shop struct {
	*testkit.Company
	partner tenant.ID
}

func open(t *testing.T, e *testkit.Engine) *shop {
	t.Helper()
	s := &shop{Company: e.Company(t)}
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		s.partner = vatmonth.Partner(ctx, t, tx, "UAB Pirkėjas")
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	return s
}

// paper is a document: what it asks for in its currency, and its register rows as code, rate, net and VAT in the base currency.
type paper struct {
	side     register.Direction
	kind     register.InvoiceType
	unmarked bool
	owed     string
	currency money.Currency
	groups   [][4]string
}

func sale(owed string, groups ...[4]string) paper {
	return paper{side: register.Sales, kind: register.Invoice, owed: owed, currency: money.EUR, groups: groups}
}

func (s *shop) record(t *testing.T, p paper) tenant.ID {
	t.Helper()
	id := tenant.NewID()
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		d := register.Document{
			Direction: p.side, RegisterDate: january, Type: "test_invoice", ID: id, Number: "A1", Date: january, InvoiceType: p.kind,
			Event: register.Recorded, SpecialTaxation: !p.unmarked, Partner: register.Partner{ID: s.partner, Name: "UAB Pirkėjas"},
		}
		for _, g := range p.groups {
			d.Groups = append(d.Groups, vatmonth.Group(t, g[0], g[1], g[2], g[3]))
		}
		require.NoError(t, register.Record(ctx, tx, d))
		if p.owed == "" {
			return nil
		}
		kind, amount := ledger.ItemReceivable, parse(t, p.owed, p.currency)
		if (p.side == register.Purchases) != (p.kind == register.CreditNote) {
			kind = ledger.ItemPayable
		}
		_, err := ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: kind, DocumentType: "test_invoice", DocumentID: id, DocumentNumber: "A1", PartnerID: s.partner, AccountCode: "2410",
			DocumentDate: january, DueDate: january, Amount: amount, BaseAmount: money.New(amount.Minor(), money.EUR),
		})
		return err
	})
	return id
}

func parse(t *testing.T, s string, c money.Currency) money.Amount {
	t.Helper()
	a, err := money.Parse(s, c)
	require.NoError(t, err)
	return a
}

// settle sets an amount off on a day; a negative one opens the document again.
func (s *shop) settle(t *testing.T, document tenant.ID, source string, sourceID tenant.ID, amount string, day date.Date) {
	t.Helper()
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, document)
		if err != nil {
			return err
		}
		item := items[document]
		return ledger.SettleAll(ctx, tx, []ledger.Settlement{{
			Item: item, Amount: parse(t, amount, item.Currency), SourceType: source, SourceID: sourceID, Date: day,
		}})
	})
}

func (s *shop) pay(t *testing.T, document tenant.ID, amount string, day date.Date) tenant.ID {
	t.Helper()
	id := tenant.NewID()
	s.settle(t, document, ledger.SourcePayment, id, amount, day)
	return id
}

// paid lists the payments of a month as their day and, by code, net and VAT.
func (s *shop) paid(t *testing.T, side register.Direction, month date.Date) []string {
	t.Helper()
	list := []string{}
	s.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		for p, err := range cash.Payments(ctx, r, side, month, month.LastOfMonth()) {
			require.NoError(t, err)
			if p.IsZero() {
				list = append(list, "taken back")
				continue
			}
			text := p.Date.String()[len("2026-"):]
			for _, part := range p.Parts {
				code := "-"
				if part.Code != nil {
					code = *part.Code
				}
				text += fmt.Sprintf(" %s %s+%s", code, part.Net, part.VAT)
			}
			list = append(list, text)
		}
		return nil
	})
	return list
}

func day(n int) date.Date { return january.AddDays(n - 1) }

// TestPayments has each way in which a document can be settled, and what of it was paid.
func TestPayments(t *testing.T) {
	t.Parallel()
	full := [4]string{"PVM1", "21", "100", "21"}
	for name, example := range map[string]struct {
		document paper
		settle   func(t *testing.T, s *shop, id tenant.ID)
		january  []string
		february []string
	}{
		"Whole": {
			document: sale("121", full),
			settle:   func(t *testing.T, s *shop, id tenant.ID) { s.pay(t, id, "121", day(5)) },
			january:  []string{"01-05 PVM1 100.00+21.00"},
		},
		"PartsAddUpAndTheLastTakesTheRest": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				s.pay(t, id, "0.01", day(5))
				s.pay(t, id, "40.33", day(6))
				s.pay(t, id, "80.66", february)
			},
			january:  []string{"01-05 PVM1 0.01+0.00", "01-06 PVM1 33.33+7.00"},
			february: []string{"02-01 PVM1 66.66+14.00"},
		},
		"CodesAreKeptApart": {
			document: sale("226", full, [4]string{"PVM3", "5", "100", "5"}),
			settle:   func(t *testing.T, s *shop, id tenant.ID) { s.pay(t, id, "113", day(5)) },
			january:  []string{"01-05 PVM1 50.00+10.50 PVM3 50.00+2.50"},
		},
		"ForeignCurrencyIsInEuroOfTheDocument": {
			document: paper{side: register.Sales, kind: register.Invoice, owed: "133.10", currency: usd, groups: [][4]string{full}},
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				s.pay(t, id, "66.55", day(5))
				s.pay(t, id, "66.55", day(6))
			},
			january: []string{"01-05 PVM1 50.00+10.50", "01-06 PVM1 50.00+10.50"},
		},
		"PaymentsOfSuppliersAreOfTheOtherSide": {
			document: paper{side: register.Purchases, kind: register.Invoice, owed: "121", currency: money.EUR, groups: [][4]string{{"", "21", "100", "21"}}},
			settle:   func(t *testing.T, s *shop, id tenant.ID) { s.pay(t, id, "60.50", day(5)) },
			january:  []string{"01-05 - 50.00+10.50"},
		},
		"CardsAndOrdersAreMoneyToo": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				s.settle(t, id, ledger.SourcePayout, tenant.NewID(), "60.50", day(5))
				s.settle(t, id, ledger.SourceOrderPayment, tenant.NewID(), "60.50", day(6))
			},
			january: []string{"01-05 PVM1 50.00+10.50", "01-06 PVM1 50.00+10.50"},
		},
		"UnmarkedDocumentsHaveNone": {
			document: paper{side: register.Sales, kind: register.Invoice, owed: "121", currency: money.EUR, unmarked: true, groups: [][4]string{full}},
			settle:   func(t *testing.T, s *shop, id tenant.ID) { s.pay(t, id, "121", day(5)) },
		},
		"CancellationsAreNoMoney": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				s.settle(t, id, "cancellation", tenant.NewID(), "121", day(5))
			},
		},
		"CreditNotesTakeTheirOwnCodes": {
			document: sale("226", full, [4]string{"PVM3", "5", "100", "5"}),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				note := s.record(t, paper{side: register.Sales, kind: register.CreditNote, groups: [][4]string{{"PVM3", "5", "-100", "-5"}}})
				s.settle(t, id, ledger.SourceCreditNote, note, "105", day(5))
				s.pay(t, id, "121", day(6))
			},
			january: []string{"01-06 PVM1 100.00+21.00 PVM3 0.00+0.00"},
		},
		"CreditNotesOfOtherCodesTakeAShare": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				note := s.record(t, paper{side: register.Sales, kind: register.CreditNote, groups: [][4]string{{"PVM5", "", "-60.50", ""}}})
				s.settle(t, id, ledger.SourceCreditNote, note, "60.50", day(5))
				s.pay(t, id, "60.50", day(6))
			},
			january: []string{"01-06 PVM1 50.00+10.50"},
		},
		"AdvancesTakeTheirOwnCodes": {
			document: sale("226", full, [4]string{"PVM3", "5", "100", "5"}),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				advance := tenant.NewID()
				s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
					return register.Record(ctx, tx, register.Document{
						Direction: register.Sales, RegisterDate: day(5), Type: "test_invoice", ID: id, Number: "A1", Date: january,
						InvoiceType: register.Invoice, Event: register.AdvanceApplied, SourceID: advance, SpecialTaxation: true,
						Partner: register.Partner{ID: s.partner, Name: "UAB Pirkėjas"}, Groups: []register.Group{vatmonth.Group(t, "PVM1", "21", "-100", "-21")},
					})
				})
				s.settle(t, id, ledger.SourceAdvance, advance, "121", day(5))
				s.pay(t, id, "105", day(6))
			},
			january: []string{"01-06 PVM1 0.00+0.00 PVM3 100.00+5.00"},
		},
		"TakenBackInItsMonthIsNothing": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				wrong := s.pay(t, id, "121", day(5))
				s.settle(t, id, ledger.SourcePayment, wrong, "-121", day(7))
				s.pay(t, id, "121", day(8))
			},
			january: []string{"taken back", "01-08 PVM1 100.00+21.00"},
		},
		"TakenBackLaterLeavesItsMonthAsItWas": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				wrong := s.pay(t, id, "40", day(5))
				s.settle(t, id, ledger.SourcePayment, wrong, "-40", february)
			},
			january: []string{"01-05 PVM1 33.06+6.94"}, february: []string{"02-01 PVM1 -33.06+-6.94"},
		},
		"RefundsAreNegative": {
			document: sale("121", full),
			settle: func(t *testing.T, s *shop, id tenant.ID) {
				s.pay(t, id, "121", day(5))
				s.settle(t, id, ledger.SourcePayout, tenant.NewID(), "-60.50", day(9))
			},
			january: []string{"01-05 PVM1 100.00+21.00", "01-09 PVM1 -50.00+-10.50"},
		},
		"RefundOfACreditNoteIsItsUnsettledPart": {
			document: paper{side: register.Sales, kind: register.CreditNote, owed: "60.50", currency: money.EUR, groups: [][4]string{{"PVM1", "21", "-100", "-21"}}},
			settle: func(t *testing.T, s *shop, note tenant.ID) {
				invoice := s.record(t, sale("121", full))
				s.pay(t, invoice, "60.50", day(2))
				s.settle(t, invoice, ledger.SourceCreditNote, note, "60.50", day(3))
				s.pay(t, note, "60.50", day(5))
			},
			january: []string{"01-02 PVM1 50.00+10.50", "01-05 PVM1 -50.00+-10.50"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
				s := open(t, e)
				id := s.record(t, example.document)
				example.settle(t, s, id)
				side, otherSide := register.Sales, register.Purchases
				if example.document.side == register.Purchases {
					side, otherSide = otherSide, side
				}
				require.Equal(t, append([]string{}, example.january...), s.paid(t, side, january))
				require.Equal(t, append([]string{}, example.february...), s.paid(t, side, february))
				require.Empty(t, s.paid(t, otherSide, january))
				require.Empty(t, open(t, e).paid(t, side, january), "of another company")
			})
		})
	}
}

// TestPages has more payments on two days than are read at once.
func TestPages(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := open(t, e)
		id := s.record(t, sale("1210", [4]string{"PVM1", "21", "1000", "210"}))
		s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			items, err := ledger.LockItems(ctx, tx, id)
			require.NoError(t, err)
			var all []ledger.Settlement
			for n := range 1210 {
				all = append(all, ledger.Settlement{
					Item: items[id], Amount: parse(t, "1", money.EUR), SourceType: ledger.SourcePayment, SourceID: tenant.NewID(), Date: day(5 + n/600),
				})
			}
			return ledger.SettleAll(ctx, tx, all)
		})
		payments := s.paid(t, register.Sales, january)
		require.Len(t, payments, 1210)
		net, tax := money.Zero(money.EUR), money.Zero(money.EUR)
		for _, p := range payments {
			n, v, _ := strings.Cut(strings.Fields(p)[2], "+")
			net, tax = net.Add(parse(t, n, money.EUR)), tax.Add(parse(t, v, money.EUR))
		}
		require.Equal(t, []string{"1000.00", "210.00"}, []string{net.String(), tax.String()})
		s.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			for range cash.Payments(ctx, r, register.Sales, january, january.LastOfMonth()) { //nolint:errcheck // the loop ends at once
				break
			}
			return nil
		})
	})
}
