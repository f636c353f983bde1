package report

import (
	"context"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Months of the monthly summary.
const (
	defaultMonths = 12
	maxMonths     = 60
)

// Trade debts, by the codes of the template.
const (
	receivablePrefix = "241" // what customers owe
	payablePrefix    = "443" // what suppliers and sellers are owed
)

// MonthlyInput asks for the last months up to the present one, or the one of asOf.
type MonthlyInput struct {
	Months int `json:"months,omitzero" minimum:"1" maximum:"60" description:"How many months; 12 unless given."`
	AsOfInput
}

// First is the first of the months up to that of asOf, which must be given.
func (in MonthlyInput) First() date.Month {
	count := min(in.Months, maxMonths)
	if count == 0 {
		count = defaultMonths
	}
	return date.MonthOf(in.AsOf.FirstOfMonth().AddMonths(1 - count))
}

// MonthlySummary is a line for each month.
type MonthlySummary struct {
	Rows []MonthSummary `json:"rows" description:"Months, the first one first."`
}

// MonthSummary is how a month went and how it ended.
type MonthSummary struct {
	Year        int          `json:"year" description:"Year."`
	Month       int          `json:"month" description:"Month, 1 to 12."`
	Receivables money.Amount `json:"receivables" description:"What customers owed at its end, accounts 241."`
	Payables    money.Amount `json:"payables" description:"What suppliers were owed at its end, accounts 443."`
	Revenue     money.Amount `json:"revenue" description:"What income accounts took."`
	Expenses    money.Amount `json:"expenses" description:"What expense accounts took."`
	NetResult   money.Amount `json:"netResult" description:"Revenue less expenses."`
}

// SummarizeMonths computes a line for each of the last months. Entries that close the year into the income summary are not
// counted as income or expense.
func SummarizeMonths(ctx context.Context, r tenant.ReadTx, in MonthlyInput) (MonthlySummary, error) {
	in.AsOfInput = in.On(r.Today())
	first, last := in.First(), date.MonthOf(in.AsOf)
	accounts, err := chart(ctx, r)
	if err != nil {
		return MonthlySummary{}, err
	}
	openings, err := ledger.Balances(ctx, r, first.First().AddDays(-1))
	if err != nil {
		return MonthlySummary{}, err //nolint:wrapcheck // says what was added up
	}
	turnovers, err := ledger.MonthlyTurnovers(ctx, r, first, last)
	if err != nil {
		return MonthlySummary{}, err //nolint:wrapcheck // says what was added up
	}
	byID := make(map[tenant.ID]ledger.Account, len(accounts))
	base := r.Company().BaseCurrency
	before := MonthSummary{Receivables: money.Zero(base), Payables: money.Zero(base)}
	for _, a := range accounts {
		byID[a.ID] = a
		if opening, known := openings[a.ID]; known {
			before.carry(a, opening)
		}
	}
	out := MonthlySummary{Rows: []MonthSummary{}}
	for m := first; m.Compare(last) <= 0; m = m.Next() {
		row := MonthSummary{
			Year: m.Year, Month: int(m.Month), Receivables: before.Receivables, Payables: before.Payables,
			Revenue: money.Zero(base), Expenses: money.Zero(base),
		}
		for len(turnovers) > 0 && turnovers[0].Month == m {
			row.carry(byID[turnovers[0].AccountID], turnovers[0].Net())
			row.earn(byID[turnovers[0].AccountID], turnovers[0].Net())
			turnovers = turnovers[1:]
		}
		closings, err := counterSums(ctx, r, Period{m.First(), m.Last()}, idsOf(accounts, isIncomeSummary))
		if err != nil {
			return MonthlySummary{}, err
		}
		for _, c := range closings {
			row.earn(byID[c.AccountID], money.New(c.Credit-c.Debit, base))
		}
		row.NetResult = row.Revenue.Sub(row.Expenses)
		out.Rows, before = append(out.Rows, row), row
	}
	return out, nil
}

// carry adds to what is owed.
func (s *MonthSummary) carry(a ledger.Account, net money.Amount) {
	switch {
	case a.Type == ledger.AccountAsset && strings.HasPrefix(a.Code, receivablePrefix):
		s.Receivables = s.Receivables.Add(net)
	case a.Type == ledger.AccountLiability && strings.HasPrefix(a.Code, payablePrefix):
		s.Payables = s.Payables.Sub(net)
	}
}

// earn adds to the result.
func (s *MonthSummary) earn(a ledger.Account, net money.Amount) {
	switch a.Type {
	case ledger.AccountIncome:
		s.Revenue = s.Revenue.Sub(net)
	case ledger.AccountExpense:
		s.Expenses = s.Expenses.Add(net)
	default:
	}
}
