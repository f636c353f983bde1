package bank

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of suggestions.
const (
	DefaultSuggestions = 10
	MaxSuggestions     = 50
)

// Suggestion is a document that a transaction may settle, with the reasons.
type Suggestion struct {
	Item        ledger.OpenItem
	PartnerName string
	// Score is 1 to 100.
	Score   int
	Reasons []string
}

// Suggest looks for documents that a transaction may settle: open ones of the right direction and currency, the likeliest
// first. A transaction that has settled a document gets none. Error: not_found.
func Suggest(ctx context.Context, r tenant.Reader, transactionID tenant.ID, limit int) ([]Suggestion, error) {
	state, err := Get(ctx, r, transactionID)
	if err != nil || state.Status == StatusMatched {
		return nil, err
	}
	known, err := partnersOf(ctx, r, state.CounterpartyIBAN)
	if err != nil {
		return nil, err
	}
	candidates, err := candidatesFor(ctx, r, state.Transaction, known)
	if err != nil {
		return nil, err
	}
	var found []Suggestion
	for _, c := range candidates {
		if s, ok := suggest(state.Transaction, c, known[c.PartnerID]); ok {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), a.Item.DueDate.Compare(b.Item.DueDate), slices.Compare(a.Item.ID[:], b.Item.ID[:]))
	})
	if limit == 0 {
		limit = DefaultSuggestions
	}
	return found[:min(len(found), limit, MaxSuggestions)], nil
}

// partnersOf are the partners that earlier transactions from or to an account have settled documents of.
func partnersOf(ctx context.Context, r tenant.Reader, iban *string) (map[tenant.ID]bool, error) {
	known := map[tenant.ID]bool{}
	if iban == nil {
		return known, nil
	}
	ids, err := tenant.Query[tenant.ID](ctx, r, `SELECT DISTINCT i.partner_id FROM bank_transactions t
		JOIN bank_matches m ON m.company_id = t.company_id AND m.transaction_id = t.id
		JOIN open_items i ON i.company_id = m.company_id AND i.document_id = m.document_id
		WHERE t.company_id = @company AND t.counterparty_iban = ? LIMIT 100`, *iban)
	if err != nil {
		return nil, fmt.Errorf("looking for partners of an account: %w", err)
	}
	for _, id := range ids {
		known[id] = true
	}
	return known, nil
}

// Points of each reason. Two good ones make a match likely; a near due date alone is none.
const (
	pointsAmount  = 50
	pointsNumber  = 40
	pointsAccount = 30
	pointsName    = 20
	pointsWeek    = 10
	pointsMonth   = 5
	maxScore      = 100
)

// suggest weighs one document; ok is false when nothing speaks for it.
func suggest(t Transaction, c candidate, knownAccount bool) (Suggestion, bool) {
	s := Suggestion{Item: c.OpenItem, PartnerName: c.PartnerName}
	add := func(points int, format string, args ...any) {
		s.Score += points
		s.Reasons = append(s.Reasons, fmt.Sprintf(format, args...))
	}
	paid := t.Amount().Abs()
	switch {
	case paid == c.Open():
		add(pointsAmount, "The amount is what is open, %s.", c.Open())
	case paid == c.Amount():
		add(pointsAmount/2, "The amount is the total of the document, %s.", c.Amount())
	}
	if namesNumber(valueOf(t.Description), c.DocumentNumber) {
		add(pointsNumber, "The description names %s.", c.DocumentNumber)
	}
	if knownAccount {
		add(pointsAccount, "The partner has used the account %s before.", valueOf(t.CounterpartyIBAN))
	}
	if alike := likeness(valueOf(t.CounterpartyName), c.PartnerName, pointsName); alike > 0 {
		add(alike, "The name %s is like %s.", valueOf(t.CounterpartyName), c.PartnerName)
	}
	if s.Score == 0 {
		return s, false
	}
	switch days := daysBetween(t.TransactionDate, c.DueDate); {
	case days <= 7:
		add(pointsWeek, "It is due on %s.", c.DueDate)
	case days <= 30:
		add(pointsMonth, "It is due on %s.", c.DueDate)
	}
	s.Score = min(s.Score, maxScore)
	return s, true
}

// daysBetween counts up to 31 days, in either direction.
func daysBetween(a, b date.Date) int {
	if b.Before(a) {
		a, b = b, a
	}
	days := 0
	for a.Before(b) && days <= 30 {
		a, days = a.AddDays(1), days+1
	}
	return days
}

// GrossTotal is what the document asked for.
func (s Suggestion) GrossTotal() money.Amount { return s.Item.Amount() }

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
