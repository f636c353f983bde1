package export

import (
	"strings"
	"unicode"
)

// formulaMarks begin a formula in spreadsheets: the last four, full width, in those of East Asia.
const formulaMarks = "=+-@\uff1d\uff0b\uff0d\uff20"

// cellEnds end a cell where a spreadsheet expects another separator than the file has: one set to Lithuanian splits a line at its
// semicolons and does not see the quotation marks of a cell that it takes for the middle of one.
const cellEnds = ";\t\r\n"

// Harmless puts an apostrophe before all of a text that a spreadsheet could take for a formula: at its beginning, and where a cell
// would begin if the text were cut at another separator. A partner can be named anything, and whoever opens the file must not run it.
func Harmless(s string) string {
	if !strings.ContainsAny(s, formulaMarks+cellEnds) {
		return s
	}
	var out strings.Builder
	begins := true
	for at, r := range s {
		if begins && (isFormula(s[at:]) || at == 0 && strings.ContainsRune("\t\r\n", r)) {
			out.WriteByte('\'')
		}
		begins = strings.ContainsRune(cellEnds, r)
		out.WriteRune(r)
	}
	return out.String()
}

// isFormula reports a cell that begins with a mark, after blanks and quotation marks, which some programs take off.
func isFormula(cell string) bool {
	cell = strings.TrimLeftFunc(cell, func(r rune) bool {
		return r == '"' || !strings.ContainsRune(cellEnds, r) && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
	})
	return strings.IndexAny(cell, formulaMarks) == 0
}
