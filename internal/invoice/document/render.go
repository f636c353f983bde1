package document

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/tenant"
)

// MIMEType is the media type of what Render gives.
const MIMEType = "application/pdf"

// PDF is a printed document.
type PDF struct {
	FileName string
	Content  []byte
	Language Language
}

// Make reads a document and prints it; without a language in that of the buyer. Errors: not_found, invoice.unprintable.
func Make(ctx context.Context, r tenant.Reader, id tenant.ID, l Language) (*PDF, error) {
	p, err := invoice.ReadPrintout(ctx, r, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	return Render(p, l)
}

// Render prints a document; without a language in that of the buyer. Error: invoice.unprintable.
func Render(p *invoice.Printout, l Language) (*PDF, error) {
	l = l.Or(p)
	if err := requireGlyphs(texts(p)...); err != nil {
		return nil, err
	}
	name, err := files.CleanName(fileName(p, l))
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	// The first pass counts the pages, so that each can say how many there are.
	counted := newSheet(p, l, 0)
	counted.write()
	final := newSheet(p, l, counted.pages())
	final.write()
	var out bytes.Buffer
	if err := final.doc.Output(&out); err != nil {
		return nil, fmt.Errorf("writing the PDF of a document: %w", err)
	}
	return &PDF{FileName: name, Content: out.Bytes(), Language: l}, nil
}

// fileName is the number of the document, in characters that every file system and mail program takes.
func fileName(p *invoice.Printout, l Language) string {
	if p.FullNumber == nil {
		return strings.ToLower(wordDraft.in(l)) + ".pdf"
	}
	return strings.ReplaceAll(strings.NewReplacer("/", "-", `\`, "-").Replace(*p.FullNumber), " ", "_") + ".pdf"
}
