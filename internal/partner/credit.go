package partner

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Credit is how much a customer owes against its limit, in the base currency.
type Credit struct {
	Partner *Partner
	// Limit is nil when the partner has none.
	Limit *money.Amount
	// Open is what the customer owes: the unpaid parts of its receivables at the rates they were booked with.
	Open money.Amount
	// Additional is what is about to be sold.
	Additional money.Amount
	// Exposure is Open plus Additional.
	Exposure money.Amount
}

// Available is what is left of the limit after the exposure, negative when it is exceeded; nil without a limit.
func (c Credit) Available() *money.Amount {
	if c.Limit == nil {
		return nil
	}
	left := c.Limit.Sub(c.Exposure)
	return &left
}

// Exceeded reports that the exposure is above the limit.
func (c Credit) Exceeded() bool { return c.Limit != nil && c.Exposure.Cmp(*c.Limit) > 0 }

// CheckCredit compares a customer's debt and a sale to come, a decimal amount in the base currency or empty, with the
// credit limit. Errors: not_found, validation.
func CheckCredit(ctx context.Context, r tenant.ReadTx, id tenant.ID, additional string) (Credit, error) {
	base := r.Company().BaseCurrency
	c := Credit{Additional: money.Zero(base)}
	var err error
	if additional != "" {
		c.Additional, err = money.Parse(additional, base)
		if err != nil {
			return Credit{}, apperr.Invalid("additionalAmount", "%s", err.Error())
		}
		if c.Additional.IsNegative() {
			return Credit{}, apperr.Invalid("additionalAmount", "must not be negative")
		}
	}
	if c.Partner, err = Get(ctx, r, id); err != nil {
		return Credit{}, err
	}
	if c.Open, err = openReceivables(ctx, r, id); err != nil {
		return Credit{}, err
	}
	c.Exposure = c.Open.Add(c.Additional)
	if c.Partner.CreditLimitMinor != nil {
		limit := money.New(*c.Partner.CreditLimitMinor, base)
		c.Limit = &limit
	}
	return c, nil
}

// foreignItem is the open part of a receivable in another currency.
type foreignItem struct {
	Currency        money.Currency
	AmountMinor     int64
	BaseAmountMinor int64
	OpenMinor       int64
}

func openReceivables(ctx context.Context, r tenant.ReadTx, id tenant.ID) (money.Amount, error) {
	base := r.Company().BaseCurrency
	own, err := tenant.QueryOne[int64](ctx, r, `SELECT COALESCE(SUM(open_minor), 0) FROM open_items
		WHERE company_id = @company AND partner_id = ? AND kind = 'receivable' AND currency = ?`, id, base)
	if err != nil {
		return money.Amount{}, fmt.Errorf("adding up open receivables: %w", err)
	}
	foreign, err := tenant.Query[foreignItem](ctx, r, `SELECT currency, amount_minor, base_amount_minor, open_minor FROM open_items
		WHERE company_id = @company AND partner_id = ? AND kind = 'receivable' AND currency <> ? AND open_minor > 0`, id, base)
	if err != nil {
		return money.Amount{}, fmt.Errorf("reading open receivables in other currencies: %w", err)
	}
	total := money.Zero(base)
	if own != nil {
		total = money.New(*own, base)
	}
	for _, item := range foreign {
		total = total.Add(item.inBase(base))
	}
	return total, nil
}

// inBase is the open part at the rate of the booking, rounded half away from zero.
func (i foreignItem) inBase(base money.Currency) money.Amount {
	part := money.New(i.OpenMinor, i.Currency).Decimal().Mul(money.New(i.BaseAmountMinor, base).Decimal())
	whole := money.New(i.AmountMinor, i.Currency).Decimal()
	return money.RoundHalfAwayFromZero(part.Div(whole, int32(base.MinorUnits())), base) //nolint:gosec // 0 to 4
}
