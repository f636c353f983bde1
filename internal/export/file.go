package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// File is a row of export_files: a finished file without its bytes.
type File struct {
	tenant.Row
	JobID     tenant.ID
	Format    Format
	FileName  string
	MimeType  string
	SizeBytes int64
	SHA256    []byte `gorm:"column:sha256"`
	// ContentID is the file whose chunks hold the bytes.
	ContentID tenant.ID
	// FinalKey is nil for a provisional file; see finality.
	FinalKey  []byte
	Watermark string
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (File) TableName() string { return "export_files" }

func (f File) output() Output {
	return Output{f.Format, f.ID, f.FileName, f.SizeBytes, hex.EncodeToString(f.SHA256), f.FinalKey != nil}
}

// Entity is what the file belongs to, as files/get names it.
func (File) Entity() string { return entity }

// chunk is a part of the bytes of a file.
type chunk struct {
	tenant.Row
	FileID  tenant.ID
	ChunkNo int
	Content []byte
}

// TableName names the table for the mapper.
func (chunk) TableName() string { return "export_file_chunks" }

// chunkBytes is the most that one row holds, so that a statement stays far below the packet that a server accepts.
const chunkBytes = 1 << 20

// ReadFile reads a finished file with its bytes. Error: not_found.
func ReadFile(ctx context.Context, r tenant.Reader, id tenant.ID) (*File, []byte, error) {
	f, err := tenant.Get[File](ctx, r, id)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	content := make([]byte, 0, f.SizeBytes)
	for no := 0; int64(len(content)) < f.SizeBytes; no++ {
		part, err := tenant.First[chunk](ctx, r, "file_id = ? AND chunk_no = ?", f.ContentID, no)
		if err != nil {
			return nil, nil, err //nolint:wrapcheck // says what was read
		}
		if part == nil {
			break
		}
		content = append(content, part.Content...)
	}
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:], f.SHA256) {
		return nil, nil, fmt.Errorf("reading the file %s: its bytes do not have the digest stored with it", f.ID)
	}
	return f, content, nil
}

// store writes a file that no earlier one has the bytes of, a chunk at a time.
func (f *File) store(ctx context.Context, tx tenant.Tx, content *spool) error {
	f.ID = tenant.NewID()
	f.ContentID, f.SizeBytes, f.SHA256 = f.ID, content.size, content.sum()
	if err := tenant.Insert(ctx, tx, f); err != nil {
		return err //nolint:wrapcheck // says what was stored
	}
	bytesLeft := content.open()
	part := make([]byte, chunkBytes)
	for no := 0; ; no++ {
		n, err := io.ReadFull(bytesLeft, part)
		if n > 0 {
			if err := tenant.Insert(ctx, tx, &chunk{FileID: f.ID, ChunkNo: no, Content: part[:n]}); err != nil {
				return err //nolint:wrapcheck // says what was stored
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading a file that is held: %w", err)
		}
	}
}
