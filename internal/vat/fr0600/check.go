package fr0600

import (
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

// checkForm makes the checks on boxes of the form's script, version 02, on the whole euro that the form sees.
func (ret *Return) checkForm() {
	ret.checkEUGoods()
	ret.checkServices()
	ret.checkImport()
	ret.checkRates()
	ret.checkSupplies()
}

// within reports whether part is low to high per cent of whole, by multiplication alone.
func within(part, whole money.Decimal, low, high string) bool {
	scaled := part.Mul(money.DecimalFromInt(100))
	from, to := whole.Mul(money.MustDecimal(low)), whole.Mul(money.MustDecimal(high))
	if whole.Sign() < 0 {
		from, to = to, from
	}
	return scaled.Cmp(from) >= 0 && scaled.Cmp(to) <= 0
}

func (ret *Return) number(box vat.Box) money.Decimal { return money.DecimalFromInt(ret.Whole(box)) }

func (ret *Return) checkEUGoods() {
	base, tax := ret.Whole(boxEUGoods), ret.Whole(boxEUGoodsVAT)
	about := []vat.Box{boxEUGoods, boxEUGoodsVAT}
	switch {
	case base == 0 && tax == 0:
	case tax == 0:
		ret.add(LevelError, about, "Box 21 has goods acquired from the EU, so box 34 must have their VAT.")
	case base == 0:
		ret.add(LevelError, about, "Box 34 has VAT on goods acquired from the EU, so box 21 must have their value.")
	case !within(ret.number(boxEUGoodsVAT), ret.number(boxEUGoods), "4.5", "21.5"):
		ret.add(LevelWarning, about, "Box 34 is usually 4.5 to 21.5 per cent of box 21.")
	}
}

// serviceTolerance is what box 23 may exceed the base of box 32 by.
const serviceTolerance = 50

func (ret *Return) checkServices() {
	base := ret.number(boxForeignServiceVAT).Mul(money.DecimalFromInt(100)).Div(money.DecimalFromInt(21), 2)
	if ret.number(boxForeignServices).Sub(base).Cmp(money.DecimalFromInt(serviceTolerance)) > 0 {
		ret.add(LevelWarning, []vat.Box{boxForeignServices, boxForeignServiceVAT},
			"Box 32 at 21 per cent gives %s, less than box 23; services without VAT are the usual reason.", base)
	}
	if ret.Whole(boxEUServices) > ret.Whole(boxForeignServices) {
		ret.add(LevelWarning, []vat.Box{boxForeignServices, boxEUServices}, "Box 24 is a part of box 23 and should not exceed it.")
	}
}

func (ret *Return) checkImport() {
	paid, offset := ret.Whole(boxImportVAT) != 0, ret.Whole(boxImportVATOffset) != 0
	switch {
	case paid && offset:
		ret.add(LevelWarning, []vat.Box{boxImportVAT, boxImportVATOffset}, "Import VAT is usually either paid (box 26) or offset by VMI (box 27).")
	case paid:
		ret.add(LevelWarning, []vat.Box{boxImportVAT}, "Box 26 takes import VAT that was paid to customs; VAT that VMI offsets goes to box 27.")
	}
	if ret.Whole(boxInputVAT) < ret.Whole(boxForeignServiceVAT)+ret.Whole(boxEUGoodsVAT) {
		ret.add(LevelWarning, []vat.Box{boxInputVAT, boxForeignServiceVAT, boxEUGoodsVAT},
			"Box 25 is less than boxes 32 and 34 together, which it includes; credit notes of suppliers are the usual reason.")
	}
}

// checkRates compares the VAT of supplies with their taxable value, where there is VAT enough for rounding not to matter.
func (ret *Return) checkRates() {
	standard, twelve, nine, five := ret.Whole(boxStandardVAT), ret.Whole(boxTwelveVAT), ret.Whole(boxNineVAT), ret.Whole(boxFiveVAT)
	if standard < 2 && twelve < 3 && nine < 3 && five < 4 {
		return
	}
	var implied money.Decimal
	for _, rate := range []struct {
		box     vat.Box
		percent int64
	}{{boxStandardVAT, 21}, {boxTwelveVAT, 12}, {boxNineVAT, 9}, {boxFiveVAT, 5}} {
		implied = implied.Add(ret.number(rate.box).Mul(money.DecimalFromInt(100)).Div(money.DecimalFromInt(rate.percent), 2))
	}
	base := ret.number(boxSupplies).Add(ret.number(boxOwnUse)).Add(ret.number(boxOwnAssets))
	if within(implied, base, "80", "120") || within(implied, base.Add(ret.number(boxMargin)), "80", "120") {
		return
	}
	ret.add(LevelWarning, []vat.Box{boxSupplies, boxOwnUse, boxOwnAssets, boxMargin, boxStandardVAT, boxTwelveVAT, boxNineVAT, boxFiveVAT},
		"The VAT in boxes 29 to 31 stands for a value of %s, far from boxes 11, 14, 15 and 16.", implied)
}

// Values above these bounds are warned of.
const (
	largeSupply = 99_999_999
	largeExport = 999_999_999
)

func (ret *Return) checkSupplies() {
	if ret.Whole(boxTriangular) != 0 && ret.Whole(boxOutsideLithuania) <= ret.Whole(boxTriangular) {
		ret.add(LevelWarning, []vat.Box{boxOutsideLithuania, boxTriangular},
			"Goods of a triangular trade (box 22) are sold on in box 20, which should be greater.")
	}
	reverse := ret.number(boxReverseSupplies).Mul(money.DecimalFromInt(21)).Div(money.DecimalFromInt(100), 0)
	if ret.Whole(boxReverseVAT) != 0 && within(ret.number(boxReverseVAT), reverse, "99", "101") {
		ret.add(LevelWarning, []vat.Box{boxReverseSupplies, boxReverseVAT},
			"Box 33 is about 21 per cent of box 12. The seller fills box 12 only, the buyer box 33 only.")
	}
	for _, bound := range []struct {
		limit int64
		boxes []vat.Box
	}{
		{largeSupply, []vat.Box{boxReverseSupplies, boxExempt, boxOtherZero}},
		{largeExport, []vat.Box{boxExport, boxEUSupplies, boxOutsideLithuania}},
	} {
		for _, box := range bound.boxes {
			if ret.Whole(box) > bound.limit {
				ret.add(LevelWarning, []vat.Box{box}, "Box %s is above %d; check that it is in euro.", box, bound.limit)
			}
		}
	}
}
