package files

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vienkart/vienkart/internal/tenant"
)

// FromFolder reads the content of a file that lies in the folder and checks it. Error: file.content.
func (d Depot) FromFolder(company, id tenant.ID, digest []byte) ([]byte, error) {
	f := File{Row: tenant.Row{ID: id}, SHA256: digest, Storage: InFolder}
	content, err := d.readFolder(company, f)
	if err != nil {
		return nil, err
	}
	if found := sha256.Sum256(content); !bytes.Equal(found[:], digest) {
		return nil, ErrContent.New("The content of the file %s has changed in the store.", id)
	}
	return content, nil
}

// DropCompany removes all contents of a company from the folder; its rows are gone.
func (d Depot) DropCompany(company tenant.ID) error {
	if d.folder == "" {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(d.folder, company.String())); err != nil {
		return fmt.Errorf("removing the files of the company: %w", err)
	}
	return nil
}
