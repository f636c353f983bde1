package money

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	maxWholeDigits    = 12
	maxFractionDigits = 10
)

var errDecimalFormat = errors.New(`a decimal must be written plainly, such as "21" or "0.0333"`)

// Decimal is an exact decimal number for quantities, unit prices and rates. The zero Decimal is 0.
// Compare values with Cmp, not ==.
type Decimal struct {
	// value has no trailing zeros, and 0 is the zero value, so equal numbers are deeply equal.
	value decimal.Decimal
}

// ParseDecimal reads a plain decimal with up to 12 digits before and 10 after the point. It refuses exponents, signs other
// than a leading minus, and blanks.
func ParseDecimal(s string) (Decimal, error) {
	_, whole, fraction, ok := splitDecimal(s)
	if !ok {
		return Decimal{}, fmt.Errorf("%w, not %q", errDecimalFormat, shorten(s))
	}
	if len(whole) > maxWholeDigits || len(fraction) > maxFractionDigits {
		return Decimal{}, fmt.Errorf("a decimal has at most %d digits before and %d after the point, %q has %d and %d",
			maxWholeDigits, maxFractionDigits, shorten(s), len(whole), len(fraction))
	}
	return exactDecimal(s)
}

// exactDecimal reads a plain decimal of any length.
func exactDecimal(s string) (Decimal, error) {
	if _, _, _, ok := splitDecimal(s); !ok {
		return Decimal{}, fmt.Errorf("%w, not %q", errDecimalFormat, shorten(s))
	}
	v, err := decimal.NewFromString(s)
	if err != nil {
		return Decimal{}, fmt.Errorf("reading a decimal: %w", err)
	}
	return canonical(v), nil
}

// MustDecimal is ParseDecimal for numbers fixed in the source; it panics on anything else.
func MustDecimal(s string) Decimal {
	d, err := ParseDecimal(s)
	if err != nil {
		panic(err)
	}
	return d
}

// DecimalFromInt returns n.
func DecimalFromInt(n int64) Decimal { return newDecimal(n, 0) }

func newDecimal(coefficient int64, exponent int32) Decimal {
	return canonical(decimal.New(coefficient, exponent))
}

func canonical(v decimal.Decimal) Decimal {
	if v.IsZero() {
		return Decimal{}
	}
	if coefficient := v.Coefficient(); coefficient.IsInt64() && v.Exponent() <= 0 {
		// The usual case, several times faster than going through text.
		digits, exponent := coefficient.Int64(), v.Exponent()
		for exponent < 0 && digits%10 == 0 {
			digits, exponent = digits/10, exponent+1
		}
		return Decimal{value: decimal.New(digits, exponent)}
	}
	// String drops trailing zeros after the point and writes whole numbers out, so this form is unique.
	return Decimal{value: decimal.RequireFromString(v.String())}
}

// Add returns d + e.
func (d Decimal) Add(e Decimal) Decimal { return canonical(d.value.Add(e.value)) }

// Sub returns d - e.
func (d Decimal) Sub(e Decimal) Decimal { return canonical(d.value.Sub(e.value)) }

// Mul returns the exact product d x e.
func (d Decimal) Mul(e Decimal) Decimal { return canonical(d.value.Mul(e.value)) }

// Div returns d / e rounded half away from zero to the given number of decimals. Division by zero panics.
func (d Decimal) Div(e Decimal, places int32) Decimal {
	if e.IsZero() {
		panic("money: division by zero")
	}
	return canonical(d.value.DivRound(e.value, places))
}

// Neg returns -d.
func (d Decimal) Neg() Decimal { return canonical(d.value.Neg()) }

// Cmp returns -1, 0 or 1 as d is less than, equal to or greater than e.
func (d Decimal) Cmp(e Decimal) int { return d.value.Cmp(e.value) }

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int { return d.value.Sign() }

// IsZero reports whether d is 0.
func (d Decimal) IsZero() bool { return d.value.IsZero() }

// String returns d without trailing zeros or exponent: "21", "0.0333".
func (d Decimal) String() string { return d.value.String() }

// MarshalText returns String.
func (d Decimal) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads text as ParseDecimal does.
func (d *Decimal) UnmarshalText(text []byte) error {
	parsed, err := ParseDecimal(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// MarshalJSON writes d as a JSON string, so no reader rounds it.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalJSON reads a JSON string or a JSON number, both digit by digit. It refuses null.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '"' {
		return d.UnmarshalText(data)
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("reading a decimal: %w", err)
	}
	return d.UnmarshalText([]byte(text))
}

// Value stores d as text.
func (d Decimal) Value() (driver.Value, error) { return d.String(), nil }

// Scan reads a text or DECIMAL column exactly. Computed decimals may be longer than those ParseDecimal accepts.
func (d *Decimal) Scan(src any) error {
	var (
		parsed Decimal
		err    error
	)
	switch v := src.(type) {
	case string:
		parsed, err = exactDecimal(v)
	case []byte:
		parsed, err = exactDecimal(string(v))
	case int64:
		parsed = DecimalFromInt(v)
	default:
		err = fmt.Errorf("reading a decimal: the column holds %T, it must be text or DECIMAL and not NULL", src)
	}
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
