package statement

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

const byteOrderMark = "\uFEFF"

// file is the content of a statement.
type file struct {
	data []byte
	// isText says that the data is UTF-8 whatever the file says of itself: it came as text, or was turned into UTF-8 here.
	isText bool
}

// open finds out whether the content is text or base64, and takes a byte order mark off.
func open(content string) (file, error) {
	text := strings.TrimPrefix(content, byteOrderMark)
	if strings.TrimSpace(text) == "" {
		return file{}, fault(0, "the file is empty")
	}
	data, isBase64 := fromBase64(text)
	if !isBase64 {
		return file{[]byte(text), true}, nil
	}
	switch {
	case bytes.HasPrefix(data, []byte(byteOrderMark)):
		return file{data[len(byteOrderMark):], true}, nil
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return fromUTF16(data[2:], binary.BigEndian)
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return fromUTF16(data[2:], binary.LittleEndian)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return file{}, fault(0, "the file is empty")
	}
	return file{data, false}, nil
}

// fromBase64 decodes base64 of any alphabet, with or without padding, line breaks and the head of a data URL. No statement
// in any of the formats is made of that alphabet alone, so there is nothing to confuse.
func fromBase64(text string) ([]byte, bool) {
	text = strings.TrimSpace(text)
	if head, body, found := strings.Cut(text, ";base64,"); found && strings.HasPrefix(head, "data:") && len(head) < 200 {
		text = body
	}
	packed := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n' || c == '\r' || c == ' ' || c == '\t':
		case c == '-':
			packed = append(packed, '+')
		case c == '_':
			packed = append(packed, '/')
		case c == '+' || c == '/' || c == '=' || isDigit(c) || isLetter(c):
			packed = append(packed, c)
		default:
			return nil, false
		}
	}
	packed = bytes.TrimRight(packed, "=")
	data := make([]byte, base64.RawStdEncoding.DecodedLen(len(packed)))
	n, err := base64.RawStdEncoding.Decode(data, packed)
	return data[:n], err == nil
}

func fromUTF16(data []byte, order binary.ByteOrder) (file, error) {
	if len(data)%2 != 0 {
		return file{}, fault(0, "the file is in UTF-16 and was cut off in the middle of a character")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return file{[]byte(string(utf16.Decode(units))), true}, nil
}

// text is the content of a format that does not declare its encoding: UTF-8 where it is valid, else Windows-1257, which
// Baltic banks write; in it the German and Nordic letters stand where ISO-8859-1 has them.
func (f file) text() string {
	if f.isText || utf8.Valid(f.data) {
		return strings.ToValidUTF8(string(f.data), "\uFFFD")
	}
	decoded, err := charmap.Windows1257.NewDecoder().Bytes(f.data)
	if err != nil {
		return strings.ToValidUTF8(string(f.data), "\uFFFD")
	}
	return string(decoded)
}

// declaredEncodings are the encodings that an XML declaration may name, in lower case.
var declaredEncodings = map[string]encoding.Encoding{
	"windows-1257": charmap.Windows1257, "cp1257": charmap.Windows1257,
	"iso-8859-13": charmap.ISO8859_13, "iso-8859-4": charmap.ISO8859_4,
	"iso-8859-1": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "iso-8859-15": charmap.ISO8859_15,
	"windows-1252": charmap.Windows1252, "iso-8859-2": charmap.ISO8859_2, "windows-1250": charmap.Windows1250,
}

// declared reads the data in the encoding that the file declares. Text that was decoded before keeps its form: there the
// declaration tells what the file once was.
func (f file) declared(label string, input io.Reader) (io.Reader, error) {
	name := strings.ToLower(strings.TrimSpace(label))
	if f.isText || name == "utf-8" || name == "utf8" || name == "us-ascii" {
		return input, nil
	}
	chosen, known := declaredEncodings[name]
	if !known {
		return nil, fault(1, "the encoding %q is not known; send the file in UTF-8", shorten(label))
	}
	return chosen.NewDecoder().Reader(input), nil
}

// detect works the format out from how the file begins.
func detect(f file) (Format, error) {
	head := bytes.TrimSpace(f.data[:min(len(f.data), 4096)])
	switch {
	case bytes.HasPrefix(head, []byte("<")):
		return CAMT053, nil
	case bytes.HasPrefix(head, []byte("{1:")), bytes.HasPrefix(head, []byte(":20:")), bytes.Contains(head, []byte("\n:20:")),
		bytes.HasPrefix(head, []byte(":25:")):
		return MT940, nil
	}
	if delimiterOf(firstLine(strings.ReplaceAll(f.text(), "\r", "\n"))) != 0 {
		return StripeCSV, nil
	}
	return "", fault(0, "the format of the file cannot be told; send format as one of camt053, mt940, stripe-csv")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// shorten keeps hostile input out of error messages.
func shorten(s string) string {
	const limit = 40
	if len(s) <= limit {
		return strings.ToValidUTF8(s, "?")
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
