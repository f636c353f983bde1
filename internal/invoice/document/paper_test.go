package document_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

var (
	streams = regexp.MustCompile(`(?s)/Length \d+>>\nstream\n(.*?)\nendstream`)
	shown   = regexp.MustCompile(`(?s)BT (\S+) (\S+) Td \((.*?[^\\])\) ?Tj`)
	escapes = strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r")
)

// pagesOf reads what each page of a PDF shows, piece by piece in the order it was written: the text of documents is UTF-16, since
// their fonts are addressed by character.
func pagesOf(t *testing.T, pdf []byte) []string {
	t.Helper()
	require.True(t, bytes.HasPrefix(pdf, []byte("%PDF-1.")))
	require.True(t, bytes.HasSuffix(bytes.TrimSpace(pdf), []byte("%%EOF")))
	var pages []string
	for _, stream := range streams.FindAllSubmatch(pdf, -1) {
		r, err := zlib.NewReader(bytes.NewReader(stream[1]))
		if err != nil {
			continue // a font
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		if !bytes.Contains(content, []byte("BT ")) || bytes.Contains(content, []byte("begincmap")) {
			continue
		}
		var page strings.Builder
		for _, piece := range shown.FindAllSubmatch(content, -1) {
			page.WriteString(decoded([]byte(escapes.Replace(string(piece[3])))) + "\n")
		}
		pages = append(pages, page.String())
	}
	return pages
}

func decoded(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return string(utf16.Decode(units))
}

// flatten makes one line of a page, so that a test does not depend on where lines end.
func flatten(pages []string) string {
	return strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
}
