package files

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxXMLDepth is how deep elements of a file may nest; what is kept with books goes to about twenty.
const maxXMLDepth = 200

// activeNamespaces are those whose elements a browser runs wherever they stand in a document.
var activeNamespaces = map[string]bool{"http://www.w3.org/1999/xhtml": true, "http://www.w3.org/2000/svg": true}

// activeRoots are what makes a document a page or a picture with scripts, whatever its namespace.
var activeRoots = map[string]bool{"html": true, "svg": true}

// isXML accepts a document that a browser would not run and that grows in no reader: nothing of HTML or SVG at any place, no style
// sheet, which may be a program, and no document type, which is where entities are declared. It is read to its end: what is looked for
// may stand behind megabytes of anything.
func isXML(content []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(content, []byte(utf8Mark))))
	d.CharsetReader = readASCII
	depth, roots := 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return roots == 1
		}
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case xml.Directive:
			return false
		case xml.ProcInst:
			if strings.EqualFold(token.Target, "xml-stylesheet") {
				return false
			}
		case xml.StartElement:
			if depth == 0 {
				roots++
				if activeRoots[strings.ToLower(token.Name.Local)] {
					return false
				}
			}
			if depth++; depth > maxXMLDepth || activeNamespaces[token.Name.Space] {
				return false
			}
		case xml.EndElement:
			depth--
		}
	}
}

// asciiFamily are encodings in which the marks of XML are the bytes of ASCII and nothing else is.
var asciiFamily = regexp.MustCompile(`(?i)^(us-ascii|utf-?8|(windows-|cp)125[0-8]|iso-8859-[0-9]{1,2}|latin[0-9]{1,2}|koi8-[ru])$`)

// readASCII reads a document of another encoding as far as its marks need it: every other character becomes a question mark.
func readASCII(label string, input io.Reader) (io.Reader, error) {
	if !asciiFamily.MatchString(label) {
		return nil, errors.New("the encoding is not known")
	}
	return ascii{input}, nil
}

type ascii struct{ in io.Reader }

// Read replaces what is not ASCII.
func (a ascii) Read(p []byte) (int, error) {
	n, err := a.in.Read(p)
	for i, b := range p[:n] {
		if b >= utf8.RuneSelf {
			p[i] = '?'
		}
	}
	return n, err //nolint:wrapcheck // an io.Reader hands errors on
}
