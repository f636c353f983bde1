package httpapi

import (
	"context"
	"slices"
	"strconv"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// referenceOperations list what is the same for every company, and keep its number series and exchange rates.
func referenceOperations() []Operation {
	return slices.Concat(seriesOperations(), exchangeRateOperations(), vatReferenceOperations(), []Operation{
		query("/v1/reference/currencies/list", tenant.ReadBooks, "List currencies", listCurrencies),
		query("/v1/reference/countries/list", tenant.ReadBooks, "List countries", listCountries),
		query("/v1/reference/units/list", tenant.ReadBooks, "List units of measure", listUnits,
			described("The units that documents commonly bear. A document may name any other.")),
	})
}

type currencyRow struct {
	Code       string `json:"code" description:"ISO 4217 code."`
	Name       string `json:"name" description:"English name in ISO 4217."`
	MinorUnits int    `json:"minorUnits" description:"Decimals of an amount."`
}

func listCurrencies(_ context.Context, _ tenant.ReadTx, q tenant.ListQuery) (tenant.Page[currencyRow], error) {
	all := money.Currencies()
	rows := make([]currencyRow, len(all))
	for i, c := range all {
		rows[i] = currencyRow{c.Code(), c.Name(), c.MinorUnits()}
	}
	return listInMemory(rows, q, map[string]func(currencyRow) string{
		"code":       func(c currencyRow) string { return c.Code },
		"name":       func(c currencyRow) string { return c.Name },
		"minorUnits": func(c currencyRow) string { return strconv.Itoa(c.MinorUnits) },
	})
}

type countryNames struct {
	LT string `json:"lt" description:"Lithuanian name."`
	EN string `json:"en" description:"English name."`
	RU string `json:"ru" description:"Russian name."`
}

type countryRow struct {
	Code  string       `json:"code" description:"ISO 3166-1 alpha-2 code."`
	IsEU  bool         `json:"isEu" description:"Member of the European Union."`
	IsEEA bool         `json:"isEea" description:"Member of the European Economic Area."`
	Names countryNames `json:"names" description:"Names of the country."`
}

type countriesResponse struct {
	Rows []countryRow `json:"rows" description:"The countries by code."`
}

func listCountries(context.Context, tenant.ReadTx, emptyRequest) (countriesResponse, error) {
	rows := make([]countryRow, len(countries))
	for i, c := range countries {
		rows[i] = countryRow{c.code, identifier.IsEU(c.code), c.isEEA(), countryNames{c.lt, c.en, c.ru}}
	}
	return countriesResponse{rows}, nil
}

type unitRow struct {
	Code   string `json:"code" description:"Abbreviation as on documents."`
	NameLT string `json:"nameLt" description:"Lithuanian name."`
	NameEN string `json:"nameEn" description:"English name."`
}

func listUnits(_ context.Context, _ tenant.ReadTx, q tenant.ListQuery) (tenant.Page[unitRow], error) {
	return listInMemory(units, q, map[string]func(unitRow) string{
		"code":   func(u unitRow) string { return u.Code },
		"nameLt": func(u unitRow) string { return u.NameLT },
		"nameEn": func(u unitRow) string { return u.NameEN },
	})
}
