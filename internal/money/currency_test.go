package money_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
)

func TestParseCurrency(t *testing.T) {
	t.Parallel()

	t.Run("MinorUnitsAreThoseOfTheList", func(t *testing.T) {
		t.Parallel()
		for code, units := range map[string]int{"EUR": 2, "USD": 2, "JPY": 0, "ISK": 0, "KWD": 3, "TND": 3, "CLF": 4} {
			c, err := money.ParseCurrency(code)
			require.NoError(t, err)
			require.Equal(t, code, c.Code())
			require.Equal(t, units, c.MinorUnits())
			require.NotEmpty(t, c.Name())
		}
	})

	t.Run("OtherCodesAreRefused", func(t *testing.T) {
		t.Parallel()
		for _, code := range []string{"", "eur", "EURO", "EU", "XXX", "XAU", "978", " EUR"} {
			_, err := money.ParseCurrency(code)
			require.ErrorContains(t, err, "upper-case ISO 4217 code such as EUR", code)
		}
	})

	t.Run("TheListIsSortedAndWithoutDuplicates", func(t *testing.T) {
		t.Parallel()
		var codes []string
		for _, c := range money.Currencies() {
			require.Len(t, c.Code(), 3)
			require.Contains(t, []int{0, 2, 3, 4}, c.MinorUnits())
			require.Equal(t, c, money.MustCurrency(c.Code()))
			codes = append(codes, c.Code())
		}
		require.True(t, slices.IsSorted(codes))
		require.Len(t, slices.Compact(codes), len(money.Currencies()))
		require.Contains(t, codes, "EUR")
	})
}

func TestCurrencyEncoding(t *testing.T) {
	t.Parallel()

	text, err := json.Marshal(map[string]money.Currency{"currency": money.EUR})
	require.NoError(t, err)
	require.Equal(t, `{"currency":"EUR"}`, string(text))
	var read struct{ Currency money.Currency }
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, money.EUR, read.Currency)
	require.Error(t, json.Unmarshal([]byte(`{"currency":"eur"}`), &read))

	for _, src := range []any{"EUR", []byte("EUR")} {
		var c money.Currency
		require.NoError(t, c.Scan(src))
		require.Equal(t, money.EUR, c)
	}
	stored, err := money.EUR.Value()
	require.NoError(t, err)
	require.Equal(t, "EUR", stored)
	stored, err = money.Currency{}.Value()
	require.NoError(t, err)
	require.Nil(t, stored)
	c := money.EUR
	require.NoError(t, c.Scan(nil))
	require.True(t, c.IsZero())
	require.Error(t, c.Scan(int64(978)))
}
