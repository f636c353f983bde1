package fx

import (
	"context"
	"fmt"
	"math"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// maxAge is how many days a rate holds when no newer one is known. The European Central Bank is silent for five days at
// most, around Easter; past ten a rate has been forgotten.
const maxAge = 10

// Errors of this package.
var (
	ErrNoRate = apperr.Define("fx.no_rate", apperr.Rule,
		"The company has no exchange rate for the currency on the day or the ten days before it.")
	ErrBaseCurrency = apperr.Define("fx.base_currency", apperr.Rule, "The base currency needs no exchange rate: it is always 1.")
)

var one = money.DecimalFromInt(1)

// DayRate is the rate of a currency from a day on.
type DayRate struct {
	tenant.Row
	Currency money.Currency
	RateDate date.Date
	// Rate is units of Currency for one unit of the base currency.
	Rate      money.Decimal
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (DayRate) TableName() string { return "exchange_rates" }

// Rate is how many units of a currency one unit of the company's base currency is worth on a day: the latest rate of
// that day or the ten days before. Error: fx.no_rate.
func Rate(ctx context.Context, r tenant.Reader, currency money.Currency, on date.Date) (money.Decimal, error) {
	base := r.Company().BaseCurrency
	if currency == base {
		return one, nil
	}
	row, err := tenant.QueryOne[DayRate](ctx, r, `SELECT * FROM exchange_rates WHERE company_id = @company AND currency = ?
		AND rate_date BETWEEN ? AND ? ORDER BY rate_date DESC LIMIT 1`, currency, on.AddDays(-maxAge), on)
	if err != nil {
		return money.Decimal{}, fmt.Errorf("reading the rate of %s: %w", currency, err)
	}
	if row == nil {
		return money.Decimal{}, ErrNoRate.New(
			"There is no exchange rate of %s to %s for %s or the %d days before; set one with reference/exchange-rates/set.",
			currency, base, on, maxAge).Field("currency", "has no exchange rate for %s", on)
	}
	return row.Rate, nil
}

// ToBase converts an amount by a rate, rounded once, half away from zero. An amount of the base currency stays as it is.
// Amounts within money.MaxMinor fit whatever rate Set has accepted.
func ToBase(amount money.Amount, rate money.Decimal, base money.Currency) money.Amount {
	if amount.Currency() == base {
		return amount
	}
	return money.RoundHalfAwayFromZero(inBase(amount, rate, base), base)
}

func inBase(amount money.Amount, rate money.Decimal, base money.Currency) money.Decimal {
	return amount.Decimal().Div(rate, int32(base.MinorUnits())) //nolint:gosec // 0 to 4
}

// Set stores the rate of a currency from a day on, or replaces it, and returns the row as it was, or nil, and as it is.
// Documents keep the rate they were issued with. Errors: validation, fx.base_currency.
func Set(ctx context.Context, tx tenant.Tx, currency money.Currency, on date.Date, rate money.Decimal) (before, after *DayRate, err error) {
	base := tx.Company().BaseCurrency
	if currency == base {
		return nil, nil, ErrBaseCurrency.New("%s is the base currency; its rate is always 1.", base).Field("currency", "is the base currency")
	}
	if err := check(currency, rate, base); err != nil {
		return nil, nil, err
	}
	after = &DayRate{Currency: currency, RateDate: on, Rate: rate, CreatedAt: tx.Now()}
	before, err = find(ctx, tx, currency, on)
	switch {
	case err != nil:
		return nil, nil, err
	case before == nil:
		// Whoever loses a race for a new row is run again and replaces it.
		return nil, after, tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, after), "exchange_rates_date", tenant.RunAgain)
	}
	after.Row = before.Row
	after.CreatedAt = before.CreatedAt
	return before, after, tenant.Update(ctx, tx, after, "rate") //nolint:wrapcheck // says what was updated
}

// check refuses rates at which a large amount would not fit into the books.
func check(currency money.Currency, rate money.Decimal, base money.Currency) error {
	if rate.Sign() <= 0 {
		return apperr.Invalid("rate", "must be more than 0")
	}
	largest, most := money.New(money.MaxMinor, currency), money.New(math.MaxInt64, base).Decimal()
	if inBase(largest, rate, base).Cmp(most) >= 0 {
		return apperr.Invalid("rate", "is too small: it must be units of %s for one %s, such as 1.0842 US dollars for a euro", currency, base)
	}
	return nil
}

// Remove deletes the rate of a day and returns it, or nil when there was none.
func Remove(ctx context.Context, tx tenant.Tx, currency money.Currency, on date.Date) (*DayRate, error) {
	row, err := find(ctx, tx, currency, on)
	if err != nil || row == nil {
		return nil, err
	}
	deleted, err := tenant.Delete[DayRate](ctx, tx, row.ID)
	if err != nil || !deleted {
		return nil, err //nolint:wrapcheck // says what was deleted
	}
	return row, nil
}

func find(ctx context.Context, r tenant.Reader, currency money.Currency, on date.Date) (*DayRate, error) {
	row, err := tenant.First[DayRate](ctx, r, "currency = ? AND rate_date = ?", currency, on)
	if err != nil {
		return nil, fmt.Errorf("looking for the rate of %s on %s: %w", currency, on, err)
	}
	return row, nil
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "exchange_rates",
		Fields: map[string]tenant.Field{
			"currencyCode": tenant.TextField("currency"),
			"date":         tenant.DateField("rate_date"),
		},
	}},
	Order: []tenant.Sort{{Field: "date", Dir: "desc"}, {Field: "currencyCode"}},
}

// List reads a page of rates, the newest first unless asked otherwise. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[DayRate], error) {
	return tenant.ListRows[DayRate](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
