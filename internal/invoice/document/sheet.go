package document

import (
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/vienkart/vienkart/internal/invoice"
)

// Measures of a page in millimetres: A4 standing up.
const (
	pageWidth  = 180 // 210 less two margins
	pageMargin = 15
	pageBottom = 272 // where what is written must end; the footer stands below
	footerTop  = 280
	lineHeight = 4.6
	gap        = 4
	bodySize   = 9
	titleSize  = 16
	smallSize  = 8
	markSize   = 80
	rowPadding = 1.2
)

const fontName = "go"

// millimetres are lengths and coordinates on a page: the one thing that is binary floating point here, as the PDF library takes it.
type millimetres = float64

// sheet is a document on its way to paper.
type sheet struct {
	*invoice.Printout
	l   Language
	doc *fpdf.Fpdf
	// total is how many pages there are; 0 while they are counted.
	total int
}

func newSheet(p *invoice.Printout, l Language, total int) *sheet {
	doc := fpdf.New("P", "mm", "A4", "")
	doc.SetCatalogSort(true)
	// The moments of the document, not of the printing: the same document gives the same bytes.
	at := p.UpdatedAt.UTC().Truncate(time.Second)
	doc.SetCreationDate(at)
	doc.SetModificationDate(at)
	doc.SetLang(string(l))
	doc.AddUTF8FontFromBytes(fontName, "", goregular.TTF)
	doc.AddUTF8FontFromBytes(fontName, "B", gobold.TTF)
	doc.SetMargins(pageMargin, pageMargin, pageMargin)
	doc.SetAutoPageBreak(false, 0)
	s := &sheet{Printout: p, l: l, doc: doc, total: total}
	doc.SetTitle(s.heading(), true)
	doc.SetAuthor(flat(p.Seller.Name), true)
	return s
}

func (s *sheet) pages() int { return s.doc.PageNo() }

func (s *sheet) word(w words) string { return w.in(s.l) }

func (s *sheet) heading() string {
	out := s.word(title(s.Printout))
	if s.FullNumber != nil {
		out += " " + flat(*s.FullNumber)
	}
	return out
}

func (s *sheet) write() {
	s.page()
	s.head()
	s.parties()
	s.lines()
	s.totals()
	s.remarks()
}

// page begins a page with its mark and its footer.
func (s *sheet) page() {
	s.doc.AddPage()
	switch {
	case s.Status == invoice.StatusDraft:
		s.mark(s.word(wordDraft))
	case !s.CancelledAt.IsZero():
		s.mark(s.word(wordCancelled))
	}
	s.regular(smallSize)
	s.doc.SetXY(pageMargin, footerTop)
	s.doc.CellFormat(pageWidth/2, lineHeight, s.heading(), "", 0, "L", false, 0, "")
	number := s.word(wordPage) + " " + strconv.Itoa(s.doc.PageNo()) + " / " + strconv.Itoa(s.total)
	s.doc.CellFormat(pageWidth/2, lineHeight, number, "", 0, "R", false, 0, "")
	s.doc.SetXY(pageMargin, pageMargin)
	s.regular(bodySize)
}

// mark writes a word across the page, under what is written on it.
func (s *sheet) mark(text string) {
	const (
		grey           = 225
		rise           = 50 // degrees
		centreX, below = 105, 170
	)
	size := millimetres(markSize)
	s.doc.SetFont(fontName, "B", size)
	if width := s.doc.GetStringWidth(text); width > pageWidth {
		size *= pageWidth / width
		s.doc.SetFont(fontName, "B", size)
	}
	s.doc.SetTextColor(grey, grey, grey)
	s.doc.TransformBegin()
	s.doc.TransformRotate(rise, centreX, below)
	s.doc.Text(centreX-s.doc.GetStringWidth(text)/2, below, text)
	s.doc.TransformEnd()
	s.doc.SetTextColor(0, 0, 0)
}

func (s *sheet) regular(size millimetres) { s.doc.SetFont(fontName, "", size) }

func (s *sheet) bold(size millimetres) { s.doc.SetFont(fontName, "B", size) }

// room begins a new page unless so much fits on this one.
func (s *sheet) room(height millimetres) bool {
	if s.doc.GetY()+height <= pageBottom {
		return false
	}
	s.page()
	return true
}

// paragraph writes text over the width, as many lines as it takes.
func (s *sheet) paragraph(text string) {
	for _, line := range s.doc.SplitText(text, pageWidth) {
		s.room(lineHeight)
		s.doc.SetX(pageMargin)
		s.doc.CellFormat(pageWidth, lineHeight, line, "", 1, "L", false, 0, "")
	}
}

func (s *sheet) rule() {
	y := s.doc.GetY()
	s.doc.Line(pageMargin, y, pageMargin+pageWidth, y)
}
