package money

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxMinor bounds the minor units that Parse accepts, in both directions. It leaves room to add thousands of the largest
// amounts before int64 would overflow.
const MaxMinor = 1_000_000_000_000_000

// maxAmountDigits bounds the digits of an amount in text.
const maxAmountDigits = 18

var errAmountFormat = errors.New(`an amount must be a plain decimal such as "12.50"`)

// Amount is an amount of money: a whole number of minor units of one currency. Values are comparable with ==.
// The zero Amount has no currency and only meets other amounts without one.
type Amount struct {
	minor    int64
	currency Currency
}

// New returns an amount of minor units (cents for EUR) of c.
func New(minor int64, c Currency) Amount { return Amount{minor: minor, currency: c} }

// Zero returns no money in c.
func Zero(c Currency) Amount { return Amount{currency: c} }

// Parse reads an exact decimal such as "12.50", "-3" or "12.5" as an amount of c. It refuses exponents, signs other than a
// leading minus, blanks, more decimals than the currency has, more than 18 digits and anything beyond MaxMinor.
func Parse(s string, c Currency) (Amount, error) {
	negative, whole, fraction, ok := splitDecimal(s)
	if !ok {
		return Amount{}, fmt.Errorf("%w, not %q", errAmountFormat, shorten(s))
	}
	if len(fraction) > c.MinorUnits() {
		return Amount{}, fmt.Errorf("an amount in %s has at most %d decimals, %q has %d",
			c.code, c.MinorUnits(), shorten(s), len(fraction))
	}
	limit := New(MaxMinor, c)
	if len(whole)+len(fraction) > maxAmountDigits {
		return Amount{}, fmt.Errorf("an amount has at most %d digits and lies between -%s and %s %s, %q does not",
			maxAmountDigits, limit, limit, c.code, shorten(s))
	}
	digits := whole + fraction + strings.Repeat("0", c.MinorUnits()-len(fraction))
	minor, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || minor > MaxMinor {
		return Amount{}, fmt.Errorf("an amount must lie between -%s and %s %s, %q does not", limit, limit, c.code, shorten(s))
	}
	if negative {
		minor = -minor
	}
	return New(minor, c), nil
}

// splitDecimal takes a plain decimal apart; ok is false for anything but -?digits(.digits)?.
func splitDecimal(s string) (negative bool, whole, fraction string, ok bool) {
	s, negative = strings.CutPrefix(s, "-")
	whole, fraction, hasPoint := strings.Cut(s, ".")
	if !onlyDigits(whole) || (hasPoint && !onlyDigits(fraction)) {
		return false, "", "", false
	}
	return negative, whole, fraction, true
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// shorten keeps hostile input out of error messages and logs.
func shorten(s string) string {
	const limit = 40
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}

// Add returns a + b. Different currencies and overflow panic.
func (a Amount) Add(b Amount) Amount {
	a.mustMatch(b)
	sum := a.minor + b.minor
	if (sum > a.minor) != (b.minor > 0) {
		panic(fmt.Sprintf("money: %s + %s %s overflows", a, b, a.currency))
	}
	return New(sum, a.currency)
}

// Sub returns a - b. Different currencies and overflow panic.
func (a Amount) Sub(b Amount) Amount {
	a.mustMatch(b)
	difference := a.minor - b.minor
	if (difference < a.minor) != (b.minor > 0) {
		panic(fmt.Sprintf("money: %s - %s %s overflows", a, b, a.currency))
	}
	return New(difference, a.currency)
}

// Neg returns -a.
func (a Amount) Neg() Amount {
	if a.minor == math.MinInt64 {
		panic(fmt.Sprintf("money: the negation of %s %s overflows", a, a.currency))
	}
	return New(-a.minor, a.currency)
}

// Abs returns a without its sign.
func (a Amount) Abs() Amount {
	if a.minor < 0 {
		return a.Neg()
	}
	return a
}

// Cmp returns -1, 0 or 1 as a is less than, equal to or greater than b. Different currencies panic.
func (a Amount) Cmp(b Amount) int {
	a.mustMatch(b)
	switch {
	case a.minor < b.minor:
		return -1
	case a.minor > b.minor:
		return 1
	default:
		return 0
	}
}

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int {
	switch {
	case a.minor < 0:
		return -1
	case a.minor > 0:
		return 1
	default:
		return 0
	}
}

// IsZero reports whether a is no money, whatever its currency.
func (a Amount) IsZero() bool { return a.minor == 0 }

// IsPositive reports whether a is more than nothing.
func (a Amount) IsPositive() bool { return a.minor > 0 }

// IsNegative reports whether a is less than nothing.
func (a Amount) IsNegative() bool { return a.minor < 0 }

// Minor returns the minor units.
func (a Amount) Minor() int64 { return a.minor }

// Currency returns the currency.
func (a Amount) Currency() Currency { return a.currency }

// Decimal returns the exact value in major units.
func (a Amount) Decimal() Decimal { return newDecimal(a.minor, -int32(a.currency.minorUnits)) }

// String returns the amount with exactly the decimals of its currency and without the code: "12.50", "1935" for JPY,
// "1.234" for KWD.
func (a Amount) String() string {
	places := a.currency.MinorUnits()
	if places == 0 {
		return strconv.FormatInt(a.minor, 10)
	}
	sign, digits := "", strconv.FormatInt(a.minor, 10)
	if a.minor < 0 {
		sign, digits = "-", digits[1:]
	}
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - places
	return sign + digits[:point] + "." + digits[point:]
}

// MarshalText returns String.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Sum adds amounts of c; no amounts give zero. Another currency among them and overflow panic.
func Sum(c Currency, as ...Amount) Amount {
	total := Zero(c)
	for _, a := range as {
		total = total.Add(a)
	}
	return total
}

func (a Amount) mustMatch(b Amount) {
	if a.currency != b.currency {
		panic(fmt.Sprintf("money: %s %s meets %s %s", a, a.currency, b, b.currency))
	}
}
