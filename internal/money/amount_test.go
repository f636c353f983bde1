package money_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
)

var (
	yen   = money.MustCurrency("JPY")
	dinar = money.MustCurrency("KWD")
)

func euros(s string) money.Amount {
	a, err := money.Parse(s, money.EUR)
	if err != nil {
		panic(err)
	}
	return a
}

func TestParse(t *testing.T) {
	t.Parallel()

	accepted := map[string]struct {
		text     string
		currency money.Currency
		minor    int64
		printed  string
	}{
		"Cents":            {"12.50", money.EUR, 1250, "12.50"},
		"FewerDecimals":    {"12.5", money.EUR, 1250, "12.50"},
		"NegativeWhole":    {"-3", money.EUR, -300, "-3.00"},
		"LessThanOne":      {"-0.05", money.EUR, -5, "-0.05"},
		"NegativeZero":     {"-0", money.EUR, 0, "0.00"},
		"Yen":              {"1935", yen, 1935, "1935"},
		"NegativeYen":      {"-1935", yen, -1935, "-1935"},
		"Dinar":            {"1.234", dinar, 1234, "1.234"},
		"TheLargestAmount": {"10000000000000", money.EUR, money.MaxMinor, "10000000000000.00"},
	}
	for name, tt := range accepted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := money.Parse(tt.text, tt.currency)
			require.NoError(t, err)
			require.Equal(t, money.New(tt.minor, tt.currency), a)
			require.Equal(t, tt.printed, a.String())
		})
	}

	refused := map[string]struct {
		text     string
		currency money.Currency
		want     string
	}{
		"Empty":           {"", money.EUR, `an amount must be a plain decimal such as "12.50", not ""`},
		"Blanks":          {" 1", money.EUR, `an amount must be a plain decimal such as "12.50", not " 1"`},
		"Exponent":        {"1e3", money.EUR, `an amount must be a plain decimal such as "12.50", not "1e3"`},
		"Plus":            {"+1", money.EUR, `an amount must be a plain decimal such as "12.50", not "+1"`},
		"Comma":           {"1,50", money.EUR, `an amount must be a plain decimal such as "12.50", not "1,50"`},
		"PointAtTheEnd":   {"1.", money.EUR, `an amount must be a plain decimal such as "12.50", not "1."`},
		"PointAtTheStart": {".5", money.EUR, `an amount must be a plain decimal such as "12.50", not ".5"`},
		"TwoMinuses":      {"--1", money.EUR, `an amount must be a plain decimal such as "12.50", not "--1"`},
		"NotANumber":      {"NaN", money.EUR, `an amount must be a plain decimal such as "12.50", not "NaN"`},
		"OtherDigits":     {"١", money.EUR, `an amount must be a plain decimal such as "12.50", not "١"`},
		"TooManyDecimals": {"1.005", money.EUR, `an amount in EUR has at most 2 decimals, "1.005" has 3`},
		"DecimalsOfYen":   {"1.0", yen, `an amount in JPY has at most 0 decimals, "1.0" has 1`},
		"JustTooLarge":    {"10000000000000.01", money.EUR, `an amount must lie between -10000000000000.00 and 10000000000000.00 EUR, "10000000000000.01" does not`},
		"TooManyDigits":   {"12345678901234567.89", money.EUR, `an amount has at most 18 digits and lies between -10000000000000.00 and 10000000000000.00 EUR, "12345678901234567.89" does not`},
	}
	for name, tt := range refused {
		t.Run(name+"IsRefused", func(t *testing.T) {
			t.Parallel()
			_, err := money.Parse(tt.text, tt.currency)
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(money.Currencies()).Draw(t, "currency")
		a := money.New(rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(t, "minor"), c)
		back, err := money.Parse(a.String(), c)
		require.NoError(t, err)
		require.Equal(t, a, back)
		require.Equal(t, a, money.RoundHalfAwayFromZero(a.Decimal(), c))
	})
}

func TestArithmetic(t *testing.T) {
	t.Parallel()
	a, b := euros("47212.32"), euros("46165.92")
	require.Equal(t, "1046.40", a.Sub(b).String())
	require.Equal(t, "-1046.40", b.Sub(a).String())
	require.Equal(t, a, a.Sub(b).Add(b))
	require.Equal(t, b.Sub(a).Abs(), a.Sub(b))
	require.Equal(t, 1, a.Cmp(b))
	require.Equal(t, -1, b.Cmp(a))
	require.Equal(t, 0, a.Cmp(a))
	require.Equal(t, []int{-1, 0, 1}, []int{a.Neg().Sign(), money.Zero(money.EUR).Sign(), a.Sign()})
	require.True(t, a.IsPositive())
	require.True(t, a.Neg().IsNegative())
	require.True(t, a.Sub(a).IsZero())
	require.Equal(t, money.EUR, a.Currency())
	require.Equal(t, int64(4721232), a.Minor())
	require.Equal(t, "0.30", money.Sum(money.EUR, euros("0.1"), euros("0.2")).String())
	require.Equal(t, money.Zero(yen), money.Sum(yen))

	text, err := json.Marshal(map[string]money.Amount{"total": a})
	require.NoError(t, err)
	require.Equal(t, `{"total":"47212.32"}`, string(text))
}

func TestProgrammerErrorsPanic(t *testing.T) {
	t.Parallel()
	most, least := money.New(math.MaxInt64, money.EUR), money.New(math.MinInt64, money.EUR)
	cent := money.New(1, money.EUR)
	for name, f := range map[string]func(){
		"AddingTwoCurrencies":      func() { cent.Add(money.New(1, yen)) },
		"SubtractingTwoCurrencies": func() { cent.Sub(money.New(1, yen)) },
		"ComparingTwoCurrencies":   func() { cent.Cmp(money.New(1, yen)) },
		"SummingTwoCurrencies":     func() { money.Sum(money.EUR, money.Zero(yen)) },
		"AddingPastTheTop":         func() { most.Add(cent) },
		"AddingPastTheBottom":      func() { least.Add(cent.Neg()) },
		"SubtractingPastTheTop":    func() { most.Sub(cent.Neg()) },
		"SubtractingPastTheBottom": func() { least.Sub(cent) },
		"NegatingTheBottom":        func() { least.Neg() },
		"SubtractingTheBottom":     func() { money.Zero(money.EUR).Sub(least) },
		"RoundingPastTheTop": func() {
			money.RoundHalfAwayFromZero(money.MustDecimal("999999999999").Mul(money.MustDecimal("999999999999")), money.EUR)
		},
	} {
		require.Panics(t, f, name)
	}
	require.Equal(t, most, most.Sub(cent).Add(cent))
	require.Equal(t, money.New(-1, money.EUR), most.Add(least))
}

func TestAllocate(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		amount  string
		weights []int64
		want    []string
	}{
		"EqualRemaindersGoToTheEarlier": {"0.05", []int64{1, 1, 1}, []string{"0.02", "0.02", "0.01"}},
		"TheLargestRemainderGoesFirst":  {"1.00", []int64{1, 2, 3}, []string{"0.17", "0.33", "0.50"}},
		"ZeroWeightGetsNothing":         {"0.10", []int64{0, 1, 0, 2}, []string{"0.00", "0.03", "0.00", "0.07"}},
		"AllZeroWeightsGoToTheFirst":    {"7.77", []int64{0, 0}, []string{"7.77", "0.00"}},
		"NegativeMirrorsPositive":       {"-0.05", []int64{1, 1, 1}, []string{"-0.02", "-0.02", "-0.01"}},
		"OnePartGetsEverything":         {"3.33", []int64{9}, []string{"3.33"}},
		"HugeWeights":                   {"0.03", []int64{math.MaxInt64, math.MaxInt64}, []string{"0.02", "0.01"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, part := range euros(tt.amount).Allocate(tt.weights) {
				got = append(got, part.String())
			}
			require.Equal(t, tt.want, got)
		})
	}
	require.Panics(t, func() { euros("1").Allocate(nil) })
	require.Panics(t, func() { euros("1").Allocate([]int64{2, -1}) })
}

func TestAllocateLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := money.New(rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(t, "minor"), money.EUR)
		weights := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 30).Draw(t, "weights")
		parts := a.Allocate(weights)
		require.Equal(t, a, money.Sum(money.EUR, parts...))

		sum := money.Decimal{}
		for _, w := range weights {
			sum = sum.Add(money.DecimalFromInt(w))
		}
		mirrored := a.Neg().Allocate(weights)
		for i, part := range parts {
			require.Equal(t, part.Neg(), mirrored[i])
			// |part - a x w / sum| < 1 unit, multiplied out.
			off := money.DecimalFromInt(part.Minor()).Mul(sum).
				Sub(money.DecimalFromInt(a.Minor()).Mul(money.DecimalFromInt(weights[i])))
			require.True(t, sum.IsZero() || (off.Cmp(sum) < 0 && off.Cmp(sum.Neg()) > 0))
		}
	})
}

func TestSpread(t *testing.T) {
	t.Parallel()
	shares := []money.Decimal{money.MustDecimal("0.105"), money.MustDecimal("-0.0333"), money.MustDecimal("0.005")}
	var got []string
	for _, part := range money.Spread(euros("0.08"), shares) {
		got = append(got, part.String())
	}
	require.Equal(t, []string{"0.11", "-0.03", "0.00"}, got)
	require.Panics(t, func() { money.Spread(euros("0.20"), shares) })
	require.Empty(t, money.Spread(money.Zero(money.EUR), nil))
}
