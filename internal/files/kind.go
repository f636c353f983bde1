package files

import (
	"archive/zip"
	"bytes"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// kind is a sort of file that is kept.
type kind struct {
	name string
	// types are the media types it goes by; the first is the one that is stored.
	types []string
	fits  func(content []byte) bool
}

// kinds are all sorts that are kept. What a browser would run (HTML, SVG, scripts) is not among them.
var kinds = []kind{
	{"pdf", []string{"application/pdf"}, starts("%PDF-")},
	{"png", []string{"image/png"}, starts("\x89PNG\r\n\x1a\n")},
	{"jpeg", []string{"image/jpeg", "image/jpg"}, starts("\xff\xd8\xff")},
	{"webp", []string{"image/webp"}, isWebP},
	{"xlsx", []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, isXLSX},
	{"xml", []string{"application/xml", "text/xml"}, isXML},
	{"json", []string{"application/json"}, isJSON},
	{"csv", []string{"text/csv", "application/csv"}, isText},
	{"txt", []string{"text/plain"}, isText},
}

// ImageTypes are the media types of pictures that are kept.
var ImageTypes = []string{"image/png", "image/jpeg", "image/webp"}

// checkType gives the media type to store for a content that was said to be of a type. Error: file.type.
func checkType(said string, content []byte) (string, error) {
	media, _, err := mime.ParseMediaType(said)
	if err == nil {
		for _, k := range kinds {
			if !slices.Contains(k.types, media) {
				continue
			}
			if !k.fits(content) {
				return "", ErrType.New("The content of the file is no %s.", k.name).Field("content", "is not %s, as mimeType says", media)
			}
			return k.types[0], nil
		}
	}
	return "", ErrType.New("Files of the type %q are not kept; use pdf, png, jpeg, webp, xlsx, xml, json, csv or txt.", short(said)).
		Field("mimeType", "must be one of %s", strings.Join(knownTypes(), ", "))
}

func knownTypes() []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.types[0]
	}
	return list
}

func short(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "..."
}

func starts(with string) func([]byte) bool {
	return func(content []byte) bool { return bytes.HasPrefix(content, []byte(with)) }
}

func isWebP(content []byte) bool {
	return len(content) >= 16 && bytes.HasPrefix(content, []byte("RIFF")) && bytes.HasPrefix(content[8:], []byte("WEBP"))
}

// isXLSX looks into the archive: a workbook without macros.
func isXLSX(content []byte) bool {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return false
	}
	hasBook := false
	for _, f := range archive.File {
		switch {
		case strings.EqualFold(f.Name, "xl/workbook.xml"):
			hasBook = true
		case strings.EqualFold(f.Name, "xl/vbaProject.bin"):
			return false
		}
	}
	return hasBook
}

// utf8Mark may stand before text.
const utf8Mark = "\xef\xbb\xbf"

func isJSON(content []byte) bool {
	return jsontext.Value(bytes.TrimPrefix(content, []byte(utf8Mark))).IsValid()
}

// isText accepts any encoding of text; a zero byte is none.
func isText(content []byte) bool {
	return bytes.IndexByte(content, 0) < 0 && !bytes.HasPrefix(content, []byte("%PDF-")) && !bytes.HasPrefix(content, []byte("PK\x03\x04"))
}
