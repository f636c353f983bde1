package money

import (
	"fmt"

	"github.com/shopspring/decimal"
)

var hundred = DecimalFromInt(100)

// RoundHalfAwayFromZero returns d as an amount of c, rounded to its minor units with halves away from zero. A value outside
// int64 panics; FitsAmount tells beforehand.
func RoundHalfAwayFromZero(d Decimal, c Currency) Amount {
	minor := d.value.Shift(int32(c.minorUnits)).Round(0)
	if !minor.BigInt().IsInt64() {
		panic(fmt.Sprintf("money: %s %s overflows", d, c))
	}
	return New(minor.IntPart(), c)
}

// FitsAmount reports whether d, rounded to an amount of c, stays within MaxMinor in both directions, the bound Parse has for
// input. Check products of parsed decimals with it before rounding them.
func FitsAmount(d Decimal, c Currency) bool {
	minor := d.value.Shift(int32(c.minorUnits)).Round(0).Abs()
	return minor.Cmp(decimal.New(MaxMinor, 0)) <= 0
}

// PercentOf returns ratePercent per cent of base, rounded once, half away from zero.
func PercentOf(base Amount, ratePercent Decimal) Amount {
	exact := base.Decimal().Mul(ratePercent).Mul(newDecimal(1, -2))
	return RoundHalfAwayFromZero(exact, base.currency)
}

// MulRound returns unitPrice x quantity in c, rounded once, half away from zero.
func MulRound(unitPrice, quantity Decimal, c Currency) Amount {
	return RoundHalfAwayFromZero(unitPrice.Mul(quantity), c)
}

// IncludedVAT returns the VAT contained in gross, gross x rate / (100 + rate), rounded once, half away from zero.
func IncludedVAT(gross Amount, ratePercent Decimal) Amount {
	vat := gross.Decimal().Mul(ratePercent).Div(hundred.Add(ratePercent), int32(gross.currency.minorUnits))
	return RoundHalfAwayFromZero(vat, gross.currency)
}
