package files

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds a name in characters, its ending included.
const maxName = 200

// CleanName makes a name that every system can store and show: the last part of a path, without control characters,
// characters that turn the direction of text, and those that Windows refuses; not empty, not only dots. Error: file.name.
func CleanName(given string) (string, error) {
	name := strings.ToValidUTF8(given, "")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), " .")
	if name == "" {
		return "", ErrName.New("The file needs a name such as invoice.pdf.").Field("fileName", "has no usable characters")
	}
	return shortenName(name), nil
}

// shortenName keeps the ending of a name that is too long.
func shortenName(name string) string {
	if utf8.RuneCountInString(name) <= maxName {
		return name
	}
	ending := []rune(path.Ext(name))
	if len(ending) > 10 {
		ending = nil
	}
	return string([]rune(name)[:maxName-len(ending)]) + string(ending)
}
