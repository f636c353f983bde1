package backup

import (
	"errors"

	"github.com/vienkart/vienkart/internal/clock"
)

// What a file begins with.
const (
	formatName    = "vienkart-backup"
	companyFormat = "vienkart-company"
	formatVersion = 1
)

// ErrDamaged says that a file is no complete backup.
var ErrDamaged = errors.New("the backup is damaged or incomplete")

// Header is the first line.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Schema is the number of the last migration; a restore needs the same.
	Schema int64 `json:"schema"`
	// Server is the version of the program that wrote the file, and Engine what it read from: for people.
	Server    string     `json:"server"`
	Engine    string     `json:"engine"`
	CreatedAt clock.Time `json:"createdAt"`
	// Company is the id of the one company that the file is of; empty in a backup.
	Company string `json:"company,omitzero"`
}

// Totals are the last line.
type Totals struct {
	Tables int64 `json:"tables"`
	Rows   int64 `json:"rows"`
	// SHA256 is of all lines before, in hexadecimal.
	SHA256 string `json:"sha256"`
}

// kind is how a column's values are written.
type kind string

const (
	kindBytes   kind = "bytes"
	kindText    kind = "text"
	kindInteger kind = "integer"
)

type column struct {
	Name string `json:"name"`
	Kind kind   `json:"kind"`
}

type tableLine struct {
	Table   string   `json:"table"`
	Columns []column `json:"columns"`
}

type tableEnd struct {
	Rows int64 `json:"rows"`
}
