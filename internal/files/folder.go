package files

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/vienkart/vienkart/internal/tenant"
)

// path is where the content of a file lies: below its company, named by its digest and by the id of its row. The id
// keeps two files of equal content apart, so that deleting one leaves the other.
func (d Depot) path(company tenant.ID, f File) string {
	digest := f.Digest()
	return filepath.Join(d.folder, company.String(), digest[:2], digest+"."+f.ID.String())
}

// partPrefix begins the name of a content that is being written.
const partPrefix = ".part-"

// write stores a content whole or not at all: it is synced under another name and then renamed.
func (d Depot) write(company tenant.ID, f File, content []byte) (err error) {
	target := d.path(company, f)
	if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
		return fmt.Errorf("making the folder of a file: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(target), partPrefix+"*")
	if err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part.Name())
		}
	}()
	_, err = part.Write(content)
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	if err := os.Rename(part.Name(), target); err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	return syncFolder(filepath.Dir(target))
}

// syncFolder makes the new name durable.
func syncFolder(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	if err := errors.Join(opened.Sync(), opened.Close()); err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	return nil
}

func (d Depot) readFolder(company tenant.ID, f File) ([]byte, error) {
	if d.folder == "" {
		return nil, ErrContent.New("The content of the file lies in a folder that this server does not know; set VIENKART_FILES_DIR.")
	}
	content, err := os.ReadFile(d.path(company, f))
	if err != nil {
		return nil, ErrContent.New("The content of the file %s cannot be read from the folder of files.", f.ID).Because(err)
	}
	return content, nil
}

// drop removes a content whose row is gone. What cannot be removed is garbage that Sweep finds, and is said in the log.
func (d Depot) drop(company tenant.ID, f File) {
	if f.Storage != InFolder || d.folder == "" {
		return
	}
	if err := os.Remove(d.path(company, f)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the content of a deleted file was not removed", "error", err, "file", f.ID.String())
	}
}
