package date

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"
)

// MarshalText returns YYYY-MM-DD; the zero Date gives empty text.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD as Parse does.
func (d *Date) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Value stores d as YYYY-MM-DD text, which every engine takes for a DATE column; the zero Date is NULL.
func (d Date) Value() (driver.Value, error) {
	if d.IsZero() {
		return nil, nil
	}
	return d.String(), nil
}

// Scan reads a DATE column. Drivers hand it over as a time at midnight, as text, or as text with a midnight time appended.
// NULL gives the zero Date.
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = Date{}
		return nil
	case time.Time:
		*d = Of(v)
		return nil
	case string:
		return d.scanText(v)
	case []byte:
		return d.scanText(string(v))
	default:
		return fmt.Errorf("reading a date: the column holds %T, it must be DATE", src)
	}
}

// midnightSuffixes are the times that drivers append to a DATE.
var midnightSuffixes = []string{"T00:00:00Z", " 00:00:00", " 00:00:00+00:00", " 00:00:00 +0000 UTC"}

func (d *Date) scanText(s string) error {
	for _, suffix := range midnightSuffixes {
		if day, found := strings.CutSuffix(s, suffix); found {
			s = day
			break
		}
	}
	if err := d.UnmarshalText([]byte(s)); err != nil {
		return fmt.Errorf("reading a date: %w", err)
	}
	return nil
}
