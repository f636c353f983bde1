package export

import (
	"encoding/csv"
	"fmt"
	"io"
)

// csvFile writes RFC 4180: a line of titles, commas, CRLF.
type csvFile struct{ w *csv.Writer }

func newCSV(w io.Writer) *csvFile {
	f := &csvFile{csv.NewWriter(w)}
	f.w.UseCRLF = true
	return f
}

// Member writes nothing: a table has no place for it.
func (*csvFile) Member(string, any) error { return nil }

// Table writes the titles.
func (f *csvFile) Table(_ string, columns []Column) error {
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	return f.record(titles)
}

func (f *csvFile) Row(_ any, lines [][]any) error {
	for _, line := range lines {
		record := make([]string, len(line))
		for i, cell := range line {
			shown, isNumber := show(cell)
			if !isNumber {
				shown = Harmless(shown)
			}
			record[i] = shown
		}
		if err := f.record(record); err != nil {
			return err
		}
	}
	return nil
}

func (f *csvFile) record(fields []string) error {
	if err := f.w.Write(fields); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

func (f *csvFile) Close() error {
	f.w.Flush()
	if err := f.w.Error(); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}
