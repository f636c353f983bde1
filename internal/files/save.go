package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Depot is where contents are kept: the database, or with a folder there. The zero value is the database.
type Depot struct{ folder string }

// NewDepot keeps contents in a folder that all servers see; with an empty name in the database.
func NewDepot(folder string) Depot { return Depot{folder} }

// New is a file to be kept.
type New struct {
	Entity   string
	EntityID string
	FileName string
	MIMEType string
	Content  []byte
}

const entityFile = "file"

// Upload keeps a file that a caller sent, after its name, type, size and entity are checked. Errors: file.name,
// file.type, file.too_large, file.no_entity, validation.
func (d Depot) Upload(ctx context.Context, tx tenant.Tx, in New) (*File, error) {
	switch {
	case len(in.Content) == 0:
		return nil, apperr.Invalid("content", "is empty")
	case len(in.Content) > MaxSize:
		return nil, ErrTooLarge.New("The file has %d bytes; up to %d are kept.", len(in.Content), MaxSize).Field("content", "is larger than 10 MiB")
	}
	var err error
	if in.FileName, err = CleanName(in.FileName); err != nil {
		return nil, err
	}
	if in.MIMEType, err = checkType(in.MIMEType, in.Content); err != nil {
		return nil, err
	}
	if err := requireEntity(ctx, tx, in.Entity, in.EntityID); err != nil {
		return nil, err
	}
	return d.Save(ctx, tx, in)
}

// Save keeps a file as it is: for those that the server produced. It may be larger than MaxSize, and must not be empty.
func (d Depot) Save(ctx context.Context, tx tenant.Tx, in New) (*File, error) {
	digest := sha256.Sum256(in.Content)
	f := &File{
		Row: tenant.Row{ID: tenant.NewID()}, Entity: in.Entity, EntityID: in.EntityID, FileName: in.FileName, MIMEType: in.MIMEType,
		SizeBytes: int64(len(in.Content)), SHA256: digest[:], Storage: InDatabase,
		CreatedBy: tx.Scope().Actor().ID, CreatedAt: tx.Now(),
	}
	if d.folder != "" {
		f.Storage = InFolder
		// Before the commit: a row never lacks its content, and a content without a row is garbage.
		if err := d.write(tx.Company().ID, *f, in.Content); err != nil {
			return nil, err
		}
	}
	if err := tenant.Insert(ctx, tx, f); err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	if d.folder == "" {
		if err := saveChunks(ctx, tx, f.ID, in.Content); err != nil {
			return nil, err
		}
	}
	return f, record(ctx, tx, "file.uploaded", *f, nil, f.line())
}

func saveChunks(ctx context.Context, tx tenant.Tx, id tenant.ID, content []byte) error {
	for position := 0; len(content) > 0; position++ {
		n := min(chunkSize, len(content))
		// One statement each: together they could pass the packet limit of the server.
		if err := tenant.Insert(ctx, tx, &chunk{FileID: id, Position: position, Content: content[:n]}); err != nil {
			return err //nolint:wrapcheck // says what was stored
		}
		content = content[n:]
	}
	return nil
}

func record(ctx context.Context, tx tenant.Tx, action string, f File, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entityFile, EntityID: f.ID.String(), Before: before, After: after,
	})
}

// Get finds a file. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*File, error) {
	return tenant.Get[File](ctx, r, id) //nolint:wrapcheck // a refusal as it stands
}

// Content reads the bytes of a file and checks them. Error: file.content, which is a fault of the server.
func (d Depot) Content(ctx context.Context, r tenant.Reader, f File) ([]byte, error) {
	content, err := d.read(ctx, r, f)
	if err != nil {
		return nil, err
	}
	if digest := sha256.Sum256(content); !bytes.Equal(digest[:], f.SHA256) {
		return nil, ErrContent.New("The content of the file %s has changed in the store.", f.ID)
	}
	return content, nil
}

func (d Depot) read(ctx context.Context, r tenant.Reader, f File) ([]byte, error) {
	if f.Storage == InFolder {
		return d.readFolder(r.Company().ID, f)
	}
	chunks, err := tenant.Query[chunk](ctx, r, `SELECT * FROM file_chunks WHERE company_id = @company AND file_id = ? ORDER BY position`, f.ID)
	if err != nil {
		return nil, fmt.Errorf("reading the content of a file: %w", err)
	}
	content := make([]byte, 0, f.SizeBytes)
	for _, c := range chunks {
		content = append(content, c.Content...)
	}
	return content, nil
}

// Delete removes a file for good. What it gives drops the content and is called when the deletion has been committed.
// Errors: not_found, file.referenced.
func (d Depot) Delete(ctx context.Context, tx tenant.Tx, id tenant.ID) (drop func(), err error) {
	f, err := tenant.Lock[File](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	company, err := tenant.ReadCompany(ctx, tx)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if company.LogoFileID != nil && *company.LogoFileID == id {
		return nil, referenced().Detail("referredBy", "company")
	}
	if _, err := tenant.DeleteWhere[chunk](ctx, tx, "file_id = ?", id); err != nil {
		return nil, err //nolint:wrapcheck // says what was deleted
	}
	if _, err := tenant.Delete[File](ctx, tx, id); database.IsReferenced(err) {
		return nil, referenced().Because(err)
	} else if err != nil {
		return nil, err //nolint:wrapcheck // says what was deleted
	}
	if err := record(ctx, tx, "file.deleted", *f, f.line(), nil); err != nil {
		return nil, err
	}
	owner := tx.Company().ID
	return func() { d.drop(owner, *f) }, nil
}

func referenced() *apperr.Error {
	return ErrReferenced.New("Something refers to the file; remove the reference first, or leave the file.")
}
