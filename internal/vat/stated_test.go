package vat_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

// printed are the stated amounts of lines; "" states none.
func printed(amounts ...string) []*money.Decimal {
	out := make([]*money.Decimal, len(amounts))
	for i, a := range amounts {
		if a != "" {
			out[i] = new(money.MustDecimal(a))
		}
	}
	return out
}

func reverse(price string) vat.Line {
	l := net("1", price, "21")
	l.Code, l.ChargesVAT = "PVM25", false
	return l
}

func TestRestate(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lines  []vat.Line
		stated []*money.Decimal
		want   []string
	}{
		"NothingStated":         {[]vat.Line{net("1", "100", "21")}, printed(""), []string{"100.00", "21.00", "121.00"}},
		"AsComputed":            {[]vat.Line{net("1", "100", "21")}, printed("21"), []string{"100.00", "21.00", "121.00"}},
		"ACentMore":             {[]vat.Line{net("1", "100", "21")}, printed("21.01"), []string{"100.00", "21.01", "121.01"}},
		"ACentLess":             {[]vat.Line{net("1", "100", "21")}, printed("20.99"), []string{"100.00", "20.99", "120.99"}},
		"GrossIsKept":           {[]vat.Line{gross("1", "121", "21")}, printed("21.01"), []string{"99.99", "21.01", "121.00"}},
		"Discount":              {[]vat.Line{net("-1", "100", "21")}, printed("-21.01"), []string{"-100.00", "-21.01", "-121.01"}},
		"EachLineRoundedUp":     {[]vat.Line{net("1", "0.12", "21"), net("1", "0.12", "21"), net("1", "0.12", "21")}, printed("0.03", "0.03", "0.03"), []string{"0.36", "0.09", "0.45"}},
		"EachLineCutOff":        {[]vat.Line{net("1", "0.09", "21"), net("1", "0.09", "21"), net("1", "0.09", "21")}, printed("0.01", "0.01", "0.01"), []string{"0.27", "0.03", "0.30"}},
		"GroupOnOneLine":        {[]vat.Line{net("1", "10", "21"), net("1", "10", "21"), net("1", "10", "21")}, printed("", "", "2.13"), []string{"30.00", "6.33", "36.33"}},
		"OtherRateStays":        {[]vat.Line{net("1", "100", "21"), net("1", "100", "5")}, printed("21.01", ""), []string{"200.00", "26.01", "226.01"}},
		"NoneWhereBuyerCharges": {[]vat.Line{reverse("100")}, printed("0"), []string{"100.00", "0.00", "100.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			totals, err := vat.Restate(compute(t, "EUR", tt.lines...), tt.lines, tt.stated)
			require.NoError(t, err)
			require.Equal(t, tt.want, texts(totals.Sums))
		})
	}
	for name, tt := range map[string]struct {
		lines  []vat.Line
		stated []*money.Decimal
		line   int
		says   string
	}{
		"TwoCentsOnOneLine":  {[]vat.Line{net("1", "100", "21")}, printed("21.02"), 0, "is 21.02, but 21 % comes to 21.00; rounding explains 0.01 EUR at most"},
		"LinesOfOtherRates":  {[]vat.Line{net("1", "100", "21"), net("1", "100", "5")}, printed("", "5.02"), 1, "rounding explains 0.01 EUR"},
		"GroupStrays":        {[]vat.Line{net("1", "100", "21"), net("1", "100", "21")}, printed("21.02", "21.01"), 1, "makes 42.03 of the VAT at 21 %, which comes to 42.00"},
		"ThirdDecimal":       {[]vat.Line{net("1", "100", "21")}, printed("21.001"), 0, "has more decimals than EUR"},
		"AtZero":             {[]vat.Line{net("1", "100", "0")}, printed("0.01"), 0, "must be 0"},
		"OfNothing":          {[]vat.Line{net("1", "0", "21")}, printed("0.01"), 0, "must be 0"},
		"BuyerComputes":      {[]vat.Line{reverse("100")}, printed("0.01"), 0, "must be left out"},
		"WrongSign":          {[]vat.Line{net("1", "0.02", "21")}, printed("-0.01"), 0, "does not fit the price"},
		"MoreThanTheGross":   {[]vat.Line{gross("1", "0.01", "21"), gross("1", "1", "21")}, printed("0.02", ""), 0, "does not fit the price"},
		"TooLarge":           {[]vat.Line{net("1", "100", "21")}, printed("999999999999"), 0, "21 % comes to 21.00"},
		"SecondLineIsNamed":  {[]vat.Line{net("1", "100", "21"), net("1", "100", "21")}, printed("21.01", "25"), 1, "is 25.00"},
		"RateOfNothingAtAll": {[]vat.Line{reverse("0")}, printed("1"), 0, "must be left out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := vat.Restate(compute(t, "EUR", tt.lines...), tt.lines, tt.stated)
			refusal, ok := errors.AsType[*vat.StatedError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, tt.line, refusal.Line)
			require.ErrorContains(t, err, tt.says)
		})
	}
}

// TestRestateLaws: whatever a supplier that rounds each line prints is taken over to the unit, and everything still adds up.
func TestRestateLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"EUR", "JPY", "KWD"}).Draw(t, "currency")
		c := money.MustCurrency(currency)
		lines := rapid.SliceOfN(rapid.Custom(drawLine), 1, 12).Draw(t, "lines")
		totals := compute(t, currency, lines...)
		stated := make([]*money.Decimal, len(lines))
		for i, l := range lines {
			if !l.ChargesVAT || rapid.Bool().Draw(t, "left to us") {
				continue
			}
			printed := money.PercentOf(totals.Lines[i].Net, l.Rate)
			if l.PriceIncludesVAT {
				printed = money.IncludedVAT(totals.Lines[i].Gross, l.Rate)
			}
			stated[i] = new(printed.Decimal())
		}
		restated, err := vat.Restate(totals, lines, stated)
		require.NoError(t, err)
		groups := map[string]vat.Sums{}
		for i, sums := range restated.Lines {
			require.Equal(t, sums.Gross, sums.Net.Add(sums.VAT))
			if lines[i].PriceIncludesVAT {
				require.Equal(t, totals.Lines[i].Gross, sums.Gross)
			} else {
				require.Equal(t, totals.Lines[i].Net, sums.Net)
			}
			if stated[i] != nil {
				require.Equal(t, stated[i].String(), sums.VAT.Decimal().String())
			} else {
				require.Equal(t, totals.Lines[i], sums)
			}
			k := groupKey(lines[i].Code, lines[i].Rate, lines[i].ChargesVAT)
			groups[k] = addSums(groups[k], sums, c)
		}
		document := addSums(vat.Sums{}, vat.Sums{Net: money.Zero(c), VAT: money.Zero(c), Gross: money.Zero(c)}, c)
		require.Len(t, restated.Groups, len(groups))
		for _, g := range restated.Groups {
			require.Equal(t, groups[groupKey(g.Code, g.Rate, g.ChargesVAT)], g.Sums)
			document = addSums(document, g.Sums, c)
		}
		require.Equal(t, document, restated.Sums)
	})
}
