package report

import (
	"context"
	"fmt"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Number is a decimal that JSON shows as a number, digit by digit, where the contract wants one.
type Number money.Decimal

// MarshalJSON writes a number.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(money.Decimal(n).String()), nil }

// SizeInput asks for the size of a company.
type SizeInput struct {
	Year         int  `json:"year" minimum:"2016" maximum:"2099" description:"Financial year, which is the calendar year."`
	AvgEmployees *int `json:"avgEmployees,omitzero" minimum:"0" maximum:"1000000" description:"Average number of employees in the year, which the books do not have; 0 unless given."`
}

// Period is the days of the year.
func (in SizeInput) Period() Period {
	return Period{date.New(in.Year, time.January, 1), date.New(in.Year, time.December, 31)}
}

// Size is the category of a company by the figures of one year.
type Size struct {
	Year       int                        `json:"year" description:"Financial year."`
	Criteria   SizeCriteria               `json:"criteria" description:"What the category follows from."`
	Category   Category                   `json:"category" description:"The smallest category of whose limits at most one is exceeded."`
	Thresholds map[Category]SizeThreshold `json:"thresholds" description:"Limits of micro, small and medium companies in the year; a large one is over those of a medium one."`
	Notes      []string                   `json:"notes" description:"What to keep in mind."`
}

// SizeCriteria are the figures of the year.
type SizeCriteria struct {
	TotalAssets  Number `json:"totalAssets" description:"All assets at the end of the year, in euros."`
	NetTurnover  Number `json:"netTurnover" description:"Sales less discounts and returns, group 50, in euros."`
	AvgEmployees int    `json:"avgEmployees" description:"Average number of employees, as given."`
}

// SizeThreshold are the most that a company of a category has.
type SizeThreshold struct {
	TotalAssets Number `json:"totalAssets" description:"Assets in euros."`
	NetTurnover Number `json:"netTurnover" description:"Net turnover in euros."`
	Employees   int    `json:"employees" description:"Average number of employees."`
}

// exceeded counts the limits that figures are over.
func (t SizeThreshold) exceeded(c SizeCriteria) int {
	n := 0
	for _, over := range []bool{
		money.Decimal(c.TotalAssets).Cmp(money.Decimal(t.TotalAssets)) > 0,
		money.Decimal(c.NetTurnover).Cmp(money.Decimal(t.NetTurnover)) > 0,
		c.AvgEmployees > t.Employees,
	} {
		if over {
			n++
		}
	}
	return n
}

// sizeOf is the smallest category of whose limits at most one is exceeded.
func sizeOf(c SizeCriteria, limits map[Category]SizeThreshold) Category {
	for _, category := range []Category{Micro, Small, Medium} {
		if limits[category].exceeded(c) <= 1 {
			return category
		}
	}
	return Large
}

// SizeOfCompany tells the category by the figures of one year. The law moves a company only when it exceeds, or no longer exceeds, the
// limits for two years running, so the answer says what the year speaks for. Errors: validation, report.currency.
func SizeOfCompany(ctx context.Context, r tenant.ReadTx, in SizeInput) (Size, error) {
	limits, known := sizeLimitsOf(in.Year)
	if !known {
		return Size{}, apperr.Invalid("year", "must be %d or later, from when the limits are known", sizeLimitsByYear[len(sizeLimitsByYear)-1].firstYear)
	}
	if base := r.Company().BaseCurrency; base != money.EUR {
		return Size{}, ErrCurrency.New("The limits are in euro, the books are in %s; convert both figures and compare them by hand.", base)
	}
	accounts, err := chart(ctx, r)
	if err != nil {
		return Size{}, err
	}
	taken, err := results(ctx, r, in.Period(), accounts)
	if err != nil {
		return Size{}, err
	}
	closing, err := ledger.Balances(ctx, r, in.Period().ToDate)
	if err != nil {
		return Size{}, err //nolint:wrapcheck // says what was added up
	}
	short, detail := profitLoss(in.Period(), accounts, taken, money.EUR)
	sheet, _ := balanceSheet(accounts, closing, short.NetResult)
	out := Size{
		Year: in.Year, Thresholds: limits.limits, Notes: []string{
			"Limits: " + limits.source + ".",
			"A company changes its category when the limits are exceeded, or are no longer exceeded, for two years running; this is what one year speaks for.",
		},
		Criteria: SizeCriteria{TotalAssets: Number(sheet.TotalAssets.Decimal()), NetTurnover: Number(detail.SalesRevenue.Decimal())},
	}
	if in.AvgEmployees == nil {
		out.Notes = append(out.Notes, "The books have no employees: avgEmployees counts as 0 unless the request gives it.")
	} else {
		out.Criteria.AvgEmployees = *in.AvgEmployees
	}
	if today := r.Today(); !today.After(in.Period().ToDate) {
		out.Notes = append(out.Notes, fmt.Sprintf("The year is not over on %s; the figures are those posted so far.", today))
	}
	out.Category = sizeOf(out.Criteria, limits.limits)
	return out, nil
}
