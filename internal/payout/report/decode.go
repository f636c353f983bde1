package report

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\ufeff"

// upper1257 are the characters of the bytes 0x80 to 0xff in Windows-1257, in which spreadsheet programs of the Baltic countries
// write. Bytes without a character are U+FFFD.
const upper1257 = "€\ufffd‚\ufffd„…†‡\ufffd‰\ufffd‹\ufffd¨ˇ¸\ufffd‘’“”•–—\ufffd™\ufffd›\ufffd¯˛\ufffd" +
	"\u00a0\ufffd¢£¤\ufffd¦§Ø©Ŗ«¬\u00ad®Æ°±²³´µ¶·ø¹ŗ»¼½¾æ" +
	"ĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž˙"

// decode gives the text of a file that was sent as text or in base64. Text that is not UTF-8 is taken for Windows-1257.
func decode(content string) (string, error) {
	if isBase64(content) {
		raw, err := fromBase64(content)
		if err != nil {
			return "", err
		}
		content = raw
	}
	content = strings.TrimPrefix(content, byteOrderMark)
	if strings.ContainsRune(content, 0) {
		return "", &Fault{Reason: "the file is no plain text; save it as CSV in UTF-8"}
	}
	if !utf8.ValidString(content) {
		content = from1257(content)
	}
	return content, nil
}

// isBase64 tells the two forms apart: a header has a delimiter, which base64 has not.
func isBase64(content string) bool {
	return strings.HasPrefix(content, "data:") || (strings.TrimSpace(content) != "" && !strings.ContainsFunc(content, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("+/-_= \t\r\n", r)
	}) && !strings.ContainsRune(strings.TrimSpace(content), '\t'))
}

func fromBase64(content string) (string, error) {
	if strings.HasPrefix(content, "data:") {
		_, content, _ = strings.Cut(content, ",")
	}
	compact := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "=", "", "-", "+", "_", "/").Replace(content)
	raw, err := base64.RawStdEncoding.DecodeString(compact)
	if err != nil {
		return "", &Fault{Reason: "the content is neither delimited text with a header nor base64; it may be cut off"}
	}
	return string(raw), nil
}

func from1257(content string) string {
	upper := []rune(upper1257)
	var out strings.Builder
	out.Grow(len(content) + len(content)/8)
	for i := range len(content) {
		if b := content[i]; b < utf8.RuneSelf {
			out.WriteByte(b)
		} else {
			out.WriteRune(upper[b-utf8.RuneSelf])
		}
	}
	return out.String()
}
