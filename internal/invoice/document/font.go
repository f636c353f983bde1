package document

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/invoice"
)

// ErrUnprintable says that a text has characters the font lacks.
var ErrUnprintable = apperr.Define("invoice.unprintable", apperr.Rule,
	"A text of the document has characters that the font of PDF documents lacks: it writes Latin, Greek and Cyrillic.")

// fonts are those of PDF documents, regular and bold.
var fonts = sync.OnceValues(func() ([2]*sfnt.Font, error) {
	var both [2]*sfnt.Font
	for i, file := range [][]byte{goregular.TTF, gobold.TTF} {
		font, err := sfnt.Parse(file)
		if err != nil {
			return both, fmt.Errorf("reading the font of documents: %w", err)
		}
		both[i] = font
	}
	return both, nil
})

// plain brings a text into the characters that are printed: composed letters, one sort of blank, no characters without a shape.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r), unicode.Is(unicode.Zs, r):
			return ' '
		case r == '\u2010', r == '\u2011': // hyphens that differ only in where a line may end
			return '-'
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(s, "")))
}

// flat is plain on one line.
func flat(s string) string { return strings.Join(strings.Fields(plain(s)), " ") }

// text is a text of a document that comes from outside, with what it is.
type text struct{ what, value string }

// requireGlyphs refuses texts that the fonts cannot write. Error: invoice.unprintable.
func requireGlyphs(texts ...text) error {
	both, err := fonts()
	if err != nil {
		return err
	}
	var buffer sfnt.Buffer
	for _, t := range texts {
		for _, r := range plain(t.value) {
			if r == '\n' {
				continue
			}
			for _, font := range both {
				if glyph, err := font.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
					return ErrUnprintable.New("The font of PDF documents cannot write %q (U+%04X) in %s. It writes Latin, Greek and Cyrillic: give that in one of them.",
						r, r, t.what).Detail("character", string(r)).Detail("text", t.what)
				}
			}
		}
	}
	return nil
}

// texts are all texts of a document that people typed.
func texts(p *invoice.Printout) []text {
	var all []text
	for _, side := range []struct {
		whose string
		invoice.Party
	}{{"the seller's", p.Seller}, {"the buyer's", p.Buyer}} {
		for _, t := range []text{
			{"name", side.Name},
			{"code", side.Code},
			{"VAT number", side.VATCode},
			{"street", side.Street},
			{"city", side.City},
			{"postal code", side.PostalCode},
			{"e-mail", side.Email},
			{"phone", side.Phone},
			{"bank", side.BankName},
			{"account", side.IBAN},
			{"SME number", side.SMEExemptionNumber},
		} {
			all = append(all, text{side.whose + " " + t.what, t.value})
		}
	}
	for i, l := range p.Lines {
		at := fmt.Sprintf("line %d", i+1)
		all = append(all, text{"the description of " + at, l.Description}, text{"the unit of " + at, l.Unit})
	}
	if p.Notes != nil {
		all = append(all, text{"the notes", *p.Notes})
	}
	if p.FullNumber != nil {
		all = append(all, text{"the number", *p.FullNumber})
	}
	return all
}
