package export

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// maxSheetRows is what a sheet of Office Open XML holds.
const maxSheetRows = 1_048_576

// xlsxFile writes a workbook of one sheet (ECMA-376). Rows go straight into the archive, and amounts are written digit by
// digit: no number of ours passes through binary floating point. The archive bears no time, so equal rows give equal bytes.
type xlsxFile struct {
	zip   *zip.Writer
	sheet io.Writer
	head  head
	rows  int
}

// Styles of cells: indexes into cellXfs of the part styles.xml.
const (
	styleText = iota
	styleTitle
	styleHeading
	styleAmount
	styleDate
	styleNumber
)

// styleAmounts are the styles of amounts by the decimals of their currency.
var styleAmounts = map[int]int{0: 6, 2: styleAmount, 3: 7, 4: 8}

func newXLSX(w io.Writer, h head) (*xlsxFile, error) {
	f := &xlsxFile{zip: zip.NewWriter(w), head: h}
	for _, part := range xlsxParts {
		if err := f.part(part.name, part.content); err != nil {
			return nil, err
		}
	}
	sheet, err := f.zip.CreateHeader(&zip.FileHeader{Name: "xl/worksheets/sheet1.xml", Method: zip.Deflate})
	if err != nil {
		return nil, fmt.Errorf("writing a workbook: %w", err)
	}
	f.sheet = sheet
	return f, nil
}

func (f *xlsxFile) part(name, content string) error {
	part, err := f.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return fmt.Errorf("writing a workbook: %w", err)
	}
	if _, err := io.WriteString(part, content); err != nil {
		return fmt.Errorf("writing a workbook: %w", err)
	}
	return nil
}

func (f *xlsxFile) write(s string) error {
	if _, err := io.WriteString(f.sheet, s); err != nil {
		return fmt.Errorf("writing a workbook: %w", err)
	}
	return nil
}

// Member writes nothing: a table has no place for it.
func (*xlsxFile) Member(string, any) error { return nil }

// headingRow is the row of the titles: above it are the name of the report, what it is about, and an empty row.
const headingRow = 4

func (f *xlsxFile) Table(_ string, columns []Column) error {
	var s strings.Builder
	s.WriteString(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>` +
		`<sheetView workbookViewId="0"><pane ySplit="4" topLeftCell="A5" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, c := range columns {
		const charactersPerShare = 3
		fmt.Fprintf(&s, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, c.Width*charactersPerShare)
	}
	s.WriteString("</cols><sheetData>")
	if err := f.write(s.String()); err != nil {
		return err
	}
	titles := make([]any, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	for _, row := range []struct {
		cells []any
		style int
	}{{[]any{f.head.title}, styleTitle}, {[]any{f.head.subtitle}, styleText}, {nil, styleText}, {titles, styleHeading}} {
		if err := f.row(row.cells, row.style); err != nil {
			return err
		}
	}
	return nil
}

func (f *xlsxFile) Row(_ any, lines [][]any) error {
	for _, line := range lines {
		if err := f.row(line, styleText); err != nil {
			return err
		}
	}
	return nil
}

func (f *xlsxFile) row(cells []any, textStyle int) error {
	f.rows++
	if f.rows > maxSheetRows {
		return ErrTooLarge.New("A sheet holds %d rows; narrow the days, or choose csv.", maxSheetRows)
	}
	var s strings.Builder
	number := strconv.Itoa(f.rows)
	s.WriteString(`<row r="` + number + `">`)
	for i, cell := range cells {
		writeCell(&s, columnName(i)+number, cell, textStyle)
	}
	s.WriteString("</row>")
	return f.write(s.String())
}

func writeCell(s *strings.Builder, at string, cell any, textStyle int) {
	text, isNumber := show(cell)
	style := styleNumber
	switch v := cell.(type) {
	case money.Amount:
		style = styleAmounts[v.Currency().MinorUnits()]
	case date.Date:
		text, isNumber, style = sheetDay(v), !v.IsZero(), styleDate
	}
	switch {
	case text == "":
	case isNumber:
		fmt.Fprintf(s, `<c r="%s" s="%d"><v>%s</v></c>`, at, style, text)
	default:
		fmt.Fprintf(s, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">`, at, textStyle)
		_ = xml.EscapeText(s, []byte(text)) // a strings.Builder never fails
		s.WriteString("</t></is></c>")
	}
}

// sheetDay is a date as sheets count them: days since 30 December 1899.
func sheetDay(d date.Date) string {
	if d.IsZero() {
		return ""
	}
	const day = 24 * time.Hour
	since := time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC).Sub(time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC))
	return strconv.Itoa(int(since / day))
}

// columnName is A to Z, AA and so on.
func columnName(index int) string {
	const letters = 26
	name := ""
	for n := index + 1; n > 0; n = (n - 1) / letters {
		name = string(rune('A'+(n-1)%letters)) + name
	}
	return name
}

func (f *xlsxFile) Close() error {
	if err := f.write("</sheetData></worksheet>"); err != nil {
		return err
	}
	if err := f.zip.Close(); err != nil {
		return fmt.Errorf("writing a workbook: %w", err)
	}
	return nil
}
