package backup

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
)

// people is the one table beside companies that bears no company: of it the members go along.
const people = "users"

// FolderFile is a stored file whose content lies outside the database.
type FolderFile struct {
	ID     tenant.ID
	SHA256 []byte `gorm:"column:sha256"`
}

// CompanyInput says how a company's file is made.
type CompanyInput struct {
	// Server is the version of the program.
	Server string
	Now    clock.Time
	// Contents reads a file that lies outside the database and checks its digest. The company's file has it as if it lay
	// inside, which is where an import puts it.
	Contents func(FolderFile) ([]byte, error)
}

// companyTables are those that a company's file has, in its order: its people first, so that memberships find them, and
// the company last, as in a backup.
func companyTables(ctx context.Context, db *database.DB) ([]table, error) {
	list, err := tables(ctx, db)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(t table) bool {
		return !slices.Contains(t.columns, "company_id") && t.name != lastTable && t.name != people
	})
	slices.SortStableFunc(list, func(a, b table) int { return cmp.Compare(rank(a.name), rank(b.name)) })
	for i := range list {
		if list[i].name == chunkTable {
			list[i].order = []string{"file_id", "position"}
		}
	}
	return list, nil
}

func rank(name string) int {
	switch name {
	case people:
		return 0
	case lastTable:
		return 2
	}
	return 1
}

// WriteCompany writes everything of one company as a snapshot sees it. Database is where the snapshot is from.
func WriteCompany(ctx context.Context, db *database.DB, r tenant.ReadTx, out io.Writer, in CompanyInput) (Totals, error) {
	list, err := companyTables(ctx, db)
	if err != nil {
		return Totals{}, err
	}
	schema, err := db.SchemaVersion(ctx, db.Reader())
	if err != nil {
		return Totals{}, err //nolint:wrapcheck // says what was read
	}
	outside, err := tenant.Query[FolderFile](ctx, r, "SELECT id, sha256 FROM files WHERE company_id = @company AND storage = 'folder' ORDER BY id")
	if err != nil {
		return Totals{}, fmt.Errorf("listing files: %w", err)
	}
	w, err := begin(out, Header{
		Format: companyFormat, Version: formatVersion, Schema: schema, Server: in.Server, Engine: db.Dialect().String(), CreatedAt: in.Now,
		Company: r.Company().ID.String(),
	})
	if err != nil {
		return Totals{}, err
	}
	inward := &inward{company: r.Company().ID, waiting: outside, contents: in.Contents}
	for _, t := range list {
		rows, err := tenant.OwnRows(ctx, r, tenant.OwnTable{Name: t.name, Columns: t.columns, Order: t.order})
		if err != nil {
			return Totals{}, err //nolint:wrapcheck // says what was read
		}
		if err := w.table(t.name, rows, inward.editor(t.name)); err != nil {
			return Totals{}, fmt.Errorf("exporting %s: %w", t.name, err)
		}
	}
	return w.finish()
}

// The tables of stored files.
const (
	fileTable  = "files"
	chunkTable = "file_chunks"
	// chunkSize is at most what one row of content may have on every engine.
	chunkSize = 1 << 20
)

// inward brings the contents of files that lie in a folder into the company's file, as rows that a database would have.
type inward struct {
	company  tenant.ID
	waiting  []FolderFile
	contents func(FolderFile) ([]byte, error)
}

func (w *inward) editor(table string) editor {
	switch table {
	case fileTable:
		return storedInside
	case chunkTable:
		return w.before
	}
	return nil
}

func storedInside(columns []column, row []any, _ func([]any) error) error {
	for i := range row {
		if columns[i].Name == "storage" {
			row[i] = "database"
		}
	}
	return nil
}

// before adds the files of the folder whose id comes before that of a chunk, or all that are left.
func (w *inward) before(columns []column, row []any, add func([]any) error) error {
	var next []byte
	for i := range row {
		if columns[i].Name == "file_id" {
			next, _ = row[i].([]byte)
		}
	}
	for len(w.waiting) > 0 && (row == nil || bytes.Compare(w.waiting[0].ID[:], next) < 0) {
		f := w.waiting[0]
		w.waiting = w.waiting[1:]
		content, err := w.contents(f)
		if err != nil {
			return err
		}
		position := int64(0)
		for part := range slices.Chunk(content, chunkSize) {
			chunk, err := w.chunk(columns, f.ID, position, part)
			if err == nil {
				err = add(chunk)
			}
			if err != nil {
				return err
			}
			position++
		}
	}
	return nil
}

func (w *inward) chunk(columns []column, file tenant.ID, position int64, content []byte) ([]any, error) {
	id := chunkID(file, position)
	known := map[string]any{
		"company_id": w.company[:], "id": id[:], "file_id": file[:], "position": position, "content": content,
	}
	row := make([]any, len(columns))
	for i, c := range columns {
		value, ok := known[c.Name]
		if !ok {
			return nil, fmt.Errorf("the column %s of %s has no value for a file of the folder", c.Name, chunkTable)
		}
		row[i] = value
	}
	return row, nil
}

// chunkID is an id that depends on its place alone (UUID version 8), so that every export of a file gives the same lines.
func chunkID(file tenant.ID, position int64) tenant.ID {
	digest := sha256.Sum256(binary.BigEndian.AppendUint64(append([]byte("file chunk "), file[:]...), uint64(position))) //nolint:gosec // never negative
	id := tenant.ID(digest[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id
}
