package money

import (
	"database/sql/driver"
	"errors"
	"fmt"
)

// Currency is an ISO 4217 currency. Values are comparable with ==; the zero Currency is no currency.
type Currency struct {
	code       string
	minorUnits uint8
}

// EUR is the euro, the base currency of every Lithuanian set of books.
var EUR = MustCurrency("EUR")

var errCurrencyFormat = errors.New("a currency must be an upper-case ISO 4217 code such as EUR")

// ParseCurrency returns the currency with the given ISO 4217 code. The code is case-sensitive.
// The error says what is expected.
func ParseCurrency(code string) (Currency, error) {
	entry, ok := currencyByCode[code]
	if !ok {
		return Currency{}, fmt.Errorf("%w, not %q", errCurrencyFormat, shorten(code))
	}
	return Currency{code: entry.code, minorUnits: entry.minorUnits}, nil
}

// MustCurrency is ParseCurrency for codes fixed in the source; it panics on an unknown code.
func MustCurrency(code string) Currency {
	c, err := ParseCurrency(code)
	if err != nil {
		panic(err)
	}
	return c
}

// Currencies returns every known currency, sorted by code.
func Currencies() []Currency {
	all := make([]Currency, 0, len(currencyTable))
	for _, entry := range currencyTable {
		all = append(all, Currency{code: entry.code, minorUnits: entry.minorUnits})
	}
	return all
}

// Code returns the three-letter code, empty for the zero Currency.
func (c Currency) Code() string { return c.code }

// MinorUnits returns the number of decimals of the currency: 2 for EUR, 0 for JPY, 3 for KWD, 4 for CLF.
func (c Currency) MinorUnits() int { return int(c.minorUnits) }

// Name returns the English name in ISO 4217.
func (c Currency) Name() string { return currencyByCode[c.code].name }

// IsZero reports whether c is no currency.
func (c Currency) IsZero() bool { return c.code == "" }

// String returns the code.
func (c Currency) String() string { return c.code }

// MarshalText returns the code; the zero Currency gives empty text.
func (c Currency) MarshalText() ([]byte, error) { return []byte(c.code), nil }

// UnmarshalText reads a code as ParseCurrency does.
func (c *Currency) UnmarshalText(text []byte) error {
	parsed, err := ParseCurrency(string(text))
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}

// Value stores the code as CHAR(3); the zero Currency is NULL.
func (c Currency) Value() (driver.Value, error) {
	if c.IsZero() {
		return nil, nil
	}
	return c.code, nil
}

// Scan reads a CHAR(3) column. NULL gives the zero Currency.
func (c *Currency) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*c = Currency{}
		return nil
	case string:
		return c.UnmarshalText([]byte(v))
	case []byte:
		return c.UnmarshalText(v)
	default:
		return fmt.Errorf("reading a currency: the column holds %T, it must be CHAR(3) text", src)
	}
}
