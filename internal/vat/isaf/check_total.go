package isaf

import (
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// vatTolerance is what VAT may differ from base times rate without a warning: 10 cents, for sums of rounded lines. VMI's own
// tolerance is not published.
var vatTolerance = money.New(10, money.EUR)

func (c *checker) checkTotal(i Invoice, t Total) {
	if i.Direction == register.Sales && i.Type != register.Cancelled {
		switch {
		case t.Net.IsZero():
			c.of(i, LevelWarning, "14047", "a row has no taxable value")
		case t.Net.IsNegative() && !i.isNote():
			c.of(i, LevelError, "14048", "a row comes to %s; only notes may be negative", t.Net)
		}
	}
	if t.VAT != nil && t.Rate != nil {
		if difference := t.VAT.Sub(money.PercentOf(t.Net, *t.Rate)).Abs(); difference.Cmp(vatTolerance) > 0 {
			c.of(i, LevelWarning, i.side("14024", "14051"), "VAT of %s is not %s per cent of %s", t.VAT, t.Rate, t.Net)
		}
	}
	if t.Code == nil {
		c.checkNoCode(i, t)
		return
	}
	code, known := vat.Lookup(*t.Code)
	if !known {
		c.of(i, LevelError, i.side("14022", "14049"), "%s is no code of the classifier", *t.Code)
		return
	}
	if day := i.supplyDay(t); !code.ValidOn(day) {
		c.of(i, LevelWarning, i.side("14022", "14049"), "%s is not for supplies of %s", code.Code, day)
	}
	if i.Direction == register.Sales {
		c.checkSaleCode(i, code)
		return
	}
	c.checkPurchaseCode(i, code)
}

// supplyDay is the day by which a code is judged: a note belongs to the supply of what it adjusts.
func (i Invoice) supplyDay(t Total) date.Date {
	switch {
	case !t.SupplyDate.IsZero():
		return t.SupplyDate
	case !i.SupplyDate.IsZero():
		return i.SupplyDate
	case len(i.References) > 0:
		return i.References[0].Date
	}
	return i.Date
}

func (c *checker) checkNoCode(i Invoice, t Total) {
	switch {
	case i.Direction == register.Sales:
		c.of(i, LevelError, "14049", "a row has no code")
	case i.Party.originOf() != vat.SupplierOriginLithuania:
		c.of(i, LevelError, "14300", "a purchase from abroad needs a code")
	case t.Rate == nil || !vat.IsDomesticRate(*t.Rate, i.supplyDay(t)):
		c.of(i, LevelWarning, "14023", "a row without a code has a rate that Lithuania did not have on %s", i.supplyDay(t))
	}
}

func (c *checker) checkSaleCode(i Invoice, code vat.Code) {
	if code.InSales == vat.RegisterMarkUnused {
		c.of(i, LevelWarning, "14049", "%s is not used for sales", code.Code)
	}
	country, ofEU := identifier.VATCountry(i.Party.VATNumber)
	if code.Code == "PVM13" && (!ofEU || country == lithuania) {
		c.of(i, LevelError, "14400", "PVM13 is for goods sold to VAT payers of other EU states; the buyer's number is %s", i.Party.VATNumber)
	}
}

// farmerCode is for purchases from farmers under the compensatory scheme.
const farmerCode = "PVM49"

func (c *checker) checkPurchaseCode(i Invoice, code vat.Code) {
	if code.InPurchases == vat.RegisterMarkUnused {
		c.of(i, LevelWarning, "14022", "%s is not used for purchases", code.Code)
		return
	}
	if code.Code == farmerCode && i.Party.VATNumber != unknown {
		c.of(i, LevelError, "14402", "a farmer under the compensatory scheme has no VAT number: move %s to the code", i.Party.VATNumber)
	}
	origin := i.Party.originOf()
	if slices.Contains(originCodes[origin], code.Code) || i.Party.isNorthernIrish() {
		return
	}
	c.of(i, LevelWarning, originChecks[origin], "%s does not fit a supplier with the number %s", code.Code, i.Party.VATNumber)
}

// isNorthernIrish reports a party that is in the EU for goods and outside it for services, which a row does not tell apart.
func (p Party) isNorthernIrish() bool { return len(p.VATNumber) > 2 && p.VATNumber[:2] == "XI" }

// originOf goes by the VAT number first, as purchases do. A party of unknown country is taken to be Lithuanian.
func (p Party) originOf() vat.SupplierOrigin {
	switch {
	case p.origin == lithuania, p.origin == "" && p.VATNumber == unknown:
		return vat.SupplierOriginLithuania
	case p.ofEU():
		return vat.SupplierOriginEUPayer
	}
	return vat.SupplierOriginForeign
}

// originChecks are VMI's checks of a code against the supplier; there is none for VAT payers of the EU.
var originChecks = map[vat.SupplierOrigin]string{
	vat.SupplierOriginLithuania: "14311", vat.SupplierOriginForeign: "14312", vat.SupplierOriginEUPayer: "",
}

// originCodes are the codes that fit each origin, whatever the date.
var originCodes = func() map[vat.SupplierOrigin][]string {
	fitting := map[vat.SupplierOrigin][]string{}
	for _, code := range vat.Codes() {
		day := code.ValidTo
		if day.IsZero() {
			day = lastDate
		}
		for origin := range originChecks {
			if vat.CheckPurchaseCode(code, origin, code.Rate, day) == nil {
				fitting[origin] = append(fitting[origin], code.Code)
			}
		}
	}
	return fitting
}()
