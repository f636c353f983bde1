package httpapi

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/rates"
)

// Refusals of what this server leaves to others.
var (
	errClassifier = apperr.Define("vat.classifier", apperr.Rule, "The VAT classifier is the state's; it comes with the program and cannot be changed.")
	errRateSource = apperr.Define("exchange_rate.no_source", apperr.Conflict,
		"The server fetches no exchange rates; set them by exchange-rates/set.")
)

// vatReferenceOperations tell what the law says of VAT.
func vatReferenceOperations() []Operation {
	return []Operation{
		query("/v1/reference/vat-classifiers/list", tenant.ReadBooks, "List the codes of the VAT classifier", listClassifiers,
			described("VMI's classifier, codes that have ended among them. A code without ratePercent has no rate.")),
		query("/v1/reference/vat-classifiers/upsert", tenant.WriteLedger, "Refused: the VAT classifier is the state's", upsertClassifiers,
			described("The classifier comes with the program, since returns and files are computed from its codes. This operation is there for clients that call it, and refuses.")),
		query("/v1/reference/eu-vat-rates/list", tenant.ReadBooks, "List VAT rates of the EU states", listEURates,
			described("The rates of a day, today unless given. Rates that the company set stand in place of those of the program.")),
		mutation("/v1/reference/eu-vat-rates/set-overrides", tenant.WriteLedger, "Set the company's own rates of an EU state", setEURates,
			described("They stand in place of all rates of the state, whatever the day. An empty list gives the rates of the program back.")),
		query("/v1/reference/vat/resolve", tenant.ReadBooks, "Say how a sale is taxed", resolveVAT,
			described("Gives the scheme, the country whose VAT it is and its rates by the common rules, with their legal basis. It decides nothing: a document bears the scheme that is sent with it.")),
		query("/v1/reference/exchange-rates/sync", tenant.WriteLedger, "Refused: exchange rates are set, not fetched", syncExchangeRates,
			described("The server has no connection to a source of rates. This operation is there for clients that call it, and refuses.")),
	}
}

type classifierRow struct {
	Code        string         `json:"code" description:"Code, such as PVM1."`
	CountryCode string         `json:"countryCode" description:"Always LT."`
	Name        string         `json:"name" description:"What it is for."`
	RatePercent *money.Decimal `json:"ratePercent,omitzero" description:"Rate in per cent; absent for a code without one."`
	ValidFrom   date.Date      `json:"validFrom,omitzero" description:"First day of supplies it is for; absent when always."`
	ValidTo     date.Date      `json:"validTo,omitzero" description:"Last day of supplies it is for; absent while it is in use."`
}

func listClassifiers(_ context.Context, _ tenant.ReadTx, q tenant.ListQuery) (tenant.Page[classifierRow], error) {
	codes := vat.Codes()
	rows := make([]classifierRow, len(codes))
	for i, c := range codes {
		rows[i] = classifierRow{Code: c.Code, CountryCode: vat.Home, Name: c.Meaning, ValidFrom: c.ValidFrom, ValidTo: c.ValidTo}
		if c.HasRate {
			rows[i].RatePercent = &c.Rate
		}
	}
	return listInMemory(rows, q, map[string]func(classifierRow) string{
		"code":        func(c classifierRow) string { return c.Code },
		"countryCode": func(c classifierRow) string { return c.CountryCode },
		"name":        func(c classifierRow) string { return c.Name },
		"ratePercent": func(c classifierRow) string {
			if c.RatePercent == nil {
				return ""
			}
			return c.RatePercent.String()
		},
	})
}

type upsertClassifiersRequest struct {
	Rows []struct {
		Code        string         `json:"code" maxLength:"24" description:"Code."`
		CountryCode string         `json:"countryCode,omitzero" pattern:"^[A-Z]{2}$" description:"Country."`
		Name        string         `json:"name" maxLength:"255" description:"What it is for."`
		RatePercent *money.Decimal `json:"ratePercent,omitzero" description:"Rate in per cent."`
	} `json:"rows" maxItems:"1000" description:"Codes."`
}

type upsertedResponse struct {
	Upserted int `json:"upserted" description:"How many rows were written."`
}

func upsertClassifiers(context.Context, tenant.ReadTx, upsertClassifiersRequest) (upsertedResponse, error) {
	return upsertedResponse{}, errClassifier.New("The VAT classifier is the state's and comes with the program; use a code of vat-classifiers/list.")
}

type syncRatesRequest struct {
	Date date.Date `json:"date,omitzero" description:"Day of the rates."`
}

type syncRatesResponse struct {
	Date     date.Date `json:"date" description:"Day of the rates."`
	Imported int       `json:"imported" description:"How many were fetched."`
}

func syncExchangeRates(context.Context, tenant.ReadTx, syncRatesRequest) (syncRatesResponse, error) {
	return syncRatesResponse{}, errRateSource.New("The server fetches no exchange rates. Set those you need by exchange-rates/set, for instance from the European Central Bank.")
}

type listEURatesRequest struct {
	CountryCode string    `json:"countryCode,omitzero" pattern:"^[A-Z]{2}$" description:"One state; all unless given."`
	Date        date.Date `json:"date,omitzero" description:"Day of the supply; today unless given."`
}

type euRateRow struct {
	CountryCode string         `json:"countryCode" description:"ISO 3166-1 code."`
	Category    rates.Category `json:"category" description:"Sort of rate."`
	RatePercent money.Decimal  `json:"ratePercent" description:"Rate in per cent."`
	ValidFrom   date.Date      `json:"validFrom,omitzero" description:"First day, where the list knows one."`
	ValidTo     date.Date      `json:"validTo,omitzero" description:"Last day, where the list knows one."`
	Source      rates.Source   `json:"source" description:"Of the program, or set by the company."`
}

type euRatesResponse struct {
	Notice string      `json:"notice" description:"How far the rates can be relied on, and when they were checked."`
	Rows   []euRateRow `json:"rows" description:"Rates by state and category."`
}

func listEURates(ctx context.Context, r tenant.ReadTx, in listEURatesRequest) (euRatesResponse, error) {
	if in.CountryCode != "" {
		if err := rates.RequireState(in.CountryCode); err != nil {
			return euRatesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
		}
	}
	list, err := rates.On(ctx, r, in.CountryCode, orToday(in.Date, r))
	if err != nil {
		return euRatesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := euRatesResponse{Notice: rates.Notice}
	for _, l := range list {
		out.Rows = append(out.Rows, euRateRow{l.Country, l.Category, l.Percent, l.From, l.To, l.Source})
	}
	return out, nil
}

func orToday(d date.Date, r tenant.ReadTx) date.Date {
	if d.IsZero() {
		return r.Today()
	}
	return d
}

type ratedCategory struct {
	Category    rates.Category `json:"category" description:"Sort of rate."`
	RatePercent money.Decimal  `json:"ratePercent" description:"Rate in per cent."`
}

// ownRate has a pointer so that 0 is not the same as absent.
type ownRate struct {
	Category    rates.Category `json:"category" description:"Sort of rate."`
	RatePercent *money.Decimal `json:"ratePercent" description:"Rate in per cent; 0 is a rate."`
}

type setEURatesRequest struct {
	CountryCode string     `json:"countryCode" pattern:"^[A-Z]{2}$" description:"An EU state."`
	Rates       *[]ownRate `json:"rates" maxItems:"20" description:"Its rates; an empty list gives those of the program back."`
}

type setEURatesResponse struct {
	CountryCode string          `json:"countryCode" description:"The state."`
	Source      rates.Source    `json:"source" description:"Whose rates are in use now."`
	Notice      string          `json:"notice" description:"How far the rates of the program can be relied on."`
	Rows        []ratedCategory `json:"rows" description:"The rates in use now."`
}

func setEURates(ctx context.Context, tx tenant.Tx, in setEURatesRequest) (setEURatesResponse, error) {
	own := make([]rates.Own, len(*in.Rates))
	for i, rate := range *in.Rates {
		own[i] = rates.Own{Category: rate.Category, Percent: *rate.RatePercent}
	}
	if err := rates.SetOverrides(ctx, tx, in.CountryCode, own); err != nil {
		return setEURatesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := setEURatesResponse{CountryCode: in.CountryCode, Source: rates.Default, Notice: rates.Notice}
	if len(own) > 0 {
		out.Source = rates.Company
	}
	var err error
	out.Rows, err = ratesOf(ctx, tx.ReadTx, in.CountryCode, tx.Today())
	return out, err
}

func ratesOf(ctx context.Context, r tenant.ReadTx, country string, day date.Date) ([]ratedCategory, error) {
	list, err := rates.On(ctx, r, country, day)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	rows := make([]ratedCategory, len(list))
	for i, l := range list {
		rows[i] = ratedCategory{l.Category, l.Percent}
	}
	return rows, nil
}

type resolveVATRequest struct {
	PartnerID                   *tenant.ID     `json:"partnerId,omitzero" description:"Customer; gives country and sort of customer where those are left out."`
	CustomerCountryCode         string         `json:"customerCountryCode,omitzero" pattern:"^[A-Z]{2}$" description:"Country of the customer; that of the partner, else LT."`
	CustomerIsBusiness          *bool          `json:"customerIsBusiness,omitzero" description:"A taxable person, in the EU one with a valid VAT number."`
	SupplyType                  vat.SupplyType `json:"supplyType,omitzero" description:"goods, services, or digital services; goods unless given."`
	Date                        date.Date      `json:"date,omitzero" description:"Day of the supply; today unless given."`
	BelowDistanceSalesThreshold bool           `json:"belowDistanceSalesThreshold,omitzero" description:"Sales to consumers of other EU states stay below 10,000 EUR a year."`
	FacilitatedByMarketplace    bool           `json:"facilitatedByMarketplace,omitzero" description:"Sold through somebody else's electronic interface."`
	ActingAsMarketplace         bool           `json:"actingAsMarketplace,omitzero" description:"Sold by others through the company's own interface."`
	SellerEstablishedInEU       *bool          `json:"sellerEstablishedInEu,omitzero" description:"Whether whoever owns the goods is established in the EU; true unless given."`
	ImportedConsignmentValueEUR *money.Decimal `json:"importedConsignmentValueEur,omitzero" description:"Value in euro of goods that come from outside the EU."`
}

type resolveVATResponse struct {
	Scheme         vat.Scheme      `json:"scheme" description:"Scheme for documents."`
	VATCountryCode string          `json:"vatCountryCode,omitzero" description:"Country whose VAT it is; absent outside the EU."`
	ReverseCharge  bool            `json:"reverseCharge" description:"The customer owes the VAT."`
	DeemedSupplier bool            `json:"deemedSupplier" description:"The company counts as supplier of what others sell."`
	ZeroRated      bool            `json:"zeroRated" description:"Taxed at 0 %, with the right to deduct."`
	Rates          []ratedCategory `json:"rates" description:"Rates of that country on the day; empty when no VAT is charged."`
	LegalBasis     string          `json:"legalBasis" description:"Articles it rests on."`
	Notes          []string        `json:"notes" description:"What else to look at."`
}

func resolveVAT(ctx context.Context, r tenant.ReadTx, in resolveVATRequest) (resolveVATResponse, error) {
	sale, notes, err := in.sale(ctx, r)
	if err != nil {
		return resolveVATResponse{}, err
	}
	t := vat.Resolve(sale)
	out := resolveVATResponse{
		Scheme: t.Scheme, VATCountryCode: t.Country, ReverseCharge: t.ReverseCharge, DeemedSupplier: t.Deemed, ZeroRated: t.ZeroRated,
		LegalBasis: t.LegalBasis, Notes: append(notes, t.Notes...),
	}
	if t.Charges && identifier.IsEU(t.Country) {
		out.Rates, err = ratesOf(ctx, r, t.Country, orToday(in.Date, r))
		out.Notes = append(out.Notes, fmt.Sprintf("Rates were checked on %s.", rates.CheckedOn))
	}
	return out, err
}

// sale gathers what decides, from the request before the card of the partner.
func (in resolveVATRequest) sale(ctx context.Context, r tenant.ReadTx) (vat.Sale, []string, error) {
	s := vat.Sale{
		IsVATPayer: r.Company().IsVATPayer, Country: vat.Home, Type: vat.Goods, BelowThreshold: in.BelowDistanceSalesThreshold,
		Facilitated: in.FacilitatedByMarketplace, Facilitating: in.ActingAsMarketplace,
		EstablishedInEU: in.SellerEstablishedInEU == nil || *in.SellerEstablishedInEU, Consignment: in.ImportedConsignmentValueEUR,
	}
	var notes []string
	if s.Consignment != nil && s.Consignment.Sign() < 0 {
		return s, nil, apperr.Invalid("importedConsignmentValueEur", "must be 0 or more")
	}
	if s.Facilitated && s.Facilitating {
		return s, nil, apperr.Invalid("actingAsMarketplace", "cannot be set beside facilitatedByMarketplace: the interface is one's own or somebody else's")
	}
	if in.PartnerID != nil {
		card, err := partner.Get(ctx, r, *in.PartnerID)
		if err != nil {
			return s, nil, err //nolint:wrapcheck // a refusal of the domain is the answer
		}
		s.Country, s.ToBusiness, notes = judge(card)
	}
	if in.CustomerCountryCode != "" {
		s.Country = in.CustomerCountryCode
	}
	if in.CustomerIsBusiness != nil {
		s.ToBusiness, notes = *in.CustomerIsBusiness, nil
	}
	if in.SupplyType != "" {
		s.Type = in.SupplyType
	}
	s.InEU = identifier.IsEU(s.Country)
	return s, notes, nil
}

// judge reads country and sort of customer off a card. Inside the EU a business without a VAT number counts as a consumer.
func judge(card *partner.Partner) (country string, isBusiness bool, notes []string) {
	country = vat.Home
	if card.CountryCode != nil {
		country = *card.CountryCode
	} else if card.VATCode != nil {
		if of, ok := identifier.VATCountry(*card.VATCode); ok {
			country = of
		}
	}
	isBusiness = card.VATCode != nil || (card.Type == partner.TypeCompany && !identifier.IsEU(country))
	if !isBusiness && card.Type == partner.TypeCompany && country != vat.Home {
		notes = append(notes, "The partner is a business without a VAT number on its card and was taken for a consumer.")
	}
	return country, isBusiness, notes
}
