package fr0600

import (
	"slices"

	"github.com/vienkart/vienkart/internal/vat"
)

// The boxes that rules name.
const (
	boxSupplies          vat.Box = "11"
	boxReverseSupplies   vat.Box = "12"
	boxExempt            vat.Box = "13"
	boxOwnUse            vat.Box = "14"
	boxOwnAssets         vat.Box = "15"
	boxMargin            vat.Box = "16"
	boxExport            vat.Box = "17"
	boxEUSupplies        vat.Box = "18"
	boxOtherZero         vat.Box = "19"
	boxOutsideLithuania  vat.Box = "20"
	boxEUGoods           vat.Box = "21"
	boxTriangular        vat.Box = "22"
	boxForeignServices   vat.Box = "23"
	boxEUServices        vat.Box = "24"
	boxInputVAT          vat.Box = "25"
	boxImportVAT         vat.Box = "26"
	boxImportVATOffset   vat.Box = "27"
	boxDeductionPercent  vat.Box = "28"
	boxStandardVAT       vat.Box = "29"
	boxTwelveVAT         vat.Box = "29A"
	boxNineVAT           vat.Box = "30"
	boxFiveVAT           vat.Box = "31"
	boxForeignServiceVAT vat.Box = "32"
	boxReverseVAT        vat.Box = "33"
	boxEUGoodsVAT        vat.Box = "34"
	boxDeductible        vat.Box = "35"
	boxResult            vat.Box = "36"
)

type boxCaption struct {
	box   vat.Box
	label string
}

// captions are the boxes in the order of the form, in our words. Source: form FR0600 version 02; 29A from version 03.
var captions = []boxCaption{
	{boxSupplies, "Taxed supplies, all rates"},
	{boxReverseSupplies, "Taxed supplies on which the buyer pays the VAT (Art 96)"},
	{boxExempt, "Exempt supplies"},
	{boxOwnUse, "Own use"},
	{boxOwnAssets, "Self-made tangible fixed assets"},
	{boxMargin, "Margin under special schemes"},
	{boxExport, "Exported goods, 0 %"},
	{boxEUSupplies, "Goods supplied to VAT payers in the EU, 0 %"},
	{boxOtherZero, "Other supplies at 0 %"},
	{boxOutsideLithuania, "Supplies outside Lithuania"},
	{boxEUGoods, "Goods acquired from the EU"},
	{boxTriangular, "Goods acquired from the EU for triangular trade"},
	{boxForeignServices, "Services acquired abroad"},
	{boxEUServices, "Of these from VAT payers in the EU"},
	{boxInputVAT, "Input VAT of goods and services"},
	{boxImportVAT, "Import VAT paid"},
	{boxImportVATOffset, "Import VAT whose offset VMI controls"},
	{boxDeductionPercent, "Deduction share, per cent"},
	{boxStandardVAT, "VAT at the standard rate"},
	{boxTwelveVAT, "VAT at 12 %"},
	{boxNineVAT, "VAT at 9 %"},
	{boxFiveVAT, "VAT at 5 %"},
	{boxForeignServiceVAT, "VAT on services and goods of foreign persons (Art 95)"},
	{boxReverseVAT, "VAT paid by the buyer (Art 96)"},
	{boxEUGoodsVAT, "VAT on goods acquired from the EU"},
	{boxDeductible, "Deductible VAT"},
	{boxResult, "VAT payable (+) or refundable (-)"},
}

// outputBoxes make up box 36 with a plus, box 35 with a minus. Box 27 is among them: it enters 35 too, and leaving it out would
// understate the balance by it. Source: script of the form, which computes 36 = 27+29+30+31+32+33+34-35; 29A added for 2026.
var outputBoxes = []vat.Box{
	boxImportVATOffset, boxStandardVAT, boxTwelveVAT, boxNineVAT, boxFiveVAT, boxForeignServiceVAT, boxReverseVAT, boxEUGoodsVAT,
}

// domesticInput are the boxes of a purchase without a code: i.SAF leaves the code out when bought from a Lithuanian VAT payer and
// the buyer computes no VAT.
var domesticInput = vat.Boxes{VAT: []vat.Box{boxInputVAT, boxDeductible}}

// boxesOf tells the boxes of a row; known is false for a code that is not in the classifier.
func boxesOf(isSale bool, code *string) (boxes vat.Boxes, known bool) {
	if code == nil {
		if isSale {
			return vat.Boxes{}, false
		}
		return domesticInput, true
	}
	c, known := vat.Lookup(*code)
	if isSale {
		return c.SaleBoxes, known
	}
	return c.PurchaseBoxes, known
}

func isOutput(box vat.Box) bool { return slices.Contains(outputBoxes, box) }
