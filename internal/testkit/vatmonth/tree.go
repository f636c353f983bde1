package vatmonth

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// repeated are the elements whose order among each other says nothing.
var repeated = []string{"Invoice", "DocumentTotal", "Customer", "Supplier", "Reference"}

// Tree writes an XML document one element a line, with xsi:nil shown and repeated elements sorted, so that two files with the
// same content are the same text. Elements named in without are left out.
func Tree(t testing.TB, document []byte, without ...string) string {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			return strings.Join(branch(t, decoder, start, without), "\n")
		}
	}
}

func branch(t testing.TB, decoder *xml.Decoder, start xml.StartElement, without []string) []string {
	t.Helper()
	head := start.Name.Local
	for _, a := range start.Attr {
		if a.Name.Local == "nil" {
			head += " nil"
		}
	}
	var text strings.Builder
	var children [][]string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			child := branch(t, decoder, token, without)
			if !slices.Contains(without, token.Name.Local) {
				children = append(children, child)
			}
			continue
		case xml.CharData:
			text.Write(token)
			continue
		case xml.EndElement:
		default:
			continue
		}
		break
	}
	if len(children) > 0 && slices.Contains(repeated, strings.TrimSpace(children[0][0])) {
		slices.SortFunc(children, slices.Compare)
	}
	lines := []string{head}
	if len(children) == 0 {
		lines[0] += "=" + text.String()
	}
	for _, child := range children {
		for _, line := range child {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}
