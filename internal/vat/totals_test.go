package vat_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

func net(quantity, price, rate string) vat.Line {
	return vat.Line{
		Quantity: money.MustDecimal(quantity), UnitPrice: money.MustDecimal(price), Rate: money.MustDecimal(rate),
		Code: "PVM1", ChargesVAT: true,
	}
}

func gross(quantity, price, rate string) vat.Line {
	l := net(quantity, price, rate)
	l.PriceIncludesVAT = true
	return l
}

func compute(t require.TestingT, currency string, lines ...vat.Line) vat.Totals {
	totals, err := vat.Compute(lines, money.MustCurrency(currency))
	require.NoError(t, err)
	return totals
}

func texts(s vat.Sums) []string { return []string{s.Net.String(), s.VAT.String(), s.Gross.String()} }

func TestCompute(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		currency string
		lines    []vat.Line
		want     []string
	}{
		"InvoiceOfFourLinesAtTwenty": {
			"EUR",
			[]vat.Line{net("1", "68.33", "20"), net("1", "68.33", "20"), net("1", "57.50", "20"), net("1", "85.00", "20")},
			[]string{"279.16", "55.83", "334.99"},
		},
		"HalfACentGoesUp":              {"EUR", []vat.Line{net("1", "1091.50", "15")}, []string{"1091.50", "163.73", "1255.23"}},
		"HalfACentOfACreditGoesDown":   {"EUR", []vat.Line{net("-1", "1091.50", "15")}, []string{"-1091.50", "-163.73", "-1255.23"}},
		"EachRateIsRoundedOnItsOwn":    {"EUR", []vat.Line{net("2", "1.73", "13"), net("2", "0.03", "24")}, []string{"3.52", "0.46", "3.98"}},
		"VATIsRoundedPerGroupNotLine":  {"EUR", []vat.Line{net("1", "696.22", "25"), net("1", "696.22", "25"), net("1", "696.22", "25")}, []string{"2088.66", "522.17", "2610.83"}},
		"RoundingPerGroupMayBeSmaller": {"EUR", []vat.Line{net("1", "99.99", "25"), net("1", "99.99", "25"), net("1", "99.99", "25")}, []string{"299.97", "74.99", "374.96"}},
		"SubtractionIsExact":           {"EUR", []vat.Line{net("1", "47212.32", "0"), net("-1", "46165.92", "0")}, []string{"1046.40", "0.00", "1046.40"}},
		"YenHaveNoDecimals":            {"JPY", []vat.Line{net("1", "1935", "0")}, []string{"1935", "0", "1935"}},
		"TenthsAddUp":                  {"EUR", []vat.Line{net("1", "0.1", "0"), net("1", "0.2", "0")}, []string{"0.30", "0.00", "0.30"}},
		"TinyUnitPrice":                {"EUR", []vat.Line{net("300", "0.0333", "21")}, []string{"9.99", "2.10", "12.09"}},
		"GrossPriceKeepsItsGross":      {"EUR", []vat.Line{gross("3", "9.99", "21")}, []string{"24.77", "5.20", "29.97"}},
		"MixedGroupAddsBothParts":      {"EUR", []vat.Line{net("1", "0.03", "21"), gross("1", "0.03", "21")}, []string{"0.05", "0.02", "0.07"}},
		"NoLinesGiveZero":              {"EUR", nil, []string{"0.00", "0.00", "0.00"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, texts(compute(t, tt.currency, tt.lines...).Sums))
		})
	}

	t.Run("TheLineWithTheLargestRemainderGetsTheCent", func(t *testing.T) {
		t.Parallel()
		totals := compute(t, "EUR", net("1", "68.33", "20"), net("1", "68.33", "20"), net("1", "57.50", "20"), net("1", "85.00", "20"))
		var vats []string
		for _, l := range totals.Lines {
			vats = append(vats, l.VAT.String())
		}
		require.Equal(t, []string{"13.67", "13.66", "11.50", "17.00"}, vats)
	})

	t.Run("FullCreditOfTinyPricesLeavesNothing", func(t *testing.T) {
		t.Parallel()
		invoice := compute(t, "EUR", net("300", "0.0333", "21"))
		credit := compute(t, "EUR", net("-300", "0.0333", "21"))
		require.True(t, invoice.Gross.Add(credit.Gross).IsZero())
	})

	t.Run("NoVATIsChargedUnderReverseCharge", func(t *testing.T) {
		t.Parallel()
		line := net("1", "100", "21")
		line.Code, line.ChargesVAT = "PVM25", false
		totals := compute(t, "EUR", line)
		require.Equal(t, []string{"100.00", "0.00", "100.00"}, texts(totals.Sums))
		require.Equal(t, "21", totals.Groups[0].Rate.String())
		line.PriceIncludesVAT = true
		require.Equal(t, []string{"100.00", "0.00", "100.00"}, texts(compute(t, "EUR", line).Sums))
	})

	t.Run("GroupsStandInTheOrderOfTheirFirstLine", func(t *testing.T) {
		t.Parallel()
		exempt := net("1", "10", "0")
		exempt.Code = "PVM5"
		totals := compute(t, "EUR", net("1", "1", "21"), exempt, net("1", "2", "21.0"), net("1", "3", "5"))
		require.Len(t, totals.Groups, 3)
		require.Equal(t, "PVM1 21 3.00", describe(totals.Groups[0]))
		require.Equal(t, "PVM5 0 10.00", describe(totals.Groups[1]))
		require.Equal(t, "PVM1 5 3.00", describe(totals.Groups[2]))
	})

	refusals := map[string]struct {
		lines []vat.Line
		want  string
	}{
		"RateAbove100":      {[]vat.Line{net("1", "1", "100.5")}, "line 1: the VAT rate must lie between 0 and 100 per cent, not 100.5"},
		"NegativeRate":      {[]vat.Line{net("1", "1", "21"), net("1", "1", "-1")}, "line 2: the VAT rate must lie between 0 and 100 per cent, not -1"},
		"PriceOutOfBounds":  {[]vat.Line{net("999999999999", "999999999999", "21")}, "line 1: quantity times unit price must lie between -10000000000000.00 and 10000000000000.00 EUR"},
		"VolumeOutOfBounds": {[]vat.Line{net("10", "999999999999", "0"), net("1", "11", "0")}, "line 2: the lines of a document must not exceed 10000000000000.00 EUR together"},
	}
	for name, tt := range refusals {
		t.Run(name+"IsRefused", func(t *testing.T) {
			t.Parallel()
			_, err := vat.Compute(tt.lines, money.EUR)
			require.EqualError(t, err, tt.want)
		})
	}
}

func describe(g vat.Group) string { return g.Code + " " + g.Rate.String() + " " + g.Net.String() }

func drawLine(t *rapid.T) vat.Line {
	decimal := func(label string, low, high int64, places int32) money.Decimal {
		scale := money.DecimalFromInt(1)
		for range places {
			scale = scale.Mul(money.DecimalFromInt(10))
		}
		return money.DecimalFromInt(rapid.Int64Range(low, high).Draw(t, label)).Div(scale, places)
	}
	return vat.Line{
		Quantity:         decimal("quantity", -5000, 5000, 3),
		UnitPrice:        decimal("price", 0, 9_999_999, 4),
		PriceIncludesVAT: rapid.Bool().Draw(t, "gross price"),
		Rate:             money.MustDecimal(rapid.SampledFrom([]string{"0", "5", "12", "21", "25.5", "19.6"}).Draw(t, "rate")),
		Code:             rapid.SampledFrom([]string{"", "PVM1", "PVM3"}).Draw(t, "code"),
		ChargesVAT:       rapid.IntRange(0, 4).Draw(t, "charges") > 0,
	}
}

func TestComputeLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"EUR", "JPY", "KWD"}).Draw(t, "currency")
		lines := rapid.SliceOfN(rapid.Custom(drawLine), 1, 12).Draw(t, "lines")
		totals := compute(t, currency, lines...)
		c := money.MustCurrency(currency)

		linesByGroup := map[string]vat.Sums{}
		for i, sums := range totals.Lines {
			l := lines[i]
			price := money.MulRound(l.UnitPrice, l.Quantity, c)
			require.Equal(t, sums.Gross, sums.Net.Add(sums.VAT))
			if l.PriceIncludesVAT {
				require.Equal(t, price, sums.Gross)
			} else {
				require.Equal(t, price, sums.Net)
			}
			if !l.ChargesVAT {
				require.True(t, sums.VAT.IsZero())
			}
			requireWithinOneUnit(t, l, price, sums.VAT)
			k := groupKey(l.Code, l.Rate, l.ChargesVAT)
			linesByGroup[k] = addSums(linesByGroup[k], sums, c)
		}
		require.Len(t, totals.Groups, len(linesByGroup))
		document := vat.Sums{}
		for _, g := range totals.Groups {
			require.Equal(t, linesByGroup[groupKey(g.Code, g.Rate, g.ChargesVAT)], g.Sums)
			document = addSums(document, g.Sums, c)
		}
		require.Equal(t, document, totals.Sums)

		mirrored := compute(t, currency, negated(lines)...)
		for i := range lines {
			require.Equal(t, totals.Lines[i].Net.Neg(), mirrored.Lines[i].Net)
			require.Equal(t, totals.Lines[i].VAT.Neg(), mirrored.Lines[i].VAT)
		}
	})
}

// requireWithinOneUnit checks that allocation moved a line by less than one minor unit from its exact VAT.
func requireWithinOneUnit(t *rapid.T, l vat.Line, price, got money.Amount) {
	if !l.ChargesVAT {
		return
	}
	base := money.DecimalFromInt(100)
	if l.PriceIncludesVAT {
		base = base.Add(l.Rate)
	}
	// |got - price x rate / base| < 1 unit, multiplied out so that nothing is rounded.
	off := money.DecimalFromInt(got.Minor()).Mul(base).Sub(money.DecimalFromInt(price.Minor()).Mul(l.Rate))
	require.Negative(t, off.Cmp(base), "%s of %s", got, price)
	require.Positive(t, off.Cmp(base.Neg()), "%s of %s", got, price)
}

func groupKey(code string, rate money.Decimal, charges bool) string {
	if charges {
		return code + "/" + rate.String()
	}
	return code + "/" + rate.String() + "/none"
}

func addSums(a, b vat.Sums, c money.Currency) vat.Sums {
	if a.Net.Currency().IsZero() {
		a = vat.Sums{Net: money.Zero(c), VAT: money.Zero(c), Gross: money.Zero(c)}
	}
	return vat.Sums{Net: a.Net.Add(b.Net), VAT: a.VAT.Add(b.VAT), Gross: a.Gross.Add(b.Gross)}
}

func negated(lines []vat.Line) []vat.Line {
	out := make([]vat.Line, len(lines))
	for i, l := range lines {
		l.Quantity = l.Quantity.Neg()
		out[i] = l
	}
	return out
}

func TestComputeGroupVATIsRoundedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]string{"5", "12", "21", "25.5"}).Draw(t, "rate")
		prices := rapid.SliceOfN(rapid.Int64Range(-100_000, 100_000), 1, 20).Draw(t, "cents")
		includes := rapid.Bool().Draw(t, "gross prices")
		var lines []vat.Line
		total := money.Zero(money.EUR)
		for _, cents := range prices {
			l := net("1", money.New(cents, money.EUR).String(), rate)
			l.PriceIncludesVAT = includes
			lines = append(lines, l)
			total = total.Add(money.New(cents, money.EUR))
		}
		want := money.PercentOf(total, money.MustDecimal(rate))
		if includes {
			want = money.IncludedVAT(total, money.MustDecimal(rate))
		}
		require.Equal(t, want, compute(t, "EUR", lines...).VAT)
	})
}
