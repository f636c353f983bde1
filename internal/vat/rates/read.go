package rates

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Source says where a rate comes from.
type Source string

// The sources.
const (
	Default Source = "default" // the table of the program
	Company Source = "company" // set by the company
)

// Enum lists the allowed values.
func (Source) Enum() []any { return []any{Default, Company} }

// Listed is a rate with its source.
type Listed struct {
	Rate
	Source Source
}

// ErrUnknownState refuses what is no EU state.
var ErrUnknownState = apperr.Define("vat_rate.country", apperr.Rule, "Rates are kept for the states of the European Union alone.")

// RequireState refuses a country that is not in the EU. Error: vat_rate.country.
func RequireState(country string) error {
	if identifier.IsEU(country) {
		return nil
	}
	return ErrUnknownState.New("%q is no state of the European Union; use its ISO code, such as GR for Greece.", country).
		Field("countryCode", "must be the ISO 3166-1 code of an EU state")
}

// On lists the rates of a day, by state, category and rate; of all states when country is empty. Error: validation for a day before
// the table begins.
func On(ctx context.Context, r tenant.Reader, country string, d date.Date) ([]Listed, error) {
	if d.Before(firstDay) {
		return nil, apperr.Invalid("date", "must be %s or later: older rates are not kept here", firstDay)
	}
	own, err := overrides(ctx, r, country)
	if err != nil {
		return nil, err
	}
	list := []Listed{}
	replaced := map[string]bool{}
	for _, o := range own {
		replaced[o.CountryCode] = true
		list = append(list, Listed{o.rate(), Company})
	}
	for _, rate := range table {
		if !replaced[rate.Country] && (country == "" || rate.Country == country) && rate.holdsOn(d) {
			list = append(list, Listed{rate, Default})
		}
	}
	slices.SortStableFunc(list, compare)
	return list, nil
}

var categoryOrder = []Category{Standard, Reduced, SuperReduced, Parking}

func compare(a, b Listed) int {
	return cmp.Or(
		cmp.Compare(a.Country, b.Country), cmp.Compare(slices.Index(categoryOrder, a.Category), slices.Index(categoryOrder, b.Category)),
		a.Percent.Cmp(b.Percent),
	)
}

func overrides(ctx context.Context, r tenant.Reader, country string) ([]override, error) {
	own, err := tenant.Find[override](ctx, r, "? = '' OR country_code = ?", country, country)
	if err != nil {
		return nil, fmt.Errorf("reading the company's own VAT rates: %w", err)
	}
	return own, nil
}
