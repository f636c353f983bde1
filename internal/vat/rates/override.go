package rates

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// override is a rate that a company set. It is for every day.
type override struct {
	tenant.Row
	CountryCode string
	Category    Category
	Rate        money.Decimal
	CreatedAt   clock.Time
}

// TableName names the table for the mapper.
func (override) TableName() string { return "vat_rate_overrides" }

func (o override) rate() Rate {
	return Rate{Country: o.CountryCode, Category: o.Category, Percent: o.Rate}
}

// Own is a rate that a company sets.
type Own struct {
	Category Category      `json:"category"`
	Percent  money.Decimal `json:"ratePercent"`
}

var hundred = money.DecimalFromInt(100)

// SetOverrides puts a company's own rates in place of all rates of a state; none give the table back. Errors: vat_rate.country,
// validation.
func SetOverrides(ctx context.Context, tx tenant.Tx, country string, own []Own) error {
	if err := RequireState(country); err != nil {
		return err
	}
	rows := make([]*override, len(own))
	seen := map[string]bool{}
	for i, o := range own {
		if o.Percent.Sign() < 0 || o.Percent.Cmp(hundred) > 0 {
			return apperr.Invalid(fmt.Sprintf("rates.%d.ratePercent", i), "must be 0 to 100")
		}
		key := string(o.Category) + o.Percent.String()
		if seen[key] || (o.Category == Standard && seen[string(Standard)]) {
			return apperr.Invalid(fmt.Sprintf("rates.%d", i), "is there twice; a state has one standard rate")
		}
		seen[key], seen[string(o.Category)] = true, true
		rows[i] = &override{CountryCode: country, Category: o.Category, Rate: o.Percent, CreatedAt: tx.Now()}
	}
	if len(own) > 0 && !seen[string(Standard)] {
		return apperr.Invalid("rates", "must have the standard rate, for they stand in place of all rates of the state")
	}
	before, err := overrides(ctx, tx, country)
	if err != nil {
		return err
	}
	if _, err := tenant.DeleteWhere[override](ctx, tx, "country_code = ?", country); err != nil {
		return err //nolint:wrapcheck // says what was deleted
	}
	// Whoever loses a race is run again over what the winner set.
	if err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, rows...), "vat_rate_overrides_rate", tenant.RunAgain); err != nil {
		return fmt.Errorf("setting own VAT rates: %w", err)
	}
	was := make([]Own, len(before))
	for i, o := range before {
		was[i] = Own{o.Category, o.Rate}
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "vat_rates.set", Entity: "vat_rates", EntityID: country, Before: was, After: own,
	})
}
