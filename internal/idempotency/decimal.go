package idempotency

import (
	"bytes"
	"strconv"
)

const (
	// maxExponentDigits bounds the decimal exponent of a number, as spelled and
	// as normalised, so that it fits an int with room to spare.
	maxExponentDigits = 9
	maxExponent       = 999_999_999

	// maxWrittenZeros is how many zeros a number may gain when it is written out
	// in plain digits. It covers every amount and rate of a ledger, and keeps a
	// body of many 1e15 from growing to more than a few times its size.
	maxWrittenZeros = 15
)

// decimal is a number as sign, digits and power of ten: digits × 10^exponent.
// The digits neither begin nor end with zero; none at all is the number zero.
type decimal struct {
	negative bool
	digits   []byte
	exponent int
}

// parseDecimal reads a JSON number; its digits lie in the memory of spare, as
// far as that reaches. It reports false when the exponent takes more than nine
// digits. The work is in proportion to the spelling, whatever the exponent.
func parseDecimal(spare, raw []byte) (decimal, bool) {
	raw, negative := bytes.CutPrefix(raw, []byte("-"))
	var power []byte
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		raw, power = raw[:e], raw[e+1:]
	}
	whole, fraction, _ := bytes.Cut(raw, []byte("."))
	digits := append(append(spare[:0], whole...), fraction...)

	exponent, ok := parseExponent(power)
	if !ok {
		return decimal{digits: digits}, false
	}
	exponent -= len(fraction)
	significant := bytes.TrimRight(digits, "0")
	exponent += len(digits) - len(significant)
	significant = bytes.TrimLeft(significant, "0")
	if len(significant) == 0 {
		return decimal{digits: significant}, true // zero has neither sign nor exponent
	}
	inRange := -maxExponent <= exponent && exponent <= maxExponent
	return decimal{negative: negative, digits: significant, exponent: exponent}, inRange
}

func parseExponent(power []byte) (int, bool) {
	if len(power) == 0 {
		return 0, true
	}
	negative := power[0] == '-'
	power = bytes.TrimLeft(bytes.TrimLeft(power, "+-"), "0")
	if len(power) > maxExponentDigits {
		return 0, false
	}
	exponent := 0
	for _, c := range power {
		exponent = exponent*10 + int(c-'0')
	}
	if negative {
		exponent = -exponent
	}
	return exponent, true
}

// append writes the number as JSON: in plain digits when few zeros are needed
// (1500, 0.25), otherwise as an integer with an exponent (15e100, 25e-40).
func (d decimal) append(out []byte) []byte {
	if len(d.digits) == 0 {
		return append(out, '0')
	}
	if d.negative {
		out = append(out, '-')
	}
	point := len(d.digits) + d.exponent // digits before the decimal point
	switch {
	case d.exponent > maxWrittenZeros || point < -maxWrittenZeros:
		out = append(append(out, d.digits...), 'e')
		return strconv.AppendInt(out, int64(d.exponent), 10)
	case d.exponent >= 0:
		return appendZeros(append(out, d.digits...), d.exponent)
	case point <= 0:
		return append(appendZeros(append(out, "0."...), -point), d.digits...)
	default:
		out = append(append(out, d.digits[:point]...), '.')
		return append(out, d.digits[point:]...)
	}
}

func appendZeros(out []byte, n int) []byte {
	for range n {
		out = append(out, '0')
	}
	return out
}
