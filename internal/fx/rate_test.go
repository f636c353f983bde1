package fx_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

var (
	usd = money.MustCurrency("USD")
	jpy = money.MustCurrency("JPY")
	day = date.New(2026, 3, 10)
)

func set(t *testing.T, c *testkit.Company, currency money.Currency, on date.Date, rate string) (before, after *fx.DayRate) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		before, after, err = fx.Set(ctx, tx, currency, on, money.MustDecimal(rate))
		return err
	})
	return before, after
}

func TestRate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		set(t, c, usd, day, "1.0842")
		set(t, c, usd, day.AddDays(1), "1.1")
		set(t, c, jpy, day, "160")
		set(t, other, usd, day.AddDays(5), "2")
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			for name, example := range map[string]struct {
				currency money.Currency
				on       date.Date
				want     string
			}{
				"TheDayItself":        {usd, day, "1.0842"},
				"TheLatestBefore":     {usd, day.AddDays(6), "1.1"},
				"TenDaysOld":          {usd, day.AddDays(11), "1.1"},
				"TheCurrencyMatters":  {jpy, day.AddDays(1), "160"},
				"BaseCurrencyIsOne":   {money.EUR, day, "1"},
				"ElevenDaysIsTooOld":  {usd, day.AddDays(12), ""},
				"BeforeTheFirst":      {usd, day.AddDays(-1), ""},
				"UnknownCurrencyRate": {money.MustCurrency("GBP"), day, ""},
			} {
				rate, err := fx.Rate(ctx, r, example.currency, example.on)
				if example.want == "" {
					require.ErrorIs(t, err, fx.ErrNoRate, name)
					require.ErrorContains(t, err, "reference/exchange-rates/set", name)
					continue
				}
				require.NoError(t, err, name)
				require.Equal(t, example.want, rate.String(), name)
			}
			return nil
		})
	})
}

func TestSet(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		before, first := set(t, c, usd, day, "1.0842")
		require.Nil(t, before)
		before, second := set(t, c, usd, day, "1.09")
		require.Equal(t, first, before)
		require.Equal(t, first.ID, second.ID)
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := fx.List(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Equal(t, []fx.DayRate{*second}, page.Rows)
			return nil
		})
		for rate, code := range map[string]error{"0": apperr.ErrValidation, "-1": apperr.ErrValidation, "0.0000000001": apperr.ErrValidation} {
			err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
				_, _, err := fx.Set(ctx, tx, usd, day, money.MustDecimal(rate))
				return err
			})
			require.ErrorIs(t, err, code, rate)
		}
		err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, _, err := fx.Set(ctx, tx, money.EUR, day, money.MustDecimal("1"))
			return err
		})
		require.ErrorIs(t, err, fx.ErrBaseCurrency)
	})
}

// TestSetTwins lets eight callers set the first rate of a day: losers are told to run again and then replace it.
func TestSetTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		var wait sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			wait.Go(func() {
				for range 3 {
					errs[i] = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
						_, _, err := fx.Set(ctx, tx, usd, day, money.DecimalFromInt(int64(i+1)))
						return err
					})
					if _, lost := errors.AsType[*tenant.DuplicateError](errs[i]); !lost {
						return
					}
				}
			})
		}
		wait.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := fx.List(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Equal(t, 1, page.Total)
			return nil
		})
	})
}

func TestRemove(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		_, stored := set(t, c, usd, day, "1.0842")
		remove := func(c *testkit.Company) (row *fx.DayRate) {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
				row, err = fx.Remove(ctx, tx, usd, day)
				return err
			})
			return row
		}
		require.Nil(t, remove(other))
		require.Equal(t, stored, remove(c))
		require.Nil(t, remove(c))
	})
}

func TestToBase(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		amount money.Amount
		rate   string
		want   string
	}{
		"Divides":            {money.New(10842, usd), "1.0842", "100.00"},
		"HalfAwayFromZero":   {money.New(1, usd), "2", "0.01"},
		"NegativeHalf":       {money.New(-1, usd), "2", "-0.01"},
		"BelowHalf":          {money.New(1, usd), "2.0001", "0.00"},
		"WithoutMinorUnits":  {money.New(1935, jpy), "160", "12.09"},
		"BaseCurrencyStays":  {money.New(333, money.EUR), "7", "3.33"},
		"ManyDecimalsInRate": {money.New(100, usd), "0.3333333333", "3.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := fx.ToBase(example.amount, money.MustDecimal(example.rate), money.EUR)
			require.Equal(t, example.want, got.String())
			require.Equal(t, money.EUR, got.Currency())
		})
	}
}

func TestToBaseIsOddAndWithinHalfACent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64Range(0, math.MaxInt32).Draw(t, "minor")
		rate := money.DecimalFromInt(rapid.Int64Range(1, 1_000_000).Draw(t, "rate")).Div(money.DecimalFromInt(1000), 3)
		got := fx.ToBase(money.New(minor, usd), rate, money.EUR)
		require.Equal(t, got.Neg(), fx.ToBase(money.New(-minor, usd), rate, money.EUR))
		off := got.Decimal().Mul(rate).Sub(money.New(minor, usd).Decimal())
		half := rate.Mul(money.MustDecimal("0.005"))
		require.LessOrEqual(t, off.Cmp(half), 0)
		require.GreaterOrEqual(t, off.Cmp(half.Neg()), 0)
	})
}
