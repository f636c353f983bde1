package invoice

import (
	"context"

	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// posting is a draft with all that its issue books.
type posting struct {
	*draft
	// item is the open item of what a note adjusts, held, else nil.
	item   *ledger.OpenItem
	rate   money.Decimal
	booked []bookedGroup
	// receivable, income and vat are account codes; income is that of advances received for an advance.
	receivable, income, vat string
}

// bookedGroup is a group in both currencies.
type bookedGroup struct {
	group
	baseNet, baseVAT money.Amount
}

// sums are what groups come to.
type sums struct {
	net, vat, baseNet, baseVAT money.Amount
}

func (s sums) gross() money.Amount     { return s.net.Add(s.vat) }
func (s sums) baseGross() money.Amount { return s.baseNet.Add(s.baseVAT) }

func addUp(groups []bookedGroup, c, base money.Currency) sums {
	s := sums{money.Zero(c), money.Zero(c), money.Zero(base), money.Zero(base)}
	for _, g := range groups {
		s.net, s.vat = s.net.Add(g.net), s.vat.Add(g.vat)
		s.baseNet, s.baseVAT = s.baseNet.Add(g.baseNet), s.baseVAT.Add(g.baseVAT)
	}
	return s
}

// convert works out base amounts, per group, at the rate of the date of supply. A note has the rate of what it adjusts.
func (p *posting) convert(ctx context.Context, tx tenant.Tx) error {
	base := tx.Company().BaseCurrency
	if p.adjusted != nil {
		p.rate = *p.adjusted.ExchangeRate
	} else {
		rate, err := fx.Rate(ctx, tx, p.row.Currency, supplyOrIssue(p.row.Heading))
		if err != nil {
			return err //nolint:wrapcheck // says which rate is missing
		}
		p.rate = rate
	}
	if whole := fx.ToBase(p.row.amount(p.row.GrossMinor), p.rate, base); whole.Cmp(money.New(money.MaxMinor, base)) > 0 {
		return ErrAmount.New("The document comes to %s %s, more than the books take.", whole, base).Field("lines", "come to more than the books take")
	}
	for _, g := range p.groups() {
		b := bookedGroup{group: g, baseNet: fx.ToBase(g.net, p.rate, base), baseVAT: fx.ToBase(g.vat, p.rate, base)}
		if p.row.Type == TypeCreditNote {
			c, _ := p.adjusted.find(g)
			b.baseNet = creditInBase(g.net, c.creditedNet, p.rate, base)
			b.baseVAT = creditInBase(g.vat, c.creditedVAT, p.rate, base)
		}
		p.booked = append(p.booked, b)
	}
	return nil
}

// creditInBase converts what all credits come to with this one, less what they came to before: so that the credits of a
// document add up to it in the base currency too.
func creditInBase(amount, before money.Amount, rate money.Decimal, base money.Currency) money.Amount {
	return fx.ToBase(before.Add(amount), rate, base).Sub(fx.ToBase(before, rate, base))
}

func (p *posting) chooseAccounts(ctx context.Context, r tenant.Reader) error {
	income := ledger.RuleRevenueProducts
	if p.row.Type == TypeAdvance || (p.adjusted != nil && p.adjusted.Type == TypeAdvance) {
		income = ledger.RuleAdvancesReceived
	}
	codes, err := ledger.AccountCodes(ctx, r, ledger.RuleReceivable, income, ledger.RuleVATPayable)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	p.receivable, p.income, p.vat = codes[ledger.RuleReceivable], codes[income], codes[ledger.RuleVATPayable]
	if p.item != nil {
		// What is owed lies on the account it was booked to, whatever the rule says now.
		p.receivable = p.item.AccountCode
	}
	return nil
}

// post books the document: what the customer owes against income and VAT, or the reverse for a credit note.
func (p *posting) post(ctx context.Context, tx tenant.Tx, fullNumber string) (*ledger.Transaction, error) {
	s := addUp(p.booked, p.row.Currency, tx.Company().BaseCurrency)
	owed := ledger.Line{AccountCode: p.receivable, Debit: s.gross(), BaseDebit: s.baseGross()}
	earned := ledger.Line{AccountCode: p.income, Credit: s.net, BaseCredit: s.baseNet}
	taxed := ledger.Line{AccountCode: p.vat, Credit: s.vat, BaseCredit: s.baseVAT}
	lines := []ledger.Line{owed, earned, taxed}
	if p.row.Type == TypeCreditNote {
		lines = []ledger.Line{otherSide(earned), otherSide(taxed), otherSide(owed)}
	}
	return ledger.Post(ctx, tx, ledger.Posting{ //nolint:wrapcheck // says what cannot be posted
		Date: p.row.IssueDate, Description: called[p.row.Type] + " " + fullNumber + ", " + p.buyer.Name,
		DocumentType: documentType, DocumentID: p.row.ID, Lines: lines,
	})
}

func otherSide(l ledger.Line) ledger.Line {
	l.Debit, l.Credit, l.BaseDebit, l.BaseCredit = l.Credit, l.Debit, l.BaseCredit, l.BaseDebit
	return l
}
