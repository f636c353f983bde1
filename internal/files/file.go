package files

import (
	"encoding/hex"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// MaxSize is the largest file that is taken, in bytes: a scanned contract fits, a film does not.
const MaxSize = 10 << 20

// chunkSize bounds one row of content: some engines bound the size of a row.
const chunkSize = 1 << 20

// Errors of files.
var (
	ErrTooLarge = apperr.Define("file.too_large", apperr.TooLarge, "The file is larger than the 10 MiB that are kept.")
	ErrType     = apperr.Define("file.type", apperr.Rule,
		"The type of the file is not one that is kept, or its content is of another type than was said.")
	ErrName       = apperr.Define("file.name", apperr.Rule, "Nothing is left of the file's name without its path and control characters.")
	ErrNoEntity   = apperr.Define("file.no_entity", apperr.Rule, "The object that the file is for does not exist in this company.")
	ErrReferenced = apperr.Define("file.referenced", apperr.Conflict, "Something refers to the file, so it stays.")
	ErrContent    = apperr.Define("file.content", apperr.Internal, "The stored content is missing or has changed.")
)

// Storage is where a content lies.
type Storage string

// The places.
const (
	InDatabase Storage = "database"
	InFolder   Storage = "folder"
)

// File is a file without its content.
type File struct {
	tenant.Row
	// Entity is the sort of object that the file is for, EntityID its id, both as the API names them.
	Entity    string
	EntityID  string
	FileName  string
	MIMEType  string `gorm:"column:mime_type"`
	SizeBytes int64
	SHA256    []byte `gorm:"column:sha256"`
	Storage   Storage
	CreatedBy string
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (File) TableName() string { return "files" }

// Digest is the SHA-256 in hexadecimal.
func (f File) Digest() string { return hex.EncodeToString(f.SHA256) }

// chunk is a piece of a content that lies in the database.
type chunk struct {
	tenant.Row
	FileID   tenant.ID
	Position int
	Content  []byte
}

// TableName names the table for the mapper.
func (chunk) TableName() string { return "file_chunks" }

// line is a file as the audit log keeps it.
type line struct {
	ID        tenant.ID `json:"id"`
	Entity    string    `json:"entity"`
	EntityID  string    `json:"entityId"`
	FileName  string    `json:"fileName"`
	MIMEType  string    `json:"mimeType"`
	SizeBytes int64     `json:"sizeBytes"`
	SHA256    string    `json:"sha256"`
}

func (f File) line() line {
	return line{f.ID, f.Entity, f.EntityID, f.FileName, f.MIMEType, f.SizeBytes, f.Digest()}
}
