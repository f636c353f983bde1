package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// sheet is a file of delimited text whose header was read.
type sheet struct {
	reader    *csv.Reader
	delimiter rune
	header    int // line of the header
	columns   map[string]int
	// width is how many fields a line must have: up to the last column with a name.
	width int
	// references are the columns that may say what a payment was for, the best first.
	references []int
}

// columnSet are required columns; each is a list of names of which one must be there.
type columnSet [][]string

func (c columnSet) String() string {
	names := make([]string, len(c))
	for i, alternatives := range c {
		names[i] = strings.Join(alternatives, " or ")
	}
	return strings.Join(names, ", ")
}

// open finds the delimiter and reads the header.
func open(text string) (*sheet, error) {
	text, delimiter := findDelimiter(text)
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord, reader.ReuseRecord = delimiter, -1, true
	s := &sheet{reader: reader, delimiter: delimiter, columns: map[string]int{}}
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, &Fault{Reason: "the file is empty"}
	}
	if err != nil {
		return nil, unreadable(err)
	}
	s.header, _ = reader.FieldPos(0)
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := s.columns[name]; twice && name != "" {
			return nil, &Fault{Line: s.header, Column: shorten(name), Reason: "the column is there twice"}
		}
		s.columns[name] = i
		if name != "" {
			s.width = i + 1
		}
	}
	delete(s.columns, "")
	s.references = referenceColumns(header)
	return s, nil
}

// findDelimiter takes the mark that the header has most of. Spreadsheet programs may say it in a line of their own, which is blanked
// here so that lines keep their numbers.
func findDelimiter(text string) (string, rune) {
	trimmed := strings.TrimLeft(text, "\r\n")
	first, rest, _ := strings.Cut(trimmed, "\n")
	said := strings.TrimRight(first, "\r")
	if len(said) == len("sep=;") && strings.HasPrefix(strings.ToLower(said), "sep=") && strings.ContainsAny(said[4:], ",;\t") {
		return strings.Repeat("\n", strings.Count(text[:len(text)-len(rest)], "\n")) + rest, rune(said[4])
	}
	delimiter := ','
	for _, other := range ";\t" {
		if strings.Count(first, string(other)) > strings.Count(first, string(delimiter)) {
			delimiter = other
		}
	}
	return text, delimiter
}

func (s *sheet) hasAny(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := s.columns[name]; return ok })
}

func (s *sheet) require(columns columnSet) error {
	var missing columnSet
	for _, alternatives := range columns {
		if !s.hasAny(alternatives...) {
			missing = append(missing, alternatives)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return &Fault{Line: s.header, Reason: "the header lacks these columns: " + missing.String()}
}

// each hands over the rows that are not blank, until one is refused.
func (s *sheet) each(read func(row) error) error {
	for {
		cells, err := s.reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unreadable(err)
		}
		line, _ := s.reader.FieldPos(0)
		r := row{sheet: s, line: line, cells: cells}
		if r.blank(0) {
			continue
		}
		if len(cells) < s.width || !r.blank(s.width) {
			return &Fault{Line: line, Reason: fmt.Sprintf("the line has %d fields, the header has %d; the file may be cut off", len(cells), s.width)}
		}
		if err := read(r); err != nil {
			return err
		}
	}
}

func unreadable(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return &Fault{Reason: err.Error()}
	}
	return &Fault{Line: parse.StartLine, Reason: "a quotation mark is missing or out of place; the file may be cut off"}
}

// row is one line of a sheet. Its cells are valid until the next is read.
type row struct {
	*sheet
	line  int
	cells []string
}

func (r row) blank(from int) bool {
	for i := from; i < len(r.cells); i++ {
		if strings.TrimSpace(r.cells[i]) != "" {
			return false
		}
	}
	return true
}

// get is the first of the named cells that is not empty.
func (r row) get(names ...string) string {
	for _, name := range names {
		if i, ok := r.columns[name]; ok {
			if cell := strings.TrimSpace(r.cells[i]); cell != "" {
				return strings.Clone(cell)
			}
		}
	}
	return ""
}

// id is a cell that must not be longer than ids are.
func (r row) id(name string) (string, error) {
	cell := r.get(name)
	if len([]rune(cell)) > maxID {
		return "", r.fault(name, "is longer than %d characters", maxID)
	}
	return cell, nil
}

func (r row) fault(column, format string, args ...any) error {
	return &Fault{Line: r.line, Column: column, Reason: fmt.Sprintf(format, args...)}
}

// reference is what the payment was for, as far as the report says.
func (r row) reference() string {
	for _, i := range r.references {
		if cell := strings.TrimSpace(r.cells[i]); cell != "" {
			return cut(strings.Clone(cell), maxText)
		}
	}
	return ""
}

// knownReferences are columns of the provider that may hold a reference, the best first.
var knownReferences = []string{
	"reference", "client_reference_id", "invoice_number", "invoice number", "invoice_id", "invoice id",
	"payment_intent_id", "paymentintent id", "payment intent id",
}

// referenceColumns puts the merchant's own metadata about a document before what the provider knows.
func referenceColumns(header []string) []int {
	var own, known []int
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = strings.ToLower(strings.TrimSpace(name))
		if strings.Contains(names[i], "metadata") && slices.ContainsFunc([]string{"invoice", "reference", "document", "order"},
			func(word string) bool { return strings.Contains(names[i], word) }) {
			own = append(own, i)
		}
	}
	for _, name := range knownReferences {
		if i := slices.Index(names, name); i >= 0 {
			known = append(known, i)
		}
	}
	return append(own, known...)
}

// cut shortens text to a number of characters.
func cut(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}

// shorten keeps hostile input out of messages.
func shorten(s string) string { return cut(s, 40) }
