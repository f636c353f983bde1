package idempotency

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// part is a member of an object or an element of an array.
type part struct {
	name  string // unescaped; empty for an element
	index int    // of an element; 0 for a member
	value jsontext.Value
}

// comparePart is the order in which readParts returns the parts of a container.
func comparePart(a, b part) int {
	return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.name, b.name))
}

// compareParts walks the parts of two arrays or of two objects side by side.
func (c *comparison) compareParts(parent container, first, second []part) {
	for len(first) > 0 || len(second) > 0 {
		switch order := comparePartHeads(first, second); {
		case order < 0:
			c.add(Difference{Pointer: parent.of(first[0]), Kind: DifferenceRemoved, First: first[0].value})
			first = first[1:]
		case order > 0:
			c.add(Difference{Pointer: parent.of(second[0]), Kind: DifferenceAdded, Second: second[0].value})
			second = second[1:]
		default:
			if !bytes.Equal(first[0].value, second[0].value) {
				c.compareValue(parent.of(first[0]), first[0].value, second[0].value)
			}
			first, second = first[1:], second[1:]
		}
		if len(c.found) == MaxDifferences {
			return
		}
	}
}

// comparePartHeads tells which list holds the next part; an empty one comes last.
func comparePartHeads(first, second []part) int {
	switch {
	case len(second) == 0:
		return -1
	case len(first) == 0:
		return 1
	default:
		return comparePart(first[0], second[0])
	}
}

// container is an array or object of the body.
type container struct {
	pointer string
	kind    jsontext.Kind
}

// of returns the JSON pointer of a part of the container.
func (c container) of(child part) string {
	token := child.name
	if c.kind == '[' {
		token = strconv.Itoa(child.index)
	}
	return string(jsontext.Pointer(c.pointer).AppendToken(token))
}

// fits reports whether the pointers of all the parts are short enough.
func (c container) fits(parts []part) bool {
	room := MaxPointerLength - len(c.pointer) - len("/")
	if c.kind == '[' {
		return len(strconv.Itoa(len(parts))) <= room // no index is longer than the count
	}
	for _, child := range parts {
		escapes := strings.Count(child.name, "~") + strings.Count(child.name, "/")
		if len(child.name)+escapes > room {
			return false
		}
	}
	return true
}

// shortPointer returns the pointer, or its nearest parent that is short enough.
func shortPointer(pointer string) string {
	for len(pointer) > MaxPointerLength {
		pointer = string(jsontext.Pointer(pointer).Parent())
	}
	return pointer
}

// readParts takes a canonical array or object apart.
func readParts(whole jsontext.Value) []part {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(whole), jsontext.AllowDuplicateNames(true))
	isObject := whole.Kind() == '{'
	_, err := decoder.ReadToken()
	mustBeCanonical(err)
	var parts []part
	for kind := decoder.PeekKind(); kind != '}' && kind != ']'; kind = decoder.PeekKind() {
		var child part
		if isObject {
			name, err := decoder.ReadToken()
			mustBeCanonical(err)
			child.name = name.String()
		} else {
			child.index = len(parts)
		}
		value, err := decoder.ReadValue()
		mustBeCanonical(err)
		// The decoder may reuse what it returned, the whole stays.
		end := decoder.InputOffset()
		child.value = whole[end-int64(len(value)) : end]
		parts = append(parts, child)
	}
	return parts
}

// mustBeCanonical panics: a Canonical comes from Canonicalize alone, so JSON
// that cannot be read here means its memory was written to.
func mustBeCanonical(err error) {
	if err != nil {
		panic(fmt.Sprintf("idempotency: canonical JSON was changed: %v", err))
	}
}
