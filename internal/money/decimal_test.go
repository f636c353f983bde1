package money_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
)

func TestParseDecimal(t *testing.T) {
	t.Parallel()

	t.Run("PlainDecimalsAreExactAndCanonical", func(t *testing.T) {
		t.Parallel()
		for given, want := range map[string]string{
			"21": "21", "21.00": "21", "0.0333": "0.0333", "-0.10": "-0.1", "0": "0", "-0.0": "0", "100": "100", "007.5": "7.5",
			"999999999999.0123456789": "999999999999.0123456789",
		} {
			d, err := money.ParseDecimal(given)
			require.NoError(t, err)
			require.Equal(t, want, d.String())
		}
	})

	t.Run("OtherFormsAreRefused", func(t *testing.T) {
		t.Parallel()
		for _, s := range []string{"", " 1", "1e3", "1E3", "+1", "1,5", ".5", "5.", "0x1F", "1_000", "NaN", "Infinity", "-", "1/2"} {
			_, err := money.ParseDecimal(s)
			require.ErrorContains(t, err, "must be written plainly", s)
		}
	})

	t.Run("LongOnesAreRefused", func(t *testing.T) {
		t.Parallel()
		for _, s := range []string{"1000000000000", "0.00000000001"} {
			_, err := money.ParseDecimal(s)
			require.ErrorContains(t, err, "at most 12 digits before and 10 after the point", s)
		}
	})
}

func TestDecimalArithmetic(t *testing.T) {
	t.Parallel()
	d := money.MustDecimal
	require.Equal(t, d("0.3"), d("0.1").Add(d("0.2")))
	require.Equal(t, d("9.99"), d("0.0333").Mul(d("300")))
	require.Equal(t, money.Decimal{}, d("1.5").Sub(d("1.50")))
	require.Equal(t, money.DecimalFromInt(120), d("100").Add(d("20")))
	require.Equal(t, d("0.67"), d("2").Div(d("3"), 2))
	require.Equal(t, d("0.13"), d("1").Div(d("8"), 2))
	require.Equal(t, d("-0.13"), d("-1").Div(d("8"), 2))
	require.Panics(t, func() { d("1").Div(money.Decimal{}, 2) })
	require.Equal(t, 0, d("1.0").Cmp(d("1")))
	require.Equal(t, -1, d("-1").Cmp(d("1")))
	require.Equal(t, []int{-1, 0, 1}, []int{d("-2").Sign(), d("0").Sign(), d("2").Sign()})
	require.Equal(t, d("-2"), d("2").Neg())
	require.True(t, d("0.00").IsZero())
	require.False(t, d("0.01").IsZero())
}

func TestDecimalJSON(t *testing.T) {
	t.Parallel()

	t.Run("StringsAndNumbersAreReadDigitByDigit", func(t *testing.T) {
		t.Parallel()
		for given, want := range map[string]string{
			`"0.1"`: "0.1", `0.1`: "0.1", ` 12 `: "12", `-3.50`: "-3.5", `"\u0031"`: "1",
			// More digits than binary floating point holds.
			`123456789012.0123456789`: "123456789012.0123456789",
		} {
			var d money.Decimal
			require.NoError(t, json.Unmarshal([]byte(given), &d), given)
			require.Equal(t, want, d.String())
		}
	})

	t.Run("OtherValuesAreRefused", func(t *testing.T) {
		t.Parallel()
		for _, given := range []string{`1e3`, `"1e3"`, `null`, `true`, `""`, `[]`, `{}`} {
			d := money.MustDecimal("7")
			require.Error(t, json.Unmarshal([]byte(given), &d), given)
			require.Equal(t, "7", d.String())
		}
	})

	t.Run("StringsAreWritten", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal([]money.Decimal{money.MustDecimal("21.00"), {}})
		require.NoError(t, err)
		require.Equal(t, `["21","0"]`, string(text))
	})
}

func TestDecimalStorage(t *testing.T) {
	t.Parallel()
	want := money.MustDecimal("21.5")
	for _, src := range []any{"21.5", []byte("21.5000000000000000")} {
		var d money.Decimal
		require.NoError(t, d.Scan(src))
		require.Equal(t, want, d)
	}
	var whole money.Decimal
	require.NoError(t, whole.Scan(int64(21)))
	require.Equal(t, "21", whole.String())
	for _, src := range []any{nil, "", "1e3", true} {
		require.Error(t, whole.Scan(src))
	}
	require.Equal(t, "21", whole.String())
	stored, err := want.Value()
	require.NoError(t, err)
	require.Equal(t, "21.5", stored)
}

func TestStoredProductsAreReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := money.New(rapid.Int64().Draw(t, "a"), dinar).Decimal().Mul(money.New(rapid.Int64().Draw(t, "b"), dinar).Decimal())
		stored, err := d.Value()
		require.NoError(t, err)
		var back money.Decimal
		require.NoError(t, back.Scan(stored))
		require.Equal(t, d, back)
	})
}

func TestRounding(t *testing.T) {
	t.Parallel()
	d := money.MustDecimal
	for given, want := range map[string]string{
		"0.005": "0.01", "-0.005": "-0.01", "0.0049999": "0.00", "-0.0049999": "0.00", "2.345": "2.35", "-2.345": "-2.35", "163.725": "163.73",
	} {
		require.Equal(t, want, money.RoundHalfAwayFromZero(d(given), money.EUR).String(), given)
	}
	require.Equal(t, "3", money.RoundHalfAwayFromZero(d("2.5"), yen).String())
	require.Equal(t, "163.73", money.PercentOf(euros("1091.50"), d("15")).String())
	require.Equal(t, "-163.73", money.PercentOf(euros("-1091.50"), d("15")).String())
	require.Equal(t, "9.99", money.MulRound(d("0.0333"), d("300"), money.EUR).String())
	require.Equal(t, "5.20", money.IncludedVAT(euros("29.97"), d("21")).String())
	require.Equal(t, "-5.20", money.IncludedVAT(euros("-29.97"), d("21")).String())
	// 0.03 x 20 / 120 is exactly half a cent.
	require.Equal(t, "0.01", money.IncludedVAT(euros("0.03"), d("20")).String())
	require.Equal(t, "0.00", money.IncludedVAT(euros("29.97"), d("0")).String())

	require.True(t, money.FitsAmount(d("10000000000").Mul(d("-1000")), money.EUR))
	require.True(t, money.FitsAmount(d("10000000000").Mul(d("1000")).Add(d("0.0049")), money.EUR))
	require.False(t, money.FitsAmount(d("10000000000").Mul(d("1000")).Add(d("0.005")), money.EUR))
	require.False(t, money.FitsAmount(d("-999999999999").Mul(d("999999999999")), money.EUR))
}
