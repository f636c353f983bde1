package vat

import (
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// The boxes of the return that take import VAT.
const (
	boxImportPaid   = Box("26")
	boxImportOffset = Box("27")
)

// IsImportVAT reports a code of import VAT: a customs declaration states it and no invoice, and i.SAF leaves it out.
func (c Code) IsImportVAT() bool {
	return slices.Contains(c.PurchaseBoxes.VAT, boxImportPaid) || c.IsOffsetByVMI()
}

// IsOffsetByVMI reports import VAT that is not paid to customs: VMI controls its offset, and it is owed and deducted in the return
// (Art 94 of the VAT law; box 27).
func (c Code) IsOffsetByVMI() bool { return slices.Contains(c.PurchaseBoxes.VAT, boxImportOffset) }

// ImportCodes are the codes of import VAT. Their rows are in the register and in the return, and never in i.SAF.
func ImportCodes() []string {
	var codes []string
	for _, c := range codeTable {
		if c.IsImportVAT() {
			codes = append(codes, c.Code)
		}
	}
	return codes
}

// CheckImportCode reports why a line of a customs declaration under a code of import VAT does not fit: who charges it is not
// in Lithuania, or the rate is none on which import VAT is charged that day.
func CheckImportCode(code Code, origin SupplierOrigin, rate money.Decimal, day date.Date) error {
	switch {
	case origin != SupplierOriginLithuania:
		return fmt.Errorf("%s is VAT that Lithuanian customs charge, not a supplier %s: enter the customs declaration with customs "+
			"as the supplier, and this supplier's own invoice under %s", code.Code, describeOrigin(origin), taxedAbroad)
	case rate.IsZero() || !IsDomesticRate(rate, day):
		return fmt.Errorf("%s has a rate of %s, not %s %%; goods that come in without VAT are not declared under it",
			code.Code, listTaxedRates(day), rate)
	}
	return nil
}

// listTaxedRates writes the rates of a day above 0: "21, 12 or 5 %".
func listTaxedRates(day date.Date) string {
	text := ""
	rates := slices.DeleteFunc(DomesticRatesOn(day), func(r DomesticRate) bool { return r.Percent.IsZero() })
	for i, r := range rates {
		switch {
		case i == 0:
		case i == len(rates)-1:
			text += " or "
		default:
			text += ", "
		}
		text += r.Percent.String()
	}
	return text + " %"
}
