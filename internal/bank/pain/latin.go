package pain

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// spelled are letters and signs that are more than a base letter with a mark, in the characters that banks take.
var spelled = map[rune]string{
	'ß': "ss", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'þ': "th",
	'Þ': "TH", 'ð': "d", 'Ð': "D", 'ı': "i", '&': "+", '€': "EUR", '_': "-", '–': "-", '—': "-", '„': "'", '“': "'", '”': "'",
	'’': "'", '‘': "'", '"': "'", '@': "(at)", ';': ",", '[': "(", ']': ")", '{': "(", '}': ")", '\\': "/", '№': "No.", '#': "No.",
}

// Latin writes a text in the characters that every bank of the scheme takes: Latin letters, digits, blank and / - ? : ( ) . , ' +
// Marks are dropped and other letters become points; blanks are folded.
func Latin(s string) string {
	var out strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch text, isSpelled := spelled[r]; {
		case isSpelled:
			out.WriteString(text)
		case isLatin(r):
			out.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r), unicode.IsControl(r):
			out.WriteByte(' ')
		default:
			out.WriteByte('.')
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

func isLatin(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == ' ' || strings.ContainsRune("/-?:().,'+", r)
}

// cut is the text within a length; it is Latin, so that bytes are characters.
func cut(s string, limit int) string {
	return strings.TrimSpace(s[:min(len(s), limit)])
}

// reference is a text as an identification: it neither begins nor ends with a slash and has no two together, for the scheme
// keeps those for itself.
func reference(s string) string {
	s = Latin(s)
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return strings.Trim(cut(strings.Trim(s, "/ "), maxReference), "/ ")
}
