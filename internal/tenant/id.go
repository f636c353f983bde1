package tenant

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// ID is a UUIDv7, stored as 16 bytes and written as text on the wire.
type ID [16]byte

// NewID is a fresh id; ids made later sort later.
func NewID() ID { return ID(uuid.Must(uuid.NewV7())) }

// ParseID reads the text form.
func ParseID(s string) (ID, error) {
	u, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		return ID{}, fmt.Errorf("%q is not an id; ids are UUIDs such as 0198c0de-0000-7000-8000-000000000000", shorten(s))
	}
	return ID(u), nil
}

// shorten keeps hostile input out of error messages.
func shorten(s string) string {
	const limit = 60
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}

func (id ID) String() string { return uuid.UUID(id).String() }

// IsZero reports the absent id.
func (id ID) IsZero() bool { return id == ID{} }

// Value stores the 16 bytes.
func (id ID) Value() (driver.Value, error) { return id[:], nil }

// Scan reads the 16 bytes.
func (id *ID) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok || len(b) != len(id) {
		return fmt.Errorf("scanning an id: unexpected %T of %d bytes", src, len(b))
	}
	copy(id[:], b)
	return nil
}

// MarshalText is the form on the wire.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the form on the wire.
func (id *ID) UnmarshalText(b []byte) error {
	v, err := ParseID(string(b))
	if err != nil {
		return err
	}
	*id = v
	return nil
}

// GormDataType names the column type for the mapper.
func (ID) GormDataType() string { return "bytes" }
