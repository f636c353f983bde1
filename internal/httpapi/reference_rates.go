package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

func exchangeRateOperations() []Operation {
	return []Operation{
		mutation("/v1/reference/exchange-rates/set", tenant.WriteLedger, "Set an exchange rate", setExchangeRate,
			described("Units of the currency for one unit of the base currency, as the European Central Bank quotes. It holds on its day and the ten days after, until a newer one. Documents keep the rate they were issued with.")),
		query("/v1/reference/exchange-rates/list", tenant.ReadBooks, "List exchange rates", listExchangeRates),
		query("/v1/reference/exchange-rates/overrides/list", tenant.ReadBooks, "List the company's own exchange rates", listExchangeRates,
			described("All rates are the company's own, so this is the same list.")),
		mutation("/v1/reference/exchange-rates/overrides/delete", tenant.WriteLedger, "Delete an exchange rate", deleteExchangeRate),
	}
}

type exchangeRateRow struct {
	CurrencyCode money.Currency `json:"currencyCode" description:"The currency."`
	Date         date.Date      `json:"date" description:"The first day the rate holds."`
	Rate         money.Decimal  `json:"rate" description:"Units of the currency for one unit of the base currency."`
}

func toExchangeRate(r fx.DayRate) exchangeRateRow {
	return exchangeRateRow{r.Currency, r.RateDate, r.Rate}
}

// shownRate is a rate for the audit log; nil where there is none.
func shownRate(r *fx.DayRate) any {
	if r == nil {
		return nil
	}
	return toExchangeRate(*r)
}

type setExchangeRateRequest struct {
	Currency money.Currency `json:"currency" description:"The currency; not the base currency."`
	Date     date.Date      `json:"date" description:"The first day the rate holds."`
	Rate     money.Decimal  `json:"rate" description:"Units of the currency for one unit of the base currency."`
}

func setExchangeRate(ctx context.Context, tx tenant.Tx, in setExchangeRateRequest) (exchangeRateRow, error) {
	before, after, err := fx.Set(ctx, tx, in.Currency, in.Date, in.Rate)
	if err != nil {
		return exchangeRateRow{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toExchangeRate(*after), audit.Record(ctx, tx, audit.Entry{
		Action: "exchange_rate.set", Entity: "exchange_rate", EntityID: after.ID.String(), Before: shownRate(before), After: shownRate(after),
	})
}

func listExchangeRates(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[exchangeRateRow], error) {
	page, err := fx.List(ctx, r, q)
	return tenant.MapPage(page, toExchangeRate), err
}

type deleteExchangeRateRequest struct {
	Currency money.Currency `json:"currency" description:"The currency."`
	Date     date.Date      `json:"date" description:"The day the rate was set for."`
}

type exchangeRateDeletedResponse struct {
	Deleted bool `json:"deleted" description:"Whether there was such a rate."`
}

func deleteExchangeRate(ctx context.Context, tx tenant.Tx, in deleteExchangeRateRequest) (exchangeRateDeletedResponse, error) {
	gone, err := fx.Remove(ctx, tx, in.Currency, in.Date)
	if err != nil || gone == nil {
		return exchangeRateDeletedResponse{}, err //nolint:wrapcheck // says what failed already
	}
	return exchangeRateDeletedResponse{true}, audit.Record(ctx, tx, audit.Entry{
		Action: "exchange_rate.deleted", Entity: "exchange_rate", EntityID: gone.ID.String(), Before: shownRate(gone),
	})
}
