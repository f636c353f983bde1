package vat

import (
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// SupplierOrigin says where a supplier stands for VAT; VMI accepts different codes for each (checks 14300, 14311 and 14312).
type SupplierOrigin string

// The origins of a supplier.
const (
	// SupplierOriginLithuania is a supplier in Lithuania.
	SupplierOriginLithuania SupplierOrigin = "lithuania"
	// SupplierOriginEUPayer is a VAT payer of another EU state.
	SupplierOriginEUPayer SupplierOrigin = "eu_payer"
	// SupplierOriginForeign is any other supplier abroad, in a third country or in the EU without a VAT number.
	SupplierOriginForeign SupplierOrigin = "foreign"
)

// Supply says what is bought.
type Supply string

// The kinds of supply that the classifier tells apart.
const (
	SupplyGoods    Supply = "goods"
	SupplyServices Supply = "services"
)

type purchaseCase struct {
	origin SupplierOrigin
	supply Supply
}

// taxedAbroad is the code of supplies on which no Lithuanian VAT is due.
const taxedAbroad = "PVM48"

// usualPurchaseCodes lists the codes of which the first that fits date and rate is the default. PVM48 comes last: a foreign
// rate on the invoice means that the supply was taxed abroad.
var usualPurchaseCodes = map[purchaseCase][]string{
	{SupplierOriginEUPayer, SupplyGoods}:    {"PVM16", "PVM17", "PVM18", taxedAbroad},
	{SupplierOriginEUPayer, SupplyServices}: {"PVM21", "PVM57", "PVM40", "PVM60", taxedAbroad},
	// Goods from a third country owe import VAT to customs; the supplier's own invoice is outside Lithuanian VAT.
	{SupplierOriginForeign, SupplyGoods}:    {taxedAbroad},
	{SupplierOriginForeign, SupplyServices}: {"PVM20", "PVM54", "PVM37", "PVM60", taxedAbroad},
}

var purchaseCodes = map[SupplierOrigin][]string{
	SupplierOriginLithuania: {
		"PVM1", "PVM58", "PVM2", "PVM3", "PVM5", "PVM14", "PVM25", "PVM26", "PVM27", "PVM49",
		"PVM32", "PVM52", "PVM53", "PVM33", "PVM51", "PVM55", "PVM100",
	},
	SupplierOriginEUPayer: {
		"PVM16", "PVM21", "PVM17", "PVM18", "PVM57", "PVM40", "PVM35", "PVM36", "PVM41", "PVM42", "PVM19",
		"PVM43", "PVM44", "PVM45", "PVM60", "PVM46", "PVM47", "PVM48", "PVM51", "PVM56", "PVM100",
	},
	SupplierOriginForeign: {
		"PVM20", "PVM54", "PVM37", "PVM38", "PVM39", "PVM43", "PVM44", "PVM45", "PVM60", "PVM46", "PVM47", "PVM48", "PVM100",
	},
}

// DefaultPurchaseCode returns the code for a purchase when none is named. needed is false for a supplier in Lithuania: i.SAF
// leaves the code out when the buyer computes no VAT. The rate is the one on the supplier's invoice; 0 from abroad stands for
// the standard rate, which the buyer computes. A rate Lithuania never had means that the supply was taxed abroad. A Lithuanian
// rate that the case has no code for gives an error that lists the codes to choose from.
func DefaultPurchaseCode(
	origin SupplierOrigin, supply Supply, rate money.Decimal, supplyDate date.Date,
) (code Code, needed bool, err error) {
	if origin == SupplierOriginLithuania {
		return Code{}, false, nil
	}
	for _, name := range usualPurchaseCodes[purchaseCase{origin, supply}] {
		if name == taxedAbroad && !rate.IsZero() && everDomesticRate(rate) {
			continue
		}
		if c, _ := Lookup(name); c.ValidOn(supplyDate) && purchaseRateFits(c, origin, rate) {
			return c, true, nil
		}
	}
	return Code{}, true, fmt.Errorf("%s at %s %% from a supplier %s must name a code: one of %s",
		supply, rate, describeOrigin(origin), listCodes(fittingPurchaseCodes(origin, rate, supplyDate)))
}

// CheckPurchaseCode reports why a code does not fit a purchase: unused in the register of received invoices, not for supplies of
// that day, foreign to the supplier's origin, or of another rate. The rate is the one on the supplier's invoice, so codes under
// which the buyer computes VAT take 0 as well as their own rate. The error lists codes that fit.
func CheckPurchaseCode(code Code, origin SupplierOrigin, rate money.Decimal, supplyDate date.Date) error {
	problem := ""
	switch {
	case !code.ValidOn(supplyDate):
		problem = fmt.Sprintf("%s is not for supplies of %s", code.Code, supplyDate)
	case code.InPurchases == RegisterMarkUnused:
		problem = fmt.Sprintf("%s is not used for purchases", code.Code)
	case !slices.Contains(purchaseCodes[origin], code.Code):
		problem = fmt.Sprintf("%s is not used for a supplier %s", code.Code, describeOrigin(origin))
	case !purchaseRateFits(code, origin, rate):
		problem = fmt.Sprintf("%s %s, the line has %s %%", code.Code, describeRate(code), rate)
	default:
		return nil
	}
	fitting := fittingPurchaseCodes(origin, rate, supplyDate)
	if len(fitting) == 0 {
		return fmt.Errorf("%s; no code takes %s %% on %s: use one of the Lithuanian rates %s",
			problem, rate, supplyDate, listRates(supplyDate))
	}
	return fmt.Errorf("%s: use one of %s", problem, listCodes(fitting))
}

func fittingPurchaseCodes(origin SupplierOrigin, rate money.Decimal, supplyDate date.Date) []string {
	var fitting []string
	for _, name := range purchaseCodes[origin] {
		if c, _ := Lookup(name); c.ValidOn(supplyDate) && purchaseRateFits(c, origin, rate) {
			fitting = append(fitting, name)
		}
	}
	return fitting
}

// purchaseRateFits compares the rate on the supplier's invoice with the code's. PVM48 and PVM100 are for supplies taxed abroad,
// so from there they take any rate.
func purchaseRateFits(c Code, origin SupplierOrigin, rate money.Decimal) bool {
	if !c.HasRate {
		takesForeignVAT := c.Code == taxedAbroad || c.Code == "PVM100"
		return rate.IsZero() || (takesForeignVAT && origin != SupplierOriginLithuania)
	}
	return rate.Cmp(c.Rate) == 0 || (c.BuyerComputesVAT() && rate.IsZero())
}

func describeOrigin(origin SupplierOrigin) string {
	switch origin {
	case SupplierOriginLithuania:
		return "in Lithuania"
	case SupplierOriginEUPayer:
		return "that is a VAT payer of another EU state"
	case SupplierOriginForeign:
		return "abroad without an EU VAT number"
	}
	return fmt.Sprintf("of unknown origin %q", string(origin))
}
