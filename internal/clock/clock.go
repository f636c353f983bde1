// Package clock is the only reader of the wall clock.
//
// Owns: the clock handed to the store, and the type of an instant in the database and on the wire.
//
// Does not own: civil dates (package date) and the life of an idempotency key, which the database's clock counts.
//
// Invariants: an instant is UTC with microseconds, on every engine and in every answer.
package clock

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"time"
)

// Clock tells the time.
type Clock interface{ Now() time.Time }

// System is the wall clock.
type System struct{}

// Now is the current instant in UTC.
func (System) Now() time.Time { return time.Now().Add(skew).UTC() }

// Fixed is a clock that stands still, for tests and reproducible demos.
type Fixed struct{ T time.Time }

// Now is always the same instant.
func (f Fixed) Now() time.Time { return f.T.UTC() }

// layout has a fixed width so that text comparison in SQLite is comparison of time.
const layout = "2006-01-02 15:04:05.000000"

// Time is an instant as stored: UTC, microseconds, DATETIME(6) on MySQL and text on SQLite.
type Time struct{ time.Time }

// At truncates an instant to what the database keeps.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Microsecond)} }

// Value writes the instant in the form both engines compare correctly; the zero Time is NULL.
func (t Time) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil //nolint:nilnil // NULL is a value here, not a missing result
	}
	return t.UTC().Format(layout), nil
}

// Scan reads an instant from either driver.
func (t *Time) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t = Time{}
		return nil
	case time.Time:
		*t = At(v)
		return nil
	case []byte:
		return t.parse(string(v))
	case string:
		return t.parse(v)
	}
	return fmt.Errorf("scanning an instant: unexpected %T", src)
}

func (t *Time) parse(s string) error {
	for _, l := range []string{"2006-01-02 15:04:05.999999", time.RFC3339Nano} {
		if v, err := time.Parse(l, s); err == nil {
			*t = At(v)
			return nil
		}
	}
	return fmt.Errorf("scanning an instant: %q is not one", s)
}

// MarshalText is RFC 3339 in UTC.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.UTC().Format(time.RFC3339Nano)), nil }

// UnmarshalText reads RFC 3339.
func (t *Time) UnmarshalText(b []byte) error {
	v, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return fmt.Errorf("%q is not an RFC 3339 instant such as 2026-01-31T08:00:00Z", shorten(b))
	}
	if !isStorable(At(v)) {
		return fmt.Errorf("%q lies outside the years 1000 to 9999", shorten(b))
	}
	*t = At(v)
	return nil
}

// isStorable reports an instant that every engine can store and every reader can read again: what is written with an offset may lie
// in the year 10000. The zero Time is none and is written as the year 1.
func isStorable(t Time) bool {
	const first, last = 1000, 9999
	return t.IsZero() || t.UTC().Year() >= first && t.UTC().Year() <= last
}

// shorten keeps hostile input out of error messages.
func shorten(b []byte) []byte {
	const limit = 60
	return b[:min(len(b), limit)]
}

// MarshalJSON writes the text form. It stands in front of the one of time.Time, which JSON would prefer to MarshalText.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"` + time.RFC3339Nano + `"`)), nil
}

// UnmarshalJSON reads the text form; null is the zero Time.
func (t *Time) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	return t.UnmarshalText(bytes.Trim(b, `"`))
}
