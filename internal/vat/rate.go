package vat

import (
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// DomesticRate is a Lithuanian VAT rate with the supply dates it is for, both days included. The zero Date leaves a side open.
type DomesticRate struct {
	Percent            money.Decimal
	ValidFrom, ValidTo date.Date
	// Law is the article of the VAT law, https://e-seimas.lrs.lt/portal/legalAct/lt/TAD/TAIS.163423.
	Law string
}

// domesticRates: the rates of 2026 come from Law XV-287 of 2025-06-17.
var domesticRates = []DomesticRate{
	{Percent: money.MustDecimal("21"), Law: "VAT law Art 19(1)"},
	{
		Percent: money.MustDecimal("12"), ValidFrom: date.MustParse("2026-01-01"),
		Law: "VAT law Art 19(3) as amended by Law XV-287 of 2025-06-17",
	},
	{
		Percent: money.MustDecimal("9"), ValidTo: date.MustParse("2025-12-31"),
		Law: "VAT law Art 19(3) as in force to 2025-12-31",
	},
	{Percent: money.MustDecimal("5"), Law: "VAT law Art 19(4)"},
	{Percent: money.MustDecimal("0"), Law: "VAT law Arts 41-53"},
}

// DomesticRates returns every Lithuanian rate with its dates, the highest first.
func DomesticRates() []DomesticRate { return slices.Clone(domesticRates) }

// DomesticRatesOn returns the Lithuanian rates for supplies of that day, the highest first.
func DomesticRatesOn(supplyDate date.Date) []DomesticRate {
	return slices.DeleteFunc(DomesticRates(), func(r DomesticRate) bool {
		return !within(supplyDate, r.ValidFrom, r.ValidTo)
	})
}

// IsDomesticRate reports whether the rate is a Lithuanian one for supplies of that day.
func IsDomesticRate(rate money.Decimal, supplyDate date.Date) bool {
	return slices.ContainsFunc(DomesticRatesOn(supplyDate), func(r DomesticRate) bool { return r.Percent.Cmp(rate) == 0 })
}

// everDomesticRate reports whether the rate is in the table for any day.
func everDomesticRate(rate money.Decimal) bool {
	return slices.ContainsFunc(domesticRates, func(r DomesticRate) bool { return r.Percent.Cmp(rate) == 0 })
}

// listRates writes the rates of a day for an error message: "21, 12, 5, 0".
func listRates(supplyDate date.Date) string {
	var percents []string
	for _, r := range DomesticRatesOn(supplyDate) {
		percents = append(percents, r.Percent.String())
	}
	return strings.Join(percents, ", ")
}
