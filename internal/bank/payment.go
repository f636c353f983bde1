package bank

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// payment is a transaction with the open item that it settles. Amounts are positive, in the currency of both; those with
// Base in the name are in the base currency.
type payment struct {
	Transaction
	account *Account
	item    *ledger.OpenItem
	// settled and rest add up to the transaction; paidBase and restBase are their worth on the day of payment, bookedBase the
	// worth that settled was booked at.
	settled, rest                  money.Amount
	paidBase, restBase, bookedBase money.Amount
	restAccount                    string
}

// kind is what the transaction can settle.
func (p *payment) kind() ledger.ItemKind {
	if p.AmountMinor > 0 {
		return ledger.ItemReceivable
	}
	return ledger.ItemPayable
}

// split works out how much of the transaction settles the item, and what both parts are worth.
func (p *payment) split(rate money.Decimal, base money.Currency) {
	paid, open := p.Amount().Abs(), p.item.Open()
	p.settled = paid
	if open.Cmp(paid) < 0 {
		p.settled = open
	}
	p.rest = paid.Sub(p.settled)
	p.paidBase = fx.ToBase(p.settled, rate, base)
	// What is left of the worth of the whole, so that the parts add up to what the bank account shows.
	p.restBase = fx.ToBase(paid, rate, base).Sub(p.paidBase)
	before := p.item.Amount().Sub(open)
	p.bookedBase = p.item.SettledBase(before.Add(p.settled), base).Sub(p.item.SettledBase(before, base))
}

// book posts the transaction: the bank account against the debt, with what was paid too much and the exchange difference.
func (p *payment) book(ctx context.Context, tx tenant.Tx) (*ledger.Transaction, error) {
	rate, err := fx.Rate(ctx, tx, p.Currency, p.TransactionDate)
	if err != nil {
		return nil, err //nolint:wrapcheck // says which rate is missing
	}
	p.split(rate, tx.Company().BaseCurrency)
	codes, err := ledger.AccountCodes(ctx, tx, ledger.RuleAdvancesReceived, ledger.RuleFXGain, ledger.RuleFXLoss)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	p.restAccount = p.item.AccountCode
	if p.kind() == ledger.ItemReceivable && p.item.DocumentType == string(SaleInvoice) {
		p.restAccount = codes[ledger.RuleAdvancesReceived]
	}
	return ledger.Post(ctx, tx, ledger.Posting{ //nolint:wrapcheck // says what cannot be posted
		Date: p.TransactionDate, Description: p.posted(), DocumentType: documentTransaction, DocumentID: p.ID, Lines: p.lines(codes),
	})
}

// lines are those of money that came in, or their mirror.
func (p *payment) lines(codes map[ledger.Rule]string) []ledger.Line {
	lines := []ledger.Line{
		{AccountCode: p.account.AccountCode, Debit: p.Amount().Abs(), BaseDebit: p.paidBase.Add(p.restBase)},
		{AccountCode: p.item.AccountCode, Credit: p.settled, BaseCredit: p.bookedBase},
		{AccountCode: p.restAccount, Credit: p.rest, BaseCredit: p.restBase},
	}
	gain := p.paidBase.Sub(p.bookedBase)
	if p.kind() == ledger.ItemPayable {
		for i, l := range lines {
			lines[i].Debit, lines[i].Credit, lines[i].BaseDebit, lines[i].BaseCredit = l.Credit, l.Debit, l.BaseCredit, l.BaseDebit
		}
		gain = gain.Neg()
	}
	return append(lines, ledger.ExchangeDifference(codes, gain)...)
}

// posted describes the transaction in the journal.
func (p *payment) posted() string {
	what := "Payment of"
	if p.item.DocumentType == documentTransaction {
		what = "Repayment:"
	}
	if p.CounterpartyName == nil {
		return fmt.Sprintf("%s %s", what, p.item.DocumentNumber)
	}
	return fmt.Sprintf("%s %s, %s", what, p.item.DocumentNumber, *p.CounterpartyName)
}
