package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// checkedLine has one positive side and carries it in both currencies.
type checkedLine struct {
	Line
	currency money.Currency
}

// check refuses what cannot be posted and drops lines without an amount. It reads nothing but the posting.
func (p Posting) check(base money.Currency) ([]checkedLine, error) {
	if p.Date.IsZero() {
		return nil, ErrInvalidPosting.New("A posting needs a date.").Field("date", "is missing")
	}
	if (p.DocumentType == "") != p.DocumentID.IsZero() {
		return nil, fmt.Errorf("posting: the document type %q and the document id go together", p.DocumentType)
	}
	lines := make([]checkedLine, 0, len(p.Lines))
	for i, l := range p.Lines {
		if l.Debit.IsZero() && l.Credit.IsZero() && l.BaseDebit.IsZero() && l.BaseCredit.IsZero() {
			continue
		}
		checked, err := l.check(i, base)
		if err != nil {
			return nil, err
		}
		lines = append(lines, checked)
	}
	if len(lines) < minLines || len(lines) > maxLines {
		return nil, ErrInvalidPosting.New("A posting has %d to %d lines with an amount; this one has %d.", minLines, maxLines, len(lines))
	}
	return lines, balanced(lines, base)
}

func (l Line) check(index int, base money.Currency) (checkedLine, error) {
	refused := func(fault string) (checkedLine, error) {
		return checkedLine{}, ErrInvalidPosting.New("Line %d of the posting %s.", index+1, fault).
			Detail("line", index).Detail("accountCode", l.AccountCode)
	}
	if l.Debit.IsNegative() || l.Credit.IsNegative() || l.BaseDebit.IsNegative() || l.BaseCredit.IsNegative() {
		return refused("has a negative amount; use the other side instead")
	}
	if l.Debit.IsPositive() == l.Credit.IsPositive() {
		return refused("must have either a debit or a credit")
	}
	amount, given, otherBase := l.Debit, &l.BaseDebit, l.BaseCredit
	if l.Credit.IsPositive() {
		amount, given, otherBase = l.Credit, &l.BaseCredit, l.BaseDebit
	}
	if !otherBase.IsZero() {
		return refused("has its base amount on the other side")
	}
	switch {
	case amount.Currency() == base:
		if !given.IsZero() && *given != amount {
			return refused("is in the base currency and differs from its own base amount")
		}
		*given = amount
	case amount.Currency().IsZero() || given.Currency() != base:
		// Rounding may leave nothing of a small foreign amount, but a base amount must have been worked out.
		return checkedLine{}, fmt.Errorf("posting line %d: %s %s needs its amount in %s", index+1, amount, amount.Currency(), base)
	}
	return checkedLine{l, amount.Currency()}, nil
}

// balanced adds up every foreign currency by itself, and everything in the base currency.
func balanced(lines []checkedLine, base money.Currency) error {
	differences := map[string]money.Amount{}
	add := func(c money.Currency, debit, credit money.Amount) {
		sum, ok := differences[c.Code()]
		if !ok {
			sum = money.Zero(c)
		}
		differences[c.Code()] = money.New(sum.Minor()+debit.Minor()-credit.Minor(), c)
	}
	for _, l := range lines {
		add(base, l.BaseDebit, l.BaseCredit)
		if l.currency != base {
			add(l.currency, l.Debit, l.Credit)
		}
	}
	maps.DeleteFunc(differences, func(_ string, d money.Amount) bool { return d.IsZero() })
	if len(differences) == 0 {
		return nil
	}
	texts := make([]string, 0, len(differences))
	details := map[string]string{}
	for _, code := range slices.Sorted(maps.Keys(differences)) {
		texts = append(texts, differences[code].String()+" "+code)
		details[code] = differences[code].String()
	}
	return ErrUnbalanced.New("Debits less credits give %s; every currency must come to zero.", strings.Join(texts, " and ")).
		Detail("difference", details)
}
