package vat

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	worth := func(s string) *money.Decimal {
		d := money.MustDecimal(s)
		return &d
	}
	home := func(s *Sale) { s.Country, s.InEU = "LT", true }
	german := func(s *Sale) { s.Country, s.InEU = "DE", true }
	american := func(s *Sale) { s.Country = "US" }
	business := func(s *Sale) { s.ToBusiness = true }
	services := func(s *Sale) { s.Type = Services }
	digital := func(s *Sale) { s.Type = Digital }
	small := func(s *Sale) { s.BelowThreshold = true }
	parcel := func(value string) func(*Sale) { return func(s *Sale) { s.Consignment = worth(value) } }
	facilitated := func(s *Sale) { s.Facilitated = true }
	facilitating := func(s *Sale) { s.Facilitating = true }
	outsider := func(s *Sale) { s.EstablishedInEU = false }
	notPayer := func(s *Sale) { s.IsVATPayer = false }
	type facts = []func(*Sale)
	for name, example := range map[string]struct {
		facts   facts
		scheme  Scheme
		country string
		marks   string // c charges, r reverse charge, d deemed supplier, z zero-rated
	}{
		"AtHome":                        {facts{home}, SchemeDomestic, "LT", "c"},
		"AtHomeToBusiness":              {facts{home, business}, SchemeDomestic, "LT", "c"},
		"NoVATPayer":                    {facts{notPayer, german, business}, SchemeSMEExempt, "LT", ""},
		"GoodsToEUBusiness":             {facts{german, business}, SchemeIntraEUB2B, "DE", "z"},
		"ServicesToEUBusiness":          {facts{german, business, services}, SchemeReverseCharge, "DE", "r"},
		"DigitalToEUBusiness":           {facts{german, business, digital}, SchemeReverseCharge, "DE", "r"},
		"GoodsToEUConsumer":             {facts{german}, SchemeOSSUnion, "DE", "c"},
		"DigitalToEUConsumer":           {facts{german, digital}, SchemeOSSUnion, "DE", "c"},
		"ServicesToEUConsumer":          {facts{german, services}, SchemeDomestic, "LT", "c"},
		"GoodsBelowThreshold":           {facts{german, small}, SchemeDomestic, "LT", "c"},
		"DigitalBelowThreshold":         {facts{german, digital, small}, SchemeDomestic, "LT", "c"},
		"GoodsOutside":                  {facts{american}, SchemeExport, "LT", "z"},
		"ServicesToOutsideBusiness":     {facts{american, business, services}, SchemeOutOfScope, "", ""},
		"DigitalToOutsideConsumer":      {facts{american, digital}, SchemeOutOfScope, "", ""},
		"ServicesToOutsideConsumer":     {facts{american, services}, SchemeDomestic, "LT", "c"},
		"SmallParcel":                   {facts{german, parcel("150")}, SchemeIOSS, "DE", "c"},
		"SmallParcelHome":               {facts{home, parcel("20")}, SchemeIOSS, "LT", "c"},
		"LargeParcel":                   {facts{german, parcel("150.01")}, SchemeOutOfScope, "DE", ""},
		"ParcelToBusiness":              {facts{german, business, parcel("20")}, SchemeOutOfScope, "DE", ""},
		"SmallParcelOnInterface":        {facts{german, parcel("20"), facilitated}, SchemeMarketplaceDeemed, "LT", "z"},
		"LargeParcelOnInterface":        {facts{german, parcel("151"), facilitated}, SchemeOutOfScope, "DE", ""},
		"OwnGoodsOnInterface":           {facts{german, facilitated}, SchemeOSSUnion, "DE", "c"},
		"InterfaceOfOutsider":           {facts{german, facilitating, outsider}, SchemeMarketplaceDeemed, "DE", "cd"},
		"InterfaceOfOutsiderToBusiness": {facts{german, facilitating, outsider, business}, SchemeIntraEUB2B, "DE", "z"},
		"InterfaceOfOutsiderOutside":    {facts{american, facilitated, outsider}, SchemeExport, "LT", "z"},
		"InterfaceForDigital":           {facts{german, facilitating, outsider, digital}, SchemeOSSUnion, "DE", "c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Sale{IsVATPayer: true, EstablishedInEU: true, Type: Goods}
			for _, set := range example.facts {
				set(&s)
			}
			got := Resolve(s)
			marks := ""
			for _, m := range []struct {
				is   bool
				mark string
			}{{got.Charges, "c"}, {got.ReverseCharge, "r"}, {got.Deemed, "d"}, {got.ZeroRated, "z"}} {
				if m.is {
					marks += m.mark
				}
			}
			require.Equal(t, []string{string(example.scheme), example.country, example.marks}, []string{string(got.Scheme), got.Country, marks})
			require.NotEmpty(t, got.LegalBasis)
			require.NotEmpty(t, got.Notes)
		})
	}
}
