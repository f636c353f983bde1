package rates

import (
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

// CheckedOn is the day on which the table was last compared with a source.
var CheckedOn = date.MustParse("2026-03-30")

// Notice says how far the table can be relied on.
const Notice = "Rates as of 2026-03-30, compared with a public list made from the Taxes in Europe Database of the European Commission. " +
	"The Austrian rate of 4.9 % from 2026-07-01 was added on 2026-12-01. " +
	"They cover 2024 and later, and say nothing about what a reduced rate is for. Check a rate before you charge it, and set your own where it differs."

// Category is the sort of a rate in the VAT Directive.
type Category string

// The categories.
const (
	Standard     Category = "standard"
	Reduced      Category = "reduced"       // Art 98(1), at least 5 %
	SuperReduced Category = "super_reduced" // below 5 %, Art 98(2) and older derogations
	Parking      Category = "parking"       // Art 118, at least 12 %
)

// Enum lists the allowed values.
func (Category) Enum() []any { return []any{Standard, Reduced, SuperReduced, Parking} }

// Rate is a rate of a state with the days it is for, both included; a zero Date leaves a side open.
type Rate struct {
	Country  string
	Category Category
	Percent  money.Decimal
	From, To date.Date
}

// firstDay is where the table begins: older rates are not in it.
var firstDay = date.MustParse("2024-01-01")

// tableText has a line for each state and time: the state, the days, and the rates, standard / reduced / super-reduced / parking.
// Lithuania is in package vat. The dates of change: Finland 2024-09-01 and 2026-01-01, Slovakia 2025-01-01, Estonia 2025-01-01 and
// 2025-07-01, Romania 2025-08-01, Austria 2026-07-01 (basic foodstuffs, § 10(1a) of the Austrian VAT act, BGBl. I 37/2026). Rates of
// territories are not in it: 19 % of Jungholz and Mittelberg (§ 10(4)), 17, 9 and 4 % of five Greek islands.
const tableText = `
AT ..2026-06-30           20 / 10 13 / / 13
AT 2026-07-01..           20 / 10 13 / 4.9 / 13
BE ..                     21 / 6 12 / / 12
BG ..                     20 / 9 / /
CY ..                     19 / 5 9 / 3 /
CZ ..                     21 / 12 / /
DE ..                     19 / 7 / /
DK ..                     25 / / /
EE ..2024-12-31           22 / 5 9 / /
EE 2025-01-01..2025-06-30 22 / 9 13 / /
EE 2025-07-01..           24 / 9 13 / /
ES ..                     21 / 10 / 4 /
FI ..2024-08-31           24 / 10 14 / /
FI 2024-09-01..2025-12-31 25.5 / 10 14 / /
FI 2026-01-01..           25.5 / 10 13.5 / /
FR ..                     20 / 5.5 10 / 2.1 /
GR ..                     24 / 6 13 / /
HR ..                     25 / 5 13 / /
HU ..                     27 / 5 18 / /
IE ..                     23 / 9 13.5 / 4.8 / 13.5
IT ..                     22 / 5 10 / 4 /
LU ..                     17 / 8 / 3 / 14
LV ..                     21 / 5 12 / /
MT ..                     18 / 5 7 12 / /
NL ..                     21 / 9 / /
PL ..                     23 / 5 8 / /
PT ..                     23 / 6 13 / / 13
RO ..2025-07-31           19 / 5 9 / /
RO 2025-08-01..           21 / 11 / /
SE ..                     25 / 6 12 / /
SI ..                     22 / 5 9.5 / /
SK ..2024-12-31           20 / 5 10 / /
SK 2025-01-01..           23 / 5 19 / /
`

var table = append(parseTable(tableText), lithuanian()...)

func parseTable(text string) []Rate {
	categories := []Category{Standard, Reduced, SuperReduced, Parking}
	var rates []Rate
	for line := range strings.Lines(strings.TrimSpace(text)) {
		head, percents, _ := strings.Cut(strings.TrimSpace(line), " ")
		days, percents, _ := strings.Cut(strings.TrimSpace(percents), " ")
		from, to, _ := strings.Cut(days, "..")
		for i, group := range strings.Split(percents, "/") {
			for _, percent := range strings.Fields(group) {
				rates = append(rates, Rate{head, categories[i], money.MustDecimal(percent), day(from), day(to)})
			}
		}
	}
	return rates
}

func day(s string) date.Date {
	if s == "" {
		return date.Date{}
	}
	return date.MustParse(s)
}

// lithuanian takes over the rates of package vat: the highest is the standard one, 0 is no rate of the Directive.
func lithuanian() []Rate {
	var rates []Rate
	for i, r := range vat.DomesticRates() {
		category := Reduced
		if i == 0 {
			category = Standard
		}
		if !r.Percent.IsZero() {
			rates = append(rates, Rate{"LT", category, r.Percent, r.ValidFrom, r.ValidTo})
		}
	}
	return rates
}

func (r Rate) holdsOn(d date.Date) bool {
	return !d.Before(r.From) && (r.To.IsZero() || !d.After(r.To))
}
