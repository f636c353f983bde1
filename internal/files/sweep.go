package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// orphanAge is how old a content without a row must be to count as garbage: its row may still be on its way, in a request or in a
// job, and none of them lasts a day.
const orphanAge = 24 * time.Hour

// sweepBatch is how many contents are looked up at once.
const sweepBatch = 200

// Sweep removes from the folder what no row refers to and nothing refers to any more: contents whose transaction was never
// committed, those whose removal after a deletion failed, and parts of writes that a kill cut off. It leaves what is younger than
// a day, what it does not know, and everything of companies that the database does not have: a server that was pointed at the
// wrong database must not empty the folder. Any number of servers may sweep at once. It gives how many files it removed.
func (d Depot) Sweep(ctx context.Context, y tenant.System) (int, error) {
	if d.folder == "" {
		return 0, nil
	}
	folders, err := os.ReadDir(d.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // nothing was kept yet
	}
	if err != nil {
		return 0, fmt.Errorf("looking for files without rows: %w", err)
	}
	removed := 0
	for _, f := range folders {
		company, err := tenant.ParseID(f.Name())
		if err != nil || !f.IsDir() || f.Name() != company.String() {
			continue
		}
		n, err := d.sweepCompany(ctx, y, company)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	if removed > 0 {
		slog.InfoContext(ctx, "contents without a file were removed from the folder of files", "removed", removed)
	}
	return removed, nil
}

// sweepCompany sweeps the folder of one company.
func (d Depot) sweepCompany(ctx context.Context, y tenant.System, company tenant.ID) (removed int, err error) {
	known, err := tenant.SystemQuery[tenant.ID](ctx, y, "SELECT id FROM companies WHERE id = ?", company)
	if err != nil {
		return 0, fmt.Errorf("looking for files without rows: %w", err)
	}
	if len(known) == 0 {
		slog.WarnContext(ctx, "the folder of files has contents of a company that the database does not have; they stay", "company", company.String())
		return 0, nil
	}
	s := &sweep{depot: d, system: y, company: company, before: y.Store().Clock().Now().Add(-orphanAge)}
	err = filepath.WalkDir(filepath.Join(d.folder, company.String()), func(path string, item fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		return s.look(ctx, path, item)
	})
	if err == nil {
		err = s.flush(ctx)
	}
	if err != nil {
		return s.removed, fmt.Errorf("looking for files without rows: %w", err)
	}
	return s.removed, nil
}

// sweep is the sweeping of one company's folder.
type sweep struct {
	depot   Depot
	system  tenant.System
	company tenant.ID
	before  time.Time
	// suspects are old contents that are not looked up yet: the paths by the id in their names.
	suspects map[tenant.ID]string
	removed  int
}

// look keeps what may be garbage for the next look-up.
func (s *sweep) look(ctx context.Context, path string, item fs.DirEntry) error {
	if err := ctx.Err(); err != nil {
		return err //nolint:wrapcheck // the server stops
	}
	if !item.Type().IsRegular() {
		return nil
	}
	info, err := item.Info()
	if err != nil || !info.ModTime().Before(s.before) {
		return nil // removed meanwhile
	}
	if strings.HasPrefix(item.Name(), partPrefix) {
		return s.remove(path)
	}
	digest, name, _ := strings.Cut(item.Name(), ".")
	id, err := tenant.ParseID(name)
	if err != nil || hex.DecodedLen(len(digest)) != sha256.Size {
		return nil // not a content: somebody else's file stays
	}
	if s.suspects == nil {
		s.suspects = map[tenant.ID]string{}
	}
	s.suspects[id] = path
	if len(s.suspects) < sweepBatch {
		return nil
	}
	return s.flush(ctx)
}

// flush removes the suspects that no row refers to.
func (s *sweep) flush(ctx context.Context) error {
	if len(s.suspects) == 0 {
		return nil
	}
	ids := make([]tenant.ID, 0, len(s.suspects))
	for id := range s.suspects {
		ids = append(ids, id)
	}
	rows, err := tenant.SystemQuery[tenant.ID](ctx, s.system, "SELECT id FROM files WHERE company_id = ? AND id IN ?", s.company, ids)
	if err != nil {
		return err //nolint:wrapcheck // the caller says what for
	}
	for _, id := range rows {
		delete(s.suspects, id)
	}
	for _, path := range s.suspects {
		if err := s.remove(path); err != nil {
			return err
		}
	}
	s.suspects = nil
	return nil
}

func (s *sweep) remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err //nolint:wrapcheck // names the path
	}
	s.removed++
	return nil
}
