package export

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// Measures of a page in millimetres: A4 lying down.
const (
	pdfWidth    = 277 // 297 less two margins
	pdfMargin   = 10
	pdfBottom   = 195 // where the last line of a page must end
	pdfLine     = 4
	pdfFontSize = 8
)

// maxPDFLines bounds a document that people read: it is held in memory, and nobody turns over a thousand pages.
const maxPDFLines = 50_000

// pdfFile writes a table over as many pages as it takes, with the titles on each. Its dates are those of the report, not of the
// run. Coordinates are the one place where the product uses binary floating point: no amount passes through them.
type pdfFile struct {
	out     io.Writer
	doc     *fpdf.Fpdf
	head    head
	columns []Column
	widths  []float64
	lines   int
}

func newPDF(w io.Writer, h head) *pdfFile {
	doc := fpdf.New("L", "mm", "A4", "")
	doc.SetCatalogSort(true)
	at := time.Date(h.on.To.Year(), h.on.To.Month(), h.on.To.Day(), 0, 0, 0, 0, time.UTC)
	doc.SetCreationDate(at)
	doc.SetModificationDate(at)
	doc.SetTitle(h.title+" "+h.subtitle, true)
	doc.AddUTF8FontFromBytes("go", "", goregular.TTF)
	doc.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	doc.SetMargins(pdfMargin, pdfMargin, pdfMargin)
	doc.SetAutoPageBreak(false, 0)
	return &pdfFile{out: w, doc: doc, head: h}
}

// Member writes nothing: a table has no place for it.
func (*pdfFile) Member(string, any) error { return nil }

func (f *pdfFile) Table(_ string, columns []Column) error {
	f.columns = columns
	shares := 0
	for _, c := range columns {
		shares += c.Width
	}
	f.widths = make([]float64, len(columns))
	for i, c := range columns {
		f.widths[i] = pdfWidth * float64(c.Width) / float64(shares)
	}
	f.page()
	return f.err()
}

// page begins a page with what stands above the rows.
func (f *pdfFile) page() {
	f.doc.AddPage()
	if f.doc.PageNo() == 1 {
		f.doc.SetFont("go", "B", 2*pdfFontSize)
		f.doc.CellFormat(pdfWidth, 2*pdfLine, f.head.title, "", 1, "L", false, 0, "")
	}
	f.doc.SetFont("go", "", pdfFontSize)
	f.doc.CellFormat(pdfWidth/2, pdfLine, f.head.subtitle, "", 0, "L", false, 0, "")
	f.doc.CellFormat(pdfWidth/2, pdfLine, "p. "+strconv.Itoa(f.doc.PageNo()), "", 1, "R", false, 0, "")
	f.doc.Ln(pdfLine)
	f.doc.SetFont("go", "B", pdfFontSize)
	titles := make([]any, len(f.columns))
	for i, c := range f.columns {
		titles[i] = c.Title
	}
	f.line(titles)
	y := f.doc.GetY()
	f.doc.Line(pdfMargin, y, pdfMargin+pdfWidth, y)
	f.doc.SetFont("go", "", pdfFontSize)
}

func (f *pdfFile) Row(_ any, lines [][]any) error {
	for _, line := range lines {
		f.lines++
		if f.lines > maxPDFLines {
			return ErrTooLarge.New("A PDF has up to %d lines; narrow the days, or choose csv or xlsx.", maxPDFLines)
		}
		f.line(line)
	}
	return f.err()
}

// line writes the cells of a line side by side, each on as many lines of text as it needs.
func (f *pdfFile) line(cells []any) {
	texts := make([][]string, len(cells))
	height := 1
	for i, cell := range cells {
		text, _ := show(cell)
		if text != "" {
			texts[i] = f.doc.SplitText(text, f.widths[i])
		}
		height = max(height, len(texts[i]))
	}
	top := f.doc.GetY()
	if top+float64(height*pdfLine) > pdfBottom && f.doc.GetY() > pdfBottom/2 {
		f.page()
		top = f.doc.GetY()
	}
	left, _, _, _ := f.doc.GetMargins()
	for i, column := range f.columns {
		align := "L"
		if column.Numeric {
			align = "R"
		}
		for j, text := range texts[i] {
			f.doc.SetXY(left, top+float64(j*pdfLine))
			f.doc.CellFormat(f.widths[i], pdfLine, text, "", 0, align, false, 0, "")
		}
		left += f.widths[i]
	}
	f.doc.SetXY(pdfMargin, top+float64(height*pdfLine))
}

func (f *pdfFile) err() error {
	if err := f.doc.Error(); err != nil {
		return fmt.Errorf("writing a PDF: %w", err)
	}
	return nil
}

func (f *pdfFile) Close() error {
	if err := f.doc.Output(f.out); err != nil {
		return fmt.Errorf("writing a PDF: %w", err)
	}
	return nil
}
