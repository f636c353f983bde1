package vat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

const (
	in2025 = "2025-12-31"
	in2026 = "2026-01-05"
)

func code(t *testing.T, name string) vat.Code {
	t.Helper()
	c, ok := vat.Lookup(name)
	require.True(t, ok, name)
	return c
}

func TestDefaultSaleCode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		scheme          vat.Scheme
		rate, day, want string
	}{
		"Standard":                          {vat.SchemeDomestic, "21", in2026, "PVM1"},
		"StandardWrittenWithDecimals":       {vat.SchemeDomestic, "21.00", in2026, "PVM1"},
		"TwelvePerCentFrom2026":             {vat.SchemeDomestic, "12", in2026, "PVM58"},
		"NinePerCentFor2025Supplies":        {vat.SchemeDomestic, "9", in2025, "PVM2"},
		"FivePerCent":                       {vat.SchemeDomestic, "5", in2026, "PVM3"},
		"GoodsToEUVATPayer":                 {vat.SchemeIntraEUB2B, "0", in2026, "PVM13"},
		"ReverseChargeShownAtZero":          {vat.SchemeReverseCharge, "0", in2026, "PVM25"},
		"ReverseChargeShownAtTheBuyersRate": {vat.SchemeReverseCharge, "21", in2026, "PVM25"},
		"ReverseChargeAtFive":               {vat.SchemeReverseCharge, "5", in2026, "PVM27"},
		"OneStopShopAtAForeignRate":         {vat.SchemeOSSUnion, "19", in2026, "PVM15"},
		"ImportShopAtAForeignRate":          {vat.SchemeIOSS, "25.5", in2026, "PVM15"},
		"MarketplaceSaleInLithuania":        {vat.SchemeMarketplaceDeemed, "21", in2026, "PVM1"},
		"MarketplaceSaleAbroad":             {vat.SchemeMarketplaceDeemed, "19", in2026, "PVM15"},
		"SupplyToTheMarketplace":            {vat.SchemeMarketplaceDeemed, "0", in2026, "PVM14"},
		"Export":                            {vat.SchemeExport, "0", in2026, "PVM12"},
		"OutsideLithuania":                  {vat.SchemeOutOfScope, "0", in2026, "PVM15"},
		"SmallBusiness":                     {vat.SchemeSMEExempt, "0", in2026, "PVM100"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rate, day := money.MustDecimal(tt.rate), date.MustParse(tt.day)
			got, err := vat.DefaultSaleCode(tt.scheme, rate, day)
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Code)
			require.NoError(t, vat.CheckSaleCode(got, tt.scheme, rate, day))
		})
	}

	refusals := map[string]struct {
		scheme          vat.Scheme
		rate, day, want string
	}{
		"NinePerCentEndedWith2025":  {vat.SchemeDomestic, "9", in2026, "9 % is no Lithuanian VAT rate on 2026-01-05: use one of 21, 12, 5, 0"},
		"TwelvePerCentBegins2026":   {vat.SchemeDomestic, "12", in2025, "12 % is no Lithuanian VAT rate on 2025-12-31: use one of 21, 9, 5, 0"},
		"DomesticZeroIsAmbiguous":   {vat.SchemeDomestic, "0", in2026, "a domestic sale at 0 % must name its code: PVM5 when exempt, PVM14 when zero-rated"},
		"ExportWithVAT":             {vat.SchemeExport, "21", in2026, "under export no VAT is charged: the rate must be 0, not 21"},
		"ReverseChargeAtAnOddRate":  {vat.SchemeReverseCharge, "7", in2026, "under reverse_charge the rate is 0, or the rate the buyer owes (21, 9 or 5), not 7"},
		"UnknownSchemeListsSchemes": {vat.Scheme("vat_free"), "0", in2026, "the VAT scheme must be one of domestic, intra_eu_b2b, reverse_charge, oss_union, ioss, marketplace_deemed, export, out_of_scope, sme_exempt"},
	}
	for name, tt := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := vat.DefaultSaleCode(tt.scheme, money.MustDecimal(tt.rate), date.MustParse(tt.day))
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestCheckSaleCode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		code            string
		scheme          vat.Scheme
		rate, day, want string
	}{
		"ExemptDomesticSale":             {"PVM5", vat.SchemeDomestic, "0", in2026, ""},
		"NamedOneStopShopAlternative":    {"PVM100", vat.SchemeOSSUnion, "19", in2026, ""},
		"ServiceToAForeignVATPayer":      {"PVM15", vat.SchemeReverseCharge, "0", in2026, ""},
		"CreditOfA2025SupplyKeepsItCode": {"PVM2", vat.SchemeDomestic, "9", in2025, ""},
		"CodePastItsEnd":                 {"PVM2", vat.SchemeDomestic, "5", in2026, "PVM2 is not for supplies of 2026-01-05: use PVM3"},
		"CodePastItsEndAndSoIsTheRate": {
			"PVM2", vat.SchemeDomestic, "9", in2026,
			"PVM2 is not for supplies of 2026-01-05; 9 % is no Lithuanian VAT rate on 2026-01-05: use one of 21, 12, 5, 0",
		},
		"CodeOfAnotherRate":          {"PVM3", vat.SchemeDomestic, "21", in2026, "PVM3 is for 5 %, the line has 21 %: use PVM1"},
		"CodeWithoutRate":            {"PVM5", vat.SchemeDomestic, "21", in2026, "PVM5 has no rate, the line has 21 %: use PVM1"},
		"PurchaseCodeOnASale":        {"PVM16", vat.SchemeDomestic, "21", in2026, "PVM16 is not used for sales: use PVM1"},
		"ImportCodeOnASale":          {"PVM23", vat.SchemeDomestic, "21", in2026, "PVM23 is not used for sales: use PVM1"},
		"ExpiredCode":                {"PVM4", vat.SchemeReverseCharge, "21", in2026, "PVM4 is not for supplies of 2026-01-05: use PVM25"},
		"ExportCodeOnADomesticSale":  {"PVM12", vat.SchemeDomestic, "21", in2026, "PVM12 is not used under domestic: use PVM1"},
		"DomesticCodeOnAnExport":     {"PVM1", vat.SchemeExport, "0", in2026, "PVM1 is not used under export: use PVM12"},
		"LithuanianVATOutsideReturn": {"PVM100", vat.SchemeDomestic, "21", in2026, "PVM100 has no rate, the line has 21 %: use PVM1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := vat.CheckSaleCode(code(t, tt.code), tt.scheme, money.MustDecimal(tt.rate), date.MustParse(tt.day))
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestDefaultPurchaseCode(t *testing.T) {
	t.Parallel()

	t.Run("ASupplierInLithuaniaNeedsNone", func(t *testing.T) {
		t.Parallel()
		_, needed, err := vat.DefaultPurchaseCode(
			vat.SupplierOriginLithuania, vat.SupplyGoods, money.MustDecimal("21"), date.MustParse(in2026))
		require.NoError(t, err)
		require.False(t, needed)
	})

	tests := map[string]struct {
		origin          vat.SupplierOrigin
		supply          vat.Supply
		rate, day, want string
	}{
		"GoodsFromTheEU":            {vat.SupplierOriginEUPayer, vat.SupplyGoods, "0", in2026, "PVM16"},
		"GoodsFromTheEUAtFive":      {vat.SupplierOriginEUPayer, vat.SupplyGoods, "5", in2026, "PVM18"},
		"GoodsFromTheEUAtNine":      {vat.SupplierOriginEUPayer, vat.SupplyGoods, "9", in2025, "PVM17"},
		"ServicesFromTheEU":         {vat.SupplierOriginEUPayer, vat.SupplyServices, "0", in2026, "PVM21"},
		"ServicesFromTheEUAtTwelve": {vat.SupplierOriginEUPayer, vat.SupplyServices, "12", in2026, "PVM60"},
		"HotelInGermany":            {vat.SupplierOriginEUPayer, vat.SupplyServices, "7", in2026, "PVM48"},
		"GoodsFromAThirdCountry":    {vat.SupplierOriginForeign, vat.SupplyGoods, "0", in2026, "PVM48"},
		"ServicesFromAThirdCountry": {vat.SupplierOriginForeign, vat.SupplyServices, "0", in2026, "PVM20"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rate, day := money.MustDecimal(tt.rate), date.MustParse(tt.day)
			got, needed, err := vat.DefaultPurchaseCode(tt.origin, tt.supply, rate, day)
			require.NoError(t, err)
			require.True(t, needed)
			require.Equal(t, tt.want, got.Code)
			require.NoError(t, vat.CheckPurchaseCode(got, tt.origin, rate, day))
		})
	}

	t.Run("ALithuanianRateIsNeverTakenForAForeignOne", func(t *testing.T) {
		t.Parallel()
		_, _, err := vat.DefaultPurchaseCode(
			vat.SupplierOriginEUPayer, vat.SupplyGoods, money.MustDecimal("9"), date.MustParse(in2026))
		require.EqualError(t, err, "goods at 9 % from a supplier that is a VAT payer of another EU state must name a code: "+
			"one of PVM48, PVM100")
	})
}

func TestCheckPurchaseCode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		code            string
		origin          vat.SupplierOrigin
		rate, day, want string
	}{
		"DomesticCodeMayBeNamed":       {"PVM1", vat.SupplierOriginLithuania, "21", in2026, ""},
		"ConstructionUnderArt96":       {"PVM25", vat.SupplierOriginLithuania, "0", in2026, ""},
		"Farmer":                       {"PVM49", vat.SupplierOriginLithuania, "6", in2026, ""},
		"BelgianVATMatchesOursByRate":  {"PVM48", vat.SupplierOriginEUPayer, "21", in2026, ""},
		"DomesticCodeFromTheEU":        {"PVM1", vat.SupplierOriginEUPayer, "21", in2026, "PVM1 is not used for a supplier that is a VAT payer of another EU state: use one of PVM16, PVM21, PVM43, PVM48, PVM100"},
		"EUCodeFromAThirdCountry":      {"PVM16", vat.SupplierOriginForeign, "21", in2026, "PVM16 is not used for a supplier abroad without an EU VAT number: use one of PVM20, PVM43, PVM48, PVM100"},
		"ForeignCodeFromLithuania":     {"PVM21", vat.SupplierOriginLithuania, "21", in2026, "PVM21 is not used for a supplier in Lithuania: use one of PVM1, PVM25, PVM32"},
		"SaleCodeOnAPurchase":          {"PVM12", vat.SupplierOriginLithuania, "21", in2026, "PVM12 is not used for purchases: use one of PVM1, PVM25, PVM32"},
		"CodeOfAnotherRate":            {"PVM3", vat.SupplierOriginLithuania, "21", in2026, "PVM3 is for 5 %, the line has 21 %: use one of PVM1, PVM25, PVM32"},
		"CodePastItsEnd":               {"PVM2", vat.SupplierOriginLithuania, "12", in2026, "PVM2 is not for supplies of 2026-01-05: use one of PVM58"},
		"NoCodeTakesARateNobodyHas":    {"PVM1", vat.SupplierOriginLithuania, "7", in2026, "PVM1 is for 21 %, the line has 7 %; no code takes 7 % on 2026-01-05: use one of the Lithuanian rates 21, 12, 5, 0"},
		"ZeroIsNoRateOfADomesticPayer": {"PVM1", vat.SupplierOriginLithuania, "0", in2026, "PVM1 is for 21 %, the line has 0 %: use one of PVM5, PVM14, PVM25, PVM26, PVM27, PVM33, PVM55, PVM100"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := vat.CheckPurchaseCode(code(t, tt.code), tt.origin, money.MustDecimal(tt.rate), date.MustParse(tt.day))
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestScheme(t *testing.T) {
	t.Parallel()

	t.Run("EverySchemeIsReadByItsName", func(t *testing.T) {
		t.Parallel()
		require.Len(t, vat.Schemes(), 9)
		for _, s := range vat.Schemes() {
			parsed, err := vat.ParseScheme(string(s))
			require.NoError(t, err)
			require.Equal(t, s, parsed)
		}
		_, err := vat.ParseScheme("")
		require.ErrorContains(t, err, "must be one of domestic, ")
	})

	t.Run("FourSchemesChargeVAT", func(t *testing.T) {
		t.Parallel()
		var charging []vat.Scheme
		for _, s := range vat.Schemes() {
			if s.ChargesVAT() {
				charging = append(charging, s)
			}
		}
		require.Equal(t, []vat.Scheme{
			vat.SchemeDomestic, vat.SchemeOSSUnion, vat.SchemeIOSS, vat.SchemeMarketplaceDeemed,
		}, charging)
	})
}

// TestOtherCasesAreNeverTheDefault is edge case 47: PVM100 is for what was said to be outside the return, never for what fits
// nothing else.
func TestOtherCasesAreNeverTheDefault(t *testing.T) {
	t.Parallel()
	chosen := 0
	for _, day := range []string{"2025-06-30", "2026-01-01"} {
		for _, percent := range []string{"0", "5", "6", "9", "12", "19", "21", "25.5"} {
			rate, on := money.MustDecimal(percent), date.MustParse(day)
			for _, scheme := range vat.Schemes() {
				if c, err := vat.DefaultSaleCode(scheme, rate, on); err == nil && scheme != vat.SchemeSMEExempt {
					chosen++
					require.NotEqual(t, "PVM100", c.Code, "%s at %s %%", scheme, percent)
				}
			}
			for _, origin := range []vat.SupplierOrigin{vat.SupplierOriginLithuania, vat.SupplierOriginEUPayer, vat.SupplierOriginForeign} {
				for _, supply := range []vat.Supply{vat.SupplyGoods, vat.SupplyServices} {
					if c, needed, err := vat.DefaultPurchaseCode(origin, supply, rate, on); err == nil && needed {
						chosen++
						require.NotEqual(t, "PVM100", c.Code, "%s of %s at %s %%", supply, origin, percent)
					}
				}
			}
		}
	}
	require.Greater(t, chosen, 20)
}
