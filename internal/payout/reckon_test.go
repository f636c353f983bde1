package payout

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

var categories = []string{"charge", "refund", "refund_failure", "dispute", "dispute_reversal", "fee", "network_cost", "adjustment"}

// drawn is a settlement with invoices, some of its lines matched with them.
type drawn struct {
	currency money.Currency
	lines    []Line
	items    map[tenant.ID]*ledger.OpenItem
	history  map[string]past
	percent  *money.Decimal
}

func draw(t *rapid.T) drawn {
	d := drawn{items: map[tenant.ID]*ledger.OpenItem{}, history: map[string]past{}}
	d.currency = money.MustCurrency(rapid.SampledFrom([]string{"EUR", "USD", "JPY", "KWD"}).Draw(t, "currency"))
	amounts := rapid.Int64Range(-1_000_000, 1_000_000)
	ids := []tenant.ID{}
	for i := range rapid.IntRange(0, 4).Draw(t, "invoices") {
		amount := rapid.Int64Range(1, 500_000).Draw(t, "amount")
		item := &ledger.OpenItem{
			DocumentID: tenant.NewID(), DocumentNumber: fmt.Sprint("SF", i), Currency: d.currency, AmountMinor: amount,
			OpenMinor:   rapid.Int64Range(0, amount).Draw(t, "open"),
			AccountCode: rapid.SampledFrom([]string{"2410", "2411"}).Draw(t, "receivable"),
		}
		if item.BaseAmountMinor = amount; d.currency != money.EUR {
			item.BaseAmountMinor = rapid.Int64Range(0, 500_000).Draw(t, "base")
		}
		d.items[item.DocumentID] = item
		ids = append(ids, item.DocumentID)
	}
	for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
		l := Line{ExternalID: fmt.Sprint("t", i), Category: rapid.SampledFrom(categories).Draw(t, "category"), MatchState: stateNone}
		l.GrossMinor, l.FeeMinor = amounts.Draw(t, "gross"), amounts.Draw(t, "fee")
		l.NetMinor = l.GrossMinor - l.FeeMinor
		if len(ids) > 0 && rapid.Bool().Draw(t, "matched") {
			l.matched(rapid.SampledFrom(ids).Draw(t, "invoice"))
		}
		if charge := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "charge"); charge != "" {
			l.ChargeID = &charge
		}
		d.lines = append(d.lines, l)
	}
	if rapid.Bool().Draw(t, "has history") {
		d.history["a"] = past{amounts.Draw(t, "past gross"), amounts.Draw(t, "past applied"), rapid.Bool().Draw(t, "past charge")}
	}
	if rapid.Bool().Draw(t, "marketplace") {
		p := money.DecimalFromInt(rapid.Int64Range(0, 10_000).Draw(t, "percent")).Div(money.DecimalFromInt(100), 2)
		d.percent = &p
	}
	return d
}

// TestReckonBalances draws lines of any sort: what is posted balances in both currencies, the bank gets the net, and no item is
// settled beyond its amount.
func TestReckonBalances(t *testing.T) {
	t.Parallel()
	codes := accounts{bank: "bank", fees: "fees", suspense: "suspense", commission: "commission", sellers: "sellers", gain: "gain", loss: "loss"}
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		k := reckon(d.lines, d.items, d.history, d.percent, d.currency)
		rate := money.DecimalFromInt(rapid.Int64Range(1, 500_000).Draw(t, "rate")).Div(money.DecimalFromInt(1000), 3)
		foreign, base, bank := int64(0), int64(0), int64(0)
		for _, l := range postingLines(k.flows(codes), codes, rate, d.currency, money.EUR) {
			require.NotEqual(t, l.Debit.IsPositive(), l.Credit.IsPositive(), "one side")
			for _, a := range []money.Amount{l.Debit, l.Credit, l.BaseDebit, l.BaseCredit} {
				require.False(t, a.IsNegative())
			}
			if l.AccountCode == "gain" || l.AccountCode == "loss" {
				base += l.Debit.Minor() - l.Credit.Minor()
				continue
			}
			foreign += l.Debit.Minor() - l.Credit.Minor()
			base += l.BaseDebit.Minor() - l.BaseCredit.Minor()
			if l.AccountCode == "bank" {
				bank += l.Debit.Minor() - l.Credit.Minor()
			}
		}
		require.Zero(t, foreign)
		require.Zero(t, base)
		net := int64(0)
		for _, l := range d.lines {
			net += l.NetMinor
		}
		require.Equal(t, net, bank)
		s := k.summary(d.currency)
		require.Equal(t, net, s.ReceivableApplied.Add(s.CommissionAmount).Add(s.SellerAmount).Add(s.SuspenseAmount).Sub(s.FeeAmount).Minor())
		requireWithinItems(t, d, k)
	})
}

func requireWithinItems(t *rapid.T, d drawn, k *reckoning) {
	open := map[tenant.ID]int64{}
	for id, item := range d.items {
		open[id] = item.OpenMinor
	}
	for _, a := range k.applications {
		require.Equal(t, open[a.item.DocumentID], a.before)
		require.Equal(t, sign(a.line.GrossMinor), sign(a.amount), "a line moves an item its own way")
		require.LessOrEqual(t, max(a.amount, -a.amount), max(a.line.GrossMinor, -a.line.GrossMinor))
		open[a.item.DocumentID] -= a.amount
		require.GreaterOrEqual(t, open[a.item.DocumentID], int64(0))
		require.LessOrEqual(t, open[a.item.DocumentID], a.item.AmountMinor)
	}
}

// TestShareDoesNotDependOnOrder posts a payment and a refund of it in both orders, on an invoice that takes all of it.
func TestShareDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		paid := rapid.Int64Range(1, 1000).Draw(t, "paid")
		back := -rapid.Int64Range(1, paid).Draw(t, "back")
		amount := rapid.Int64Range(paid, 2000).Draw(t, "amount")
		after := func(grosses ...int64) int64 {
			open, p := amount, past{}
			for _, gross := range grosses {
				applied := p.share(gross, open, amount)
				open -= applied
				p = past{p.gross + gross, p.applied + applied, p.hasCharge || gross > 0}
			}
			return open
		}
		require.Equal(t, amount-paid-back, after(paid, back))
		require.Equal(t, after(paid, back), after(back, paid))
	})
}

func TestMentioned(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	for in, want := range map[string][]string{
		"":                      nil,
		"Order 12":              {"Order12", "ORDER12"},
		"Invoice sf260000001.":  {"sf260000001", "SF260000001", "Invoicesf260000001", "INVOICESF260000001"},
		"PZ-26/7":               {"PZ-26/7", "PZ267"},
		"no digits at all here": nil,
	} {
		require.Equal(t, want, mentioned(text(in)).numbers, in)
	}
	id := tenant.NewID()
	m := mentioned(text("order " + id.String()))
	require.Equal(t, []tenant.ID{id}, m.ids)
	many := ""
	for i := range 100 {
		many += fmt.Sprint("N", 100+i, " ")
	}
	require.Len(t, mentioned(&many).numbers, maxNumbers)
	require.Empty(t, mentioned(nil, nil).numbers)
}
