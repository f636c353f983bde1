package testkit

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	formula     = regexp.MustCompile(`^[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]`)
	plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
)

// RequireNoFormula opens CSV as a spreadsheet does that is set to any of the usual separators, and looks for cells it would run.
// Numbers are none. It returns how many cells it has looked at.
func RequireNoFormula(t testing.TB, text string) int {
	t.Helper()
	cells := 0
	for _, separator := range ",;\t" {
		reader := csv.NewReader(strings.NewReader(text))
		reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord = separator, true, -1
		for {
			record, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			for _, cell := range record {
				cells++
				cell = strings.Trim(cell, " \"")
				require.False(t, formula.MatchString(cell) && !plainNumber.MatchString(cell), "split at %q, this is run: %q", separator, cell)
			}
		}
	}
	return cells
}
