package payout

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/payout/report"
)

// maxWarnings bounds the lines that are named one by one.
const maxWarnings = 50

// warnings say what an accountant should look at: where the payout and the books meet only by way of suspense, and what the report could
// not tell.
func (b *booking) warnings() []string {
	s, k := b.settlement, b.reckoning
	list := []string{}
	if s.Currency != b.bank.Currency {
		list = append(list, fmt.Sprintf("The payout is in %s, the bank account %s in %s: what the bank made of it may differ.",
			s.Currency, b.bank.Name, b.bank.Currency))
	}
	if k.net < 0 {
		list = append(list, fmt.Sprintf("The provider charged the bank account with %s %s.", s.amount(-k.net), s.Currency))
	}
	if k.unexplained > 0 {
		list = append(list, fmt.Sprintf("%d lines without an invoice are in suspense.", k.unexplained))
	}
	for i, e := range k.excess {
		if i == maxWarnings {
			list = append(list, fmt.Sprintf("%d more lines are in suspense in part.", len(k.excess)-i))
			break
		}
		list = append(list, s.explain(e))
	}
	return append(list, b.doubts()...)
}

func (s *Settlement) explain(e surplus) string {
	if e.amount > 0 {
		return fmt.Sprintf("Of the line %s, %s %s is more than could be applied to %s; it is in suspense.",
			e.line.ExternalID, s.amount(e.amount), s.Currency, e.item.DocumentNumber)
	}
	return fmt.Sprintf("Of the line %s, %s %s is more than was applied to %s before; it is in suspense.",
		e.line.ExternalID, s.amount(-e.amount), s.Currency, e.item.DocumentNumber)
}

// doubts are about the report itself.
func (b *booking) doubts() []string {
	list := []string{}
	refunds := 0
	for i := range b.lines {
		l := &b.lines[i]
		if l.Category != report.CategoryRefund {
			continue
		}
		refunds++
		if l.GrossMinor > 0 && len(list) < maxWarnings {
			list = append(list, fmt.Sprintf("The line %s is a refund that brought money; look whether the report has the right sign.", l.ExternalID))
		}
	}
	if b.settlement.Format == report.UnifiedPayments && refunds > 0 {
		list = append(list, fmt.Sprintf("The report does not say which payout %d refunds were taken from; this one was assumed.", refunds))
	}
	return list
}
