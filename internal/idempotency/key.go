package idempotency

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Header is the name of the request header that carries the key.
const Header = "Idempotency-Key"

// MaxKeyLength is the longest key accepted, in characters (not bytes). A key of
// that length takes at most 1020 bytes.
const MaxKeyLength = 255

// optionalSpace is the white space HTTP allows around a field value; it is not
// part of the key.
const optionalSpace = " \t"

// Key is an idempotency key as the client meant it, without the quotes of the
// structured-field form. Keys are equal when their bytes are: case, Unicode
// form and trailing blanks all count. The zero Key is no key.
type Key struct {
	text string
}

// KeyError says why a key was refused. Message is fit for a client.
type KeyError struct {
	Message string
}

// Error returns the message for the client.
func (e *KeyError) Error() string { return e.Message }

// ParseKey reads the key from the lines of the Idempotency-Key header. Without
// a line there is no key: the result is the zero Key, false and no error. More
// than one line is an error even when they are equal, because a proxy may pass
// on either.
//
// The structured-field form "abc" and the bare form abc are the same key. A
// value is structured when it begins with a quote; quotes further on belong to
// a bare key. Every error is a *KeyError.
func ParseKey(headerLines []string) (Key, bool, error) {
	switch len(headerLines) {
	case 0:
		return Key{}, false, nil
	case 1:
	default:
		return Key{}, false, refuseKey("%s must be sent once, got %d header lines.", Header, len(headerLines))
	}
	text := strings.Trim(headerLines[0], optionalSpace)
	if strings.HasPrefix(text, `"`) {
		var err error
		if text, err = unquoteKey(text); err != nil {
			return Key{}, false, err
		}
	}
	key, err := NewKey(text)
	return key, err == nil, err
}

// NewKey checks a key that is already plain text: one named in a request body,
// or read back from the store. Quotes in it belong to the key. Every error is a
// *KeyError.
func NewKey(text string) (Key, error) {
	if !utf8.ValidString(text) {
		return Key{}, refuseKey("%s must be valid UTF-8.", Header)
	}
	if n := utf8.RuneCountInString(text); n == 0 || n > MaxKeyLength {
		return Key{}, refuseKey("%s must be 1 to %d characters, got %d.", Header, MaxKeyLength, n)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return Key{}, refuseKey("%s must not contain control characters.", Header)
	}
	if strings.TrimSpace(text) == "" {
		return Key{}, refuseKey("%s must be 1 to %d characters and not only blanks.", Header, MaxKeyLength)
	}
	return Key{text: text}, nil
}

// String returns the key as text.
func (k Key) String() string { return k.text }

// Bytes returns a copy of the key's bytes, the form in which keys are stored
// and compared.
func (k Key) Bytes() []byte { return []byte(k.text) }

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.text == "" }

// unquoteKey takes a structured-field string apart. Beyond the grammar of
// structured fields it lets characters outside ASCII through, since a bare key
// may hold them too.
func unquoteKey(quoted string) (string, error) {
	var text strings.Builder
	for i := 1; i < len(quoted); i++ {
		switch c := quoted[i]; c {
		case '"':
			return text.String(), checkAfterQuote(quoted[i+1:])
		case '\\':
			i++
			if i == len(quoted) {
				return "", errUnterminated()
			}
			if quoted[i] != '"' && quoted[i] != '\\' {
				return "", refuseKey(`%s has a backslash before a character other than " or \ inside quotes; write \\ for a backslash.`, Header)
			}
			text.WriteByte(quoted[i])
		default:
			text.WriteByte(c)
		}
	}
	return "", errUnterminated()
}

func checkAfterQuote(rest string) error {
	rest = strings.TrimLeft(rest, optionalSpace)
	switch {
	case rest == "":
		return nil
	case rest[0] == ';':
		return refuseKey("%s must not have parameters after the closing quote.", Header)
	default:
		return refuseKey("%s must end at the closing quote; send one key only.", Header)
	}
}

func errUnterminated() error {
	return refuseKey("%s begins with a quote but the closing quote is missing.", Header)
}

func refuseKey(format string, args ...any) error {
	return &KeyError{Message: fmt.Sprintf(format, args...)}
}
