package vat_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/vat"
)

// chosenBoxes are the boxes the table chooses where the specification leaves a choice.
var chosenBoxes = map[string]vat.Boxes{
	"20 base (form check); some software 18": {Base: []vat.Box{"20"}},
	"16 or 19":                               {Base: []vat.Box{"16"}},
	"23?":                                    {Base: []vat.Box{"23"}},
	"23+24?":                                 {Base: []vat.Box{"23", "24"}},
	"?":                                      {},
	"32 VAT; 25+35 VAT; 23 base uncertain":   {VAT: []vat.Box{"32", "25", "35"}},
	"25+35 VAT (compensation)":               {VAT: []vat.Box{"25", "35"}},
	"26 VAT; 35":                             {VAT: []vat.Box{"26", "35"}},
	"27 VAT; 35; 36":                         {VAT: []vat.Box{"27", "35"}},
	"none":                                   {},
	"-":                                      {},
}

func TestCodes(t *testing.T) {
	t.Parallel()

	t.Run("TheTableIsTheSpecificationRowByRow", func(t *testing.T) {
		t.Parallel()
		rows, err := csv.NewReader(bytes.NewReader(readShared(t, "tax/pvm-codes.csv"))).ReadAll()
		require.NoError(t, err)
		codes := vat.Codes()
		require.Len(t, codes, len(rows)-1)
		for i, row := range rows[1:] {
			c := codes[i]
			require.Equal(t, row[0], c.Code)
			rate := ""
			if c.HasRate {
				rate = c.Rate.String()
			}
			require.Equal(t, strings.Trim(row[1], "?"), rate, c.Code)
			require.Equal(t, row[2], c.ValidFrom.String(), c.Code)
			require.Equal(t, row[3], c.ValidTo.String(), c.Code)
			require.Equal(t, row[4], string(c.InPurchases), c.Code)
			require.Equal(t, row[5], string(c.InSales), c.Code)
			require.Equal(t, parseBoxes(t, row[6]), c.SaleBoxes, c.Code)
			require.Equal(t, parseBoxes(t, row[7]), c.PurchaseBoxes, c.Code)
			require.Equal(t, row[8], string(c.BoxStatus), c.Code)
			require.Equal(t, row[9], c.Meaning, c.Code)
		}
	})

	t.Run("EveryCodeIsFoundByItsName", func(t *testing.T) {
		t.Parallel()
		for _, c := range vat.Codes() {
			found, ok := vat.Lookup(c.Code)
			require.True(t, ok, c.Code)
			require.Equal(t, c, found)
		}
	})

	t.Run("MisspeltCodesAreNotFound", func(t *testing.T) {
		t.Parallel()
		for _, name := range []string{"", "PVM01", "pvm1", "PVM11", "PVM999", "PVM1 "} {
			_, ok := vat.Lookup(name)
			require.False(t, ok, name)
		}
	})

	t.Run("TheBuyerComputesVATUnderReverseChargeCodes", func(t *testing.T) {
		t.Parallel()
		var names []string
		for _, c := range vat.Codes() {
			if c.BuyerComputesVAT() {
				require.True(t, c.HasRate, c.Code)
				names = append(names, c.Code)
			}
		}
		require.Equal(t, strings.Fields(
			"PVM16 PVM17 PVM18 PVM20 PVM21 PVM25 PVM26 PVM27 PVM37 PVM40 PVM43 PVM44 PVM45 PVM54 PVM57 PVM60"), names)
	})

	t.Run("BothEndsOfTheValidityCount", func(t *testing.T) {
		t.Parallel()
		nine, _ := vat.Lookup("PVM2")
		require.True(t, nine.ValidOn(date.MustParse("2025-12-31")))
		require.False(t, nine.ValidOn(date.MustParse("2026-01-01")))
		twelve, _ := vat.Lookup("PVM58")
		require.False(t, twelve.ValidOn(date.MustParse("2025-12-31")))
		require.True(t, twelve.ValidOn(date.MustParse("2026-01-01")))
	})
}

// parseBoxes reads the box notation of the specification: "23+24 base; 32 VAT; 25+35 VAT".
func parseBoxes(t *testing.T, text string) vat.Boxes {
	t.Helper()
	if chosen, ok := chosenBoxes[text]; ok {
		return chosen
	}
	var result vat.Boxes
	for _, part := range strings.Split(text, "; ") {
		names, kind, _ := strings.Cut(part, " ")
		for _, name := range strings.Split(names, "+") {
			if kind == "base" || kind == "margin" {
				result.Base = append(result.Base, vat.Box(name))
			} else {
				require.Equal(t, "VAT", kind, text)
				result.VAT = append(result.VAT, vat.Box(name))
			}
		}
	}
	return result
}

func TestDomesticRates(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]string{"2025-12-31": "21 9 5 0", "2026-01-01": "21 12 5 0"} {
		var got []string
		for _, r := range vat.DomesticRatesOn(date.MustParse(day)) {
			require.NotEmpty(t, r.Law)
			require.True(t, vat.IsDomesticRate(r.Percent, date.MustParse(day)))
			got = append(got, r.Percent.String())
		}
		require.Equal(t, want, strings.Join(got, " "), day)
	}
}
