package payout

import (
	"slices"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
)

// accounts are the codes that a posting uses.
type accounts struct {
	bank, fees, suspense, commission, sellers, gain, loss string
}

// flow is an amount on an account in the currency of the settlement: credited when positive, debited when negative.
type flow struct {
	account string
	minor   int64
	// book is what the amount is worth in the base currency when it is not what the rate of the day makes of it.
	book  *int64
	label string
}

// flows are the entries of a reckoning, each with one side. Receivables are taken together by account, apart for what was paid
// and what was opened again.
func (k *reckoning) flows(a accounts) []flow {
	list := []flow{{account: a.bank, minor: -k.net}}
	both := func(account string, s sides, label string) {
		list = append(list, flow{account: account, minor: -s.debit, label: label}, flow{account: account, minor: s.credit, label: label})
	}
	both(a.fees, k.fees, "Fees")
	list = append(list, k.receivables()...)
	both(a.commission, k.commission, "Commission")
	both(a.sellers, k.sellers, "Owed to sellers")
	both(a.suspense, k.suspense, "Not explained")
	return slices.DeleteFunc(list, func(f flow) bool { return f.minor == 0 })
}

func (k *reckoning) receivables() []flow {
	list := []flow{}
	for _, a := range k.applications {
		at := slices.IndexFunc(list, func(f flow) bool { return f.account == a.item.AccountCode && (f.minor > 0) == (a.amount > 0) })
		if at < 0 {
			at = len(list)
			f := flow{account: a.item.AccountCode, book: new(int64), label: "Invoices paid"}
			if a.amount < 0 {
				f.label = "Invoices opened again"
			}
			list = append(list, f)
		}
		list[at].minor += a.amount
		*list[at].book += bookValue(a.item, a.before) - bookValue(a.item, a.before-a.amount)
	}
	return list
}

// bookValue is what an item stands in the books with while an amount of it is open. Only minor units count here, so the
// item's own currency serves for both.
func bookValue(item *ledger.OpenItem, open int64) int64 {
	settled := money.New(item.AmountMinor-open, item.Currency)
	return item.BaseAmountMinor - item.SettledBase(settled, item.Currency).Minor()
}

// postingLines turns flows into the lines of a posting. In a foreign currency the base amounts are shares that come to nothing
// together, but for items, which keep what they were booked at; the difference is a gain or a loss.
func postingLines(flows []flow, a accounts, rate money.Decimal, c, base money.Currency) []ledger.Line {
	lines := make([]ledger.Line, len(flows))
	if c == base {
		for i, f := range flows {
			lines[i] = f.line(c, f.minor, base)
		}
		return lines
	}
	shares := make([]money.Decimal, len(flows))
	for i, f := range flows {
		shares[i] = money.New(f.minor, c).Decimal().Div(rate, sharePlaces)
	}
	gain := int64(0)
	for i, part := range money.Spread(money.Zero(base), shares) {
		worth := part.Minor()
		if flows[i].book != nil {
			gain += worth - *flows[i].book
			worth = *flows[i].book
		}
		lines[i] = flows[i].line(c, worth, base)
	}
	if gain > 0 {
		lines = append(lines, ledger.Line{AccountCode: a.gain, Credit: money.New(gain, base)})
	} else if gain < 0 {
		lines = append(lines, ledger.Line{AccountCode: a.loss, Debit: money.New(-gain, base)})
	}
	return lines
}

// sharePlaces is the precision of shares in the base currency: with up to a few dozen of them the errors stay far below a cent.
const sharePlaces = 16

func (f flow) line(c money.Currency, worth int64, base money.Currency) ledger.Line {
	l := ledger.Line{AccountCode: f.account, Description: f.label}
	if f.minor < 0 {
		l.Debit, l.BaseDebit = money.New(-f.minor, c), money.New(-worth, base)
	} else {
		l.Credit, l.BaseCredit = money.New(f.minor, c), money.New(worth, base)
	}
	return l
}
