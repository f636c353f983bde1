package purchase

import (
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// sharePlaces is the precision of a line's exact share of a converted amount, far finer than a minor unit.
const sharePlaces = 30

// reckoning is what a document does to the books, in both currencies. It is the same for a credit note; mirrored says that
// sides and signs are swapped.
type reckoning struct {
	mirrored bool
	// costs are what each line adds to its account: net, and VAT that cannot be deducted.
	costs []cost
	// inputVAT is the deductible VAT on the document.
	inputVAT, baseInputVAT money.Amount
	// selfAssessed is the VAT the buyer computes, offset the import VAT that VMI offsets, in the base currency, in which they are
	// declared.
	selfAssessed, offset money.Amount
	// owed is what is paid in the document's currency, gross the same in the base currency: what the groups come to.
	owed, gross money.Amount
	groups      []register.Group
}

type cost struct {
	account, description string
	amount, base         money.Amount
}

// reckon works out a document at a rate. Net and VAT of each group are converted once; a line gets its share of them.
func (d *document) reckon(rate money.Decimal, base money.Currency) reckoning {
	r := reckoning{
		mirrored: d.Type == TypeCreditNote, costs: make([]cost, len(d.lines)),
		inputVAT: money.Zero(d.Currency), baseInputVAT: money.Zero(base), selfAssessed: money.Zero(base), offset: money.Zero(base),
		owed: d.owed(), gross: money.Zero(base),
	}
	for _, g := range d.totals.Groups {
		members := d.members(g)
		t := d.treatments[members[0]]
		baseNet, baseVAT := fx.ToBase(g.Net, rate, base), fx.ToBase(g.VAT, rate, base)
		nets, vats := d.share(members, rate, baseNet, baseVAT)
		for n, at := range members {
			r.costs[at] = d.cost(at, nets[n], vats[n])
		}
		if !t.isImport() {
			r.gross = r.gross.Add(baseNet)
		}
		switch {
		case t.offset:
			r.offset = r.offset.Add(baseVAT)
		case t.deductible:
			r.inputVAT, r.baseInputVAT = r.inputVAT.Add(g.VAT), r.baseInputVAT.Add(baseVAT)
			r.gross = r.gross.Add(baseVAT)
		default:
			r.gross = r.gross.Add(baseVAT)
		}
		fact := register.Group{Code: g.Code, Rate: g.Rate, Net: g.Net, VAT: g.VAT, BaseNet: baseNet, BaseVAT: baseVAT}
		if t.buyerComputes {
			fact.VAT, fact.BaseVAT = money.PercentOf(g.Net, t.rate), money.PercentOf(baseNet, t.rate)
			r.selfAssessed = r.selfAssessed.Add(fact.BaseVAT)
		}
		if d.setting.entersRegister(t) {
			r.groups = append(r.groups, r.signed(fact))
		}
	}
	return r
}

// cost is what a line adds to its account. The value of an import is the foreign supplier's to charge.
func (d *document) cost(at int, net, tax money.Amount) cost {
	line, sums, t := d.lines[at], d.totals.Lines[at], d.treatments[at]
	c := cost{*line.AccountCode, line.Description, sums.Net, net}
	if t.isImport() {
		c.amount, c.base = money.Zero(sums.Net.Currency()), money.Zero(net.Currency())
	}
	if !t.deductible {
		c.amount, c.base = c.amount.Add(sums.VAT), c.base.Add(tax)
	}
	return c
}

// members are the lines of a group.
func (d *document) members(g vat.Group) []int {
	var members []int
	for n, t := range d.treatments {
		if t.code == g.Code && t.rate.Cmp(g.Rate) == 0 && t.buyerComputes != g.ChargesVAT {
			members = append(members, n)
		}
	}
	return members
}

// share gives each line of a group its part of the converted net and VAT.
func (d *document) share(members []int, rate money.Decimal, baseNet, baseVAT money.Amount) (nets, vats []money.Amount) {
	netShares, vatShares := make([]money.Decimal, len(members)), make([]money.Decimal, len(members))
	for n, at := range members {
		netShares[n] = d.totals.Lines[at].Net.Decimal().Div(rate, sharePlaces)
		vatShares[n] = d.totals.Lines[at].VAT.Decimal().Div(rate, sharePlaces)
	}
	return money.Spread(baseNet, netShares), money.Spread(baseVAT, vatShares)
}

// signed gives a group the sign of its effect on the register of received invoices.
func (r reckoning) signed(g register.Group) register.Group {
	if r.mirrored {
		g.Net, g.VAT, g.BaseNet, g.BaseVAT = g.Net.Neg(), g.VAT.Neg(), g.BaseNet.Neg(), g.BaseVAT.Neg()
	}
	return g
}

// posting writes the reckoning as entries: cost and VAT against the payable. VAT that the buyer computes is owed and deducted
// at once, and never a part of the payable; so is import VAT that VMI offsets.
func (r reckoning) posting(accounts map[ledger.Rule]string) []ledger.Line {
	lines := make([]ledger.Line, 0, len(r.costs)+6)
	for _, c := range r.costs {
		lines = append(lines, r.entry(c.account, c.description, c.amount, c.base))
	}
	const reverseCharge, offset = "VAT computed by the buyer", "Import VAT offset in the return"
	return append(lines,
		r.entry(accounts[ledger.RuleVATReceivable], "", r.inputVAT, r.baseInputVAT),
		r.entry(accounts[ledger.RuleVATReceivable], reverseCharge, r.selfAssessed, r.selfAssessed),
		r.entry(accounts[ledger.RuleVATPayable], reverseCharge, r.selfAssessed.Neg(), r.selfAssessed.Neg()),
		r.entry(accounts[ledger.RuleVATReceivable], offset, r.offset, r.offset),
		r.entry(accounts[ledger.RuleVATPayable], offset, r.offset.Neg(), r.offset.Neg()),
		r.entry(accounts[ledger.RulePayables], "", r.owed.Neg(), r.gross.Neg()))
}

// entry debits a positive amount and credits a negative one, or with a credit note the other way round.
func (r reckoning) entry(account, description string, amount, base money.Amount) ledger.Line {
	if r.mirrored {
		amount, base = amount.Neg(), base.Neg()
	}
	line := ledger.Line{AccountCode: account, Description: description}
	switch {
	case amount.IsPositive():
		line.Debit, line.BaseDebit = amount, base
	case amount.IsNegative():
		line.Credit, line.BaseCredit = amount.Neg(), base.Neg()
	}
	return line
}
