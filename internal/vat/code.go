package vat

import (
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// Code is one row of VMI's PVM classifier.
type Code struct {
	// Code is the classifier code, such as PVM1.
	Code string
	// Rate is the rate in per cent; it means nothing when HasRate is false. A code without a rate is not a code of 0 %: the
	// rate is left out of i.SAF for it.
	Rate    money.Decimal
	HasRate bool
	// ValidFrom and ValidTo bound the supply dates the code is for, both days included. The zero Date leaves a side open.
	ValidFrom, ValidTo date.Date
	// InPurchases and InSales are the marks in the received and the issued register of i.SAF.
	InPurchases, InSales RegisterMark
	// SaleBoxes and PurchaseBoxes are the FR0600 boxes that a sale and a purchase enter. Do not modify them.
	SaleBoxes, PurchaseBoxes Boxes
	BoxStatus                BoxStatus
	// Meaning is what the code is for, in English, with the articles of the VAT law.
	Meaning string
}

// RegisterMark says how a code is used in one register of i.SAF. The footnotes to the conditional marks could not be found;
// the readings given are the ones that fit VMI's schema.
type RegisterMark string

// The marks of the classifier.
const (
	RegisterMarkRequired RegisterMark = "x"
	// RegisterMarkOptional: may be left out when bought from a Lithuanian VAT payer without a duty of the buyer to compute VAT.
	RegisterMarkOptional RegisterMark = "x*"
	// RegisterMarkNoOutputVAT: a purchase that creates no output VAT.
	RegisterMarkNoOutputVAT RegisterMark = "x**"
	// RegisterMarkConditional: the condition of PVM1 in sales.
	RegisterMarkConditional RegisterMark = "x***"
	RegisterMarkUnused      RegisterMark = "-"
	// RegisterMarkUnknown: the code expired in 2016 and its marks are not known.
	RegisterMarkUnknown RegisterMark = "?"
)

// Box is a box of the return FR0600, "11" to "36" and "29A".
type Box string

// Boxes are the boxes a row enters: its taxable value into each of Base, its VAT into each of VAT. Under the margin scheme
// (box 16) the taxable value is the margin. Box 36 is computed from the others and never listed.
type Boxes struct {
	Base []Box
	VAT  []Box
}

// BoxStatus says how sure the boxes of a code are.
type BoxStatus string

// Confirmed boxes stand in two or more independent sources, derived ones follow from the caption of the box, and for uncertain
// ones sources are silent or disagree.
const (
	BoxStatusConfirmed BoxStatus = "confirmed"
	BoxStatusDerived   BoxStatus = "derived"
	BoxStatusUncertain BoxStatus = "uncertain"
	BoxStatusExpired   BoxStatus = "expired"
)

// Lookup returns the row of a code, written exactly as in the classifier: PVM1, not PVM01 or pvm1.
func Lookup(code string) (Code, bool) {
	i, ok := codeIndex[code]
	if !ok {
		return Code{}, false
	}
	return codeTable[i], true
}

// Codes returns the whole classifier in its own order, expired codes included.
func Codes() []Code { return slices.Clone(codeTable) }

// ValidOn reports whether the code is for supplies of that day.
func (c Code) ValidOn(supplyDate date.Date) bool { return within(supplyDate, c.ValidFrom, c.ValidTo) }

// BuyerComputesVAT reports whether a purchase under the code makes the buyer compute output VAT at the code's rate: boxes 32
// (Art 95), 33 (Art 96) and 34 (goods from the EU).
func (c Code) BuyerComputesVAT() bool {
	return slices.ContainsFunc(c.PurchaseBoxes.VAT, func(b Box) bool { return b == "32" || b == "33" || b == "34" })
}

// within reports whether d lies between two days, both included; a zero bound is open.
func within(d, from, to date.Date) bool {
	return !d.Before(from) && (to.IsZero() || !d.After(to))
}

var codeIndex = indexCodes()

func indexCodes() map[string]int {
	index := make(map[string]int, len(codeTable))
	for i, c := range codeTable {
		index[c.Code] = i
	}
	return index
}
